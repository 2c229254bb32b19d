/*
 * HTTP requests to servers on the phone: the JSON-RPC of uiautomator2 and
 * mobilecli, the WebDriver of Appium's UiAutomator2 server, portal apps; and
 * the screenshots and trees in their answers.
 */
#ifndef RUNNER_CLASSIFY_DOOR_HTTP_H
#define RUNNER_CLASSIFY_DOOR_HTTP_H

#include "base/buf.h"
#include "base/json.h"
#include "runner/classify/door_contacts.h"
#include "runner/classify/door_output.h"

struct door_http_request {
    char method[8];
    char path[512]; /* without the query */
    const char *body;
    size_t length;
};

#define DOOR_ANSWERS_MAX 16

struct door_http {
    struct buf request; /* that is not complete */
    size_t skip;        /* bytes of a body that is too long to be read */
    struct door_contacts contacts; /* of events that are injected */

    struct buf answer;                               /* that is not complete */
    struct door_expected expected[DOOR_ANSWERS_MAX]; /* capture 0: not wanted */
    size_t expected_count;
    bool lost; /* answers are not followed any more */
};

void door_http_init(struct door_http *http);
void door_http_release(struct door_http *http);

/* False: this is not HTTP, or no longer. */
MUST_USE bool door_http_input(struct door_http *http, const char *data,
                              size_t length, struct door_context *context);

void door_http_output(struct door_http *http, const char *data, size_t length,
                      struct door_captures *captures);

/* ---- what requests do ---- */

/* door_jsonrpc.c: uiautomator2's calls. */
void door_jsonrpc_run(struct door_http *http,
                      const struct door_http_request *request,
                      struct door_context *context);

/* door_mobilecli.c: the calls of mobile-mcp's server. */
void door_mobilecli_run(const struct door_http_request *request,
                        struct door_context *context);

/* door_webdriver.c: Appium's commands; path begins behind the session. */
void door_webdriver_run(const struct door_http_request *request,
                        const char *path, struct door_context *context);

/* door_webdriver_actions.c: the pointers and keys of "/actions". */
void door_webdriver_actions(const struct json *body,
                            struct door_context *context);

/* A number at an index of an array, or of a member; false if there is none. */
MUST_USE bool door_json_number(const struct cJSON *value, int *number);

#endif
