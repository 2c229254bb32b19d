#include "runner/classify/door_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/mem.h"
#include "runner/classify/door_helpers.h"

/* Of a request; longer ones are raw. */
#define REQUEST_MAX ((size_t)1 << 20)

/* Of the lines in front of the body. */
#define HEAD_MAX ((size_t)16 * 1024)

#define PIXEL_MAX 100000

void door_http_init(struct door_http *http)
{
    *http = (struct door_http){.request = BUF_INIT(REQUEST_MAX),
                               .answer = BUF_INIT(DOOR_CAPTURE_MAX)};
}

void door_http_release(struct door_http *http)
{
    buf_release(&http->request);
    buf_release(&http->answer);
}

bool door_json_number(const struct cJSON *value, int *number)
{
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= -PIXEL_MAX) ||
        !(value->valuedouble <= PIXEL_MAX))
        return false;
    *number = (int)value->valuedouble;
    return true;
}

/* ---- heads ---- */

/* The length of a head with its blank line; 0: it is not complete. */
static size_t head_length(const struct buf *data)
{
    const char *end =
        data->length ? memmem(data->data, data->length, "\r\n\r\n", 4) : NULL;

    return end ? (size_t)(end - data->data) + 4 : 0;
}

/* The value of a header field in a head, which is not terminated; or NULL. */
static const char *field(const char *head, size_t length, const char *name,
                         char value[64])
{
    size_t size = strlen(name);

    for (const char *line = memchr(head, '\n', length); line;) {
        const char *next;
        size_t left;

        line++;
        left = length - (size_t)(line - head);
        next = memchr(line, '\n', left);
        if (left > size && !strncasecmp(line, name, size) &&
            line[size] == ':') {
            snprintf(value, 64, "%.*s",
                     (int)((next ? (size_t)(next - line) : left) - size - 1),
                     line + size + 1);
            return value + strspn(value, " \t");
        }
        line = next;
    }
    return NULL;
}

static size_t body_length(const char *head, size_t length)
{
    char value[64];
    const char *text = field(head, length, "Content-Length", value);
    unsigned long long size = text ? strtoull(text, NULL, 10) : 0;

    return size > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)size;
}

static bool has_method(const struct buf *data)
{
    static const char *const methods[] = {
        "GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH "};

    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        size_t length = strlen(methods[i]);

        if (data->length < length)
            length = data->length;
        if (!memcmp(data->data, methods[i], length))
            return true;
    }
    return false;
}

/* ---- requests ---- */

/* The state of a portal app, and its keyboard. */
static void run_portal(const struct door_http_request *request,
                       struct door_context *context)
{
    struct cJSON *tree = NULL;
    const struct cJSON *text = NULL;
    struct err ignored;

    if (json_parse(request->body, request->length, &tree, &ignored))
        text = cJSON_GetObjectItemCaseSensitive(tree, "base64_text");
    if (strstr(request->path, "/keyboard/clear"))
        door_record_action(context, (struct action){.kind = ACTION_CLEAR});
    else if (strstr(request->path, "/keyboard/input") && text &&
             cJSON_IsString(text))
        door_record_base64(context, text->valuestring);
    else
        door_record_raw(context, EFFECT_UNKNOWN);
    cJSON_Delete(tree);
}

static void run_request(struct door_http *http,
                        const struct door_http_request *request,
                        struct door_context *context)
{
    const char *session = strstr(request->path, "/session");
    const char *behind = session ? strchr(session + 1, '/') : NULL;

    behind = behind ? strchr(behind + 1, '/') : NULL;
    if (strstr(request->path, "/jsonrpc"))
        door_jsonrpc_run(http, request, context);
    else if (!strcmp(request->method, "POST") && !strcmp(request->path, "/"))
        door_mobilecli_run(request, context);
    else if (session && behind)
        door_webdriver_run(request, behind, context);
    else if (session || !strcmp(request->method, "GET") ||
             !strcmp(request->method, "HEAD") ||
             !strcmp(request->method, "OPTIONS"))
        door_record_read(context);
    else
        run_portal(request, context);
}

static bool read_line(const struct buf *data, struct door_http_request *request)
{
    return sscanf(data->data, "%7s %511[^ ?\r\n]", request->method,
                  request->path) == 2;
}

/* "POST /path BODY" for the record. */
static void name_command(struct door_context *context, struct buf *command,
                         const struct door_http_request *request)
{
    size_t length =
        request->length < DOOR_COMMAND_MAX ? request->length : DOOR_COMMAND_MAX;

    buf_printf(command, "%s %s ", request->method, request->path);
    buf_append(command, request->body, length);
    context->command = buf_cstr(command);
    context->length = command->length;
}

