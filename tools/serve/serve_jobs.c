/* Requests that take a while, each in its own thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/discover/discover_config.h"
#include "adb/discover/new_phone.h"
#include "base/mem.h"
#include "base/secret_token.h"
#include "tools/serve/qr_code.h"
#include "tools/serve/serve_private.h"

#define CONNECT_MS 15000
#define PAIR_MS 15000
#define ANNOUNCE_MS 5000     /* until a paired phone says where it listens */
#define SCAN_MS (120 * 1000) /* until the phone has scanned the code */
#define SECRET_LENGTH 10

struct serve_job {
    struct serve *serve;
    uint64_t client;
    struct serve_message message;
};

/* ---- pairing ---- */

/* Pair, and remember where the phone listens if it says so. */
static bool pair(struct discover *discover, const char *host, uint16_t port,
                 const char *code, struct buf *words, struct err *err)
{
    char guid[PAIRING_GUID_SIZE];
    char address[TCP_ADDRESS_MAX];
    struct err ignored;

    if (!new_phone_pair(discover, host, port, code, deadline_in_ms(PAIR_MS),
                        guid, err))
        return false;
    if (new_phone_find(discover, guid, deadline_in_ms(ANNOUNCE_MS), address,
                       &ignored))
        return new_phone_remember(address, err) &&
               (buf_printf(words, "Paired with the phone at %s", address),
                true);
    buf_text(words, "Paired. Connect to the address that Wireless debugging "
                    "shows");
    return true;
}

static bool pair_by_code(struct serve_job *job, struct discover *discover,
                         struct err *err)
{
    struct buf words = BUF_INIT(1024);
    char host[TCP_HOST_MAX];
    uint16_t port;
    bool done =
        tcp_parse_address(job->message.address, 0, host, &port, err) &&
        (port || err_set(err, ERR_INVALID,
                         "the phone shows a port next to its address: give "
                         "HOST:PORT")) &&
        pair(discover, host, port, job->message.code, &words, err);

    if (done) {
        struct cJSON *answer = json_new_object();

        json_add_string(answer, "words", buf_cstr(&words));
        serve_answer(job->serve, job->client, job->message.id, answer);
    }
    buf_release(&words);
    return done;
}

/* The newest code counts; earlier searches end. */
static unsigned begin_scan(struct serve *serve)
{
    unsigned number;

    pthread_mutex_lock(&serve->qr_lock);
    number = ++serve->qr_number;
    pthread_mutex_unlock(&serve->qr_lock);
    return number;
}

static bool is_newest_scan(struct serve *serve, unsigned number)
{
    bool newest;

    pthread_mutex_lock(&serve->qr_lock);
    newest = serve->qr_number == number;
    pthread_mutex_unlock(&serve->qr_lock);
    return newest;
}

/* Look for the phone that has scanned the code; false: it is over. */
static bool wait_for_scan(struct serve *serve, const struct discover *discover,
                          const char *name, unsigned number,
                          struct mdns_service *service, struct err *err)
{
    struct deadline by = deadline_in_ms(SCAN_MS);

    while (is_newest_scan(serve, number)) {
        struct deadline soon = deadline_sooner(by, deadline_in_ms(2000));

        if (mdns_find(discover->mdns, MDNS_PAIRING, name, soon, service, err))
            return true;
        if (err->code != ERR_TIMEOUT || deadline_passed(by))
            return false;
    }
    return err_set(err, ERR_CANCELLED, "there is a newer code");
}

static void push_pairing(struct serve_job *job, bool done, const char *words)
{
    struct cJSON *push = json_new_object();

    json_add_string(push, "push", "pairing");
    json_add_bool(push, "ok", done);
    json_add_string(push, "words", words);
    serve_send(job->serve, job->client, push);
}

static bool answer_qr(struct serve_job *job, const char *name,
                      const char *secret, struct err *err)
{
    struct cJSON *answer = json_new_object();
    char text[128];

    snprintf(text, sizeof(text), "WIFI:T:ADB;S:%s;P:%s;;", name, secret);
    json_add_string(answer, "name", name);
    if (!qr_code_rows(text, json_add_array(answer, "rows"), err)) {
        cJSON_Delete(answer);
        return false;
    }
    serve_answer(job->serve, job->client, job->message.id, answer);
    return true;
}

static bool pair_by_qr(struct serve_job *job, struct discover *discover,
                       struct err *err)
{
    unsigned number = begin_scan(job->serve);
    struct secret_token random, secret;
    struct mdns_service service;
    struct buf words = BUF_INIT(1024);
    char name[32];
    bool done;

    if (!secret_token_make(&random, err) || !secret_token_make(&secret, err))
        return false;
    snprintf(name, sizeof(name), "proctor-%.*s", SECRET_LENGTH, random.text);
    secret.text[SECRET_LENGTH] = '\0';
    if (!answer_qr(job, name, secret.text, err))
        return false;
    done = wait_for_scan(job->serve, discover, name, number, &service, err) &&
           pair(discover, service.host, service.port, secret.text, &words, err);
    if (done)
        push_pairing(job, true, buf_cstr(&words));
    else if (err->code != ERR_CANCELLED)
        push_pairing(job, false, err->text);
    buf_release(&words);
    return true; /* the request is answered */
}

/* ---- the others ---- */

static bool connect_phone(struct serve_job *job, struct discover *discover,
                          struct err *err)
{
    char remembered[TCP_ADDRESS_MAX];
    struct cJSON *answer;

    if (!new_phone_connect(discover, job->message.address,
                           deadline_in_ms(CONNECT_MS), remembered, err))
        return false;
    answer = json_new_object();
    json_add_string(answer, "phone", remembered);
    serve_answer(job->serve, job->client, job->message.id, answer);
    return true;
}

static bool start_phone(struct serve_job *job, struct err *err)
{
    char serial[TCP_ADDRESS_MAX];
    struct cJSON *answer;

    if (!serve_start_builtin(job->serve, &job->message, serial, err))
        return false;
    answer = json_new_object();
    json_add_string(answer, "phone", serial);
    serve_answer(job->serve, job->client, job->message.id, answer);
    return true;
}

static bool use_network(struct serve_job *job, struct err *err)
{
    struct discover_config config;
    bool done = discover_config_init(&config, NULL, NULL, &job->serve->cancel,
                                     job->serve->options.log, err);

    config.mdns.responder = job->serve->options.mdns;
    if (done && job->message.verb == SERVE_CONNECT)
        done = connect_phone(job, &config.discover, err);
    else if (done && job->message.verb == SERVE_PAIR)
        done = pair_by_code(job, &config.discover, err);
    else if (done)
        done = pair_by_qr(job, &config.discover, err);
    discover_config_release(&config);
    phone_finder_hurry(job->serve->finder);
    return done;
}

static void work(void *context)
{
    struct serve_job *job = context;
    struct err err;
    bool done = job->message.verb == SERVE_START_PHONE ? start_phone(job, &err)
                                                       : use_network(job, &err);

    if (!done)
        serve_answer_error(job->serve, job->client, job->message.id, &err);
    free(job);
}

bool serve_start_job(struct serve *serve, uint64_t client,
                     const struct serve_message *message, struct err *err)
{
    struct serve_job *job = mem_new(1, sizeof(*job));

    *job = (struct serve_job){
        .serve = serve, .client = client, .message = *message};
    job->message.own_text = NULL; /* these messages have none */
    job->message.command.text = NULL;
    if (thread_group_start(&serve->jobs, work, job))
        return true;
    free(job);
    return err_set(err, ERR_LIMIT,
                   "too many requests are running: try again later");
}