/* Expect the answer to a request: the last capture of its items, or none. */
static void expect_answer(struct door_http *http, struct door_items *items,
                          size_t first)
{
    struct door_expected expected = {.capture = 0};

    for (size_t i = first; i < items->count; i++) {
        const struct door_item *item = &items->items[i];

        if (item->capture && item->delivery == DOOR_IN_OUTPUT)
            expected =
                (struct door_expected){item->kind, item->format, item->capture};
    }
    if (http->expected_count == DOOR_ANSWERS_MAX)
        http->lost = true;
    else
        http->expected[http->expected_count++] = expected;
}

/* A complete request is at the front of the buffer. */
static bool take_request(struct door_http *http, size_t head, size_t body,
                         struct door_context *context)
{
    struct door_http_request request = {.body = http->request.data + head,
                                        .length = body};
    struct buf command = BUF_INIT(2 * DOOR_COMMAND_MAX);
    size_t first = context->items->count;
    char value[64];
    bool upgrades = field(http->request.data, head, "Upgrade", value) != NULL;

    if (!read_line(&http->request, &request))
        return false;
    name_command(context, &command, &request);
    run_request(http, &request, context);
    expect_answer(http, context->items, first);
    http->lost = http->lost || upgrades;
    context->command = "";
    context->length = 0;
    buf_release(&command);
    return !upgrades; /* a WebSocket follows */
}

static bool take_requests(struct door_http *http, struct door_context *context)
{
    struct buf *data = &http->request;

    while (data->length) {
        size_t head;
        size_t body;

        if (!has_method(data))
            return false;
        head = head_length(data);
        if (!head)
            return data->length < HEAD_MAX;
        body = body_length(data->data, head);
        if (body > REQUEST_MAX - head) {
            door_record_raw(context, EFFECT_UNKNOWN);
            http->skip = body - (data->length - head);
            http->lost = true;
            buf_clear(data);
            return true;
        }
        if (data->length - head < body)
            return true;
        if (!take_request(http, head, body, context))
            return false;
        buf_consume(data, head + body);
    }
    return true;
}

bool door_http_input(struct door_http *http, const char *data, size_t length,
                     struct door_context *context)
{
    while (length) {
        size_t room = REQUEST_MAX - http->request.length;
        size_t part = http->skip ? http->skip : room;

        part = part < length ? part : length;
        if (http->skip)
            http->skip -= part;
        else
            buf_append(&http->request, data, part);
        data += part;
        length -= part;
        if (!http->skip && !take_requests(http, context))
            return false;
    }
    return true;
}

/* ---- answers ---- */

/* {"result": "..."} or {"value": "..."}: base64, or a tree as it is. */
static void take_body(struct door_http *http, const char *body, size_t length,
                      struct door_captures *captures)
{
    const struct door_expected *expected = &http->expected[0];
    struct buf data = BUF_INIT(DOOR_CAPTURE_MAX);
    struct cJSON *tree = NULL;
    const struct cJSON *text;
    struct base64_decoder decoder = {0};
    struct err ignored;

    if (!json_parse(body, length, &tree, &ignored))
        return;
    text = cJSON_GetObjectItemCaseSensitive(tree, "result");
    if (!text)
        text = cJSON_GetObjectItemCaseSensitive(tree, "value");
    if (cJSON_IsString(text) && expected->format == DOOR_XML) {
        buf_text(&data, text->valuestring);
    } else if (cJSON_IsString(text)) {
        for (const char *at = text->valuestring; *at; at++)
            (void)base64_take(&decoder, *at, &data);
    }
    if (data.length && !data.overflow)
        door_captures_add(captures, expected, &data);
    buf_release(&data);
    cJSON_Delete(tree);
}

static void end_answer(struct door_http *http)
{
    http->expected_count--;
    memmove(http->expected, http->expected + 1,
            http->expected_count * sizeof(http->expected[0]));
}

void door_http_output(struct door_http *http, const char *data, size_t length,
                      struct door_captures *captures)
{
    size_t head;
    size_t body;
    char value[64];

    if (http->lost)
        return;
    buf_append(&http->answer, data, length);
    while ((head = head_length(&http->answer)) && http->expected_count) {
        const char *chunks =
            field(http->answer.data, head, "Transfer-Encoding", value);

        body = body_length(http->answer.data, head);
        http->lost = chunks != NULL;
        if (http->lost || http->answer.length - head < body)
            break;
        if (http->expected[0].capture)
            take_body(http, http->answer.data + head, body, captures);
        end_answer(http);
        buf_consume(&http->answer, head + body);
    }
    http->lost = http->lost || http->answer.overflow ||
                 (!http->expected_count && http->answer.length);
    if (http->lost)
        buf_release(&http->answer);
}
