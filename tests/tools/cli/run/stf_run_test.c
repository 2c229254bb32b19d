/*
 * Runs on phones of an STF: a server that follows its published API (swagger
 * api_v1), with built-in phones behind it.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "tests/support/model_server.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tools/phone/phone.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define PHONES 3

/* What the server does instead of what STF does. */
enum behaviour {
    BEHAVES,
    STALLS,      /* it never answers a reservation */
    SAYS_HTML,   /* it is another server */
    SAYS_LARGE,  /* a list without an end */
    SAYS_DEEP,   /* brackets alone */
    BAD_ADDRESS, /* its address for ADB is none */
    NO_PHONE,    /* no phone is at its address for ADB */
    REFUSES,     /* another user was faster */
};

struct stf {
    struct model_server *server;
    struct phone *phones[PHONES];
    pthread_mutex_t lock; /* guards all below */
    enum behaviour behaviour;
    bool reserved[PHONES];
    bool connected[PHONES];
    int64_t idle_ms; /* of the last reservation */
    int reservations;
    int releases;
};

static struct stf stf;

static const char *const serials[PHONES] = {"R3CN80XYZ", "192.168.1.4:5555",
                                            "emulator-5554"};

/* ---- the server ---- */

PRINTF_LIKE(1, 2) static char *say(const char *format, ...)
{
    char *text = mem_new(4096, 1);
    va_list values;

    va_start(values, format);
    vsnprintf(text, 4096, format, values);
    va_end(values);
    return text;
}

static char *list_phones(void)
{
    struct buf text = BUF_INIT(65536);
    char *made;

    buf_text(&text,
             "{\"success\":true,\"devices\":["
             "{\"serial\":\"absent\",\"present\":false,\"ready\":false},"
             "{\"serial\":\"../../user\",\"present\":true,\"ready\":true},"
             "{\"serial\":7},{},"
             "{\"serial\":\"hers\",\"present\":true,\"ready\":true,"
             "\"using\":false,\"owner\":{\"email\":\"a@b\"}}");
    for (size_t i = 0; i < PHONES; i++)
        buf_printf(&text,
                   ",{\"serial\":\"%s\",\"present\":true,\"ready\":true,"
                   "\"using\":%s,\"owner\":null}",
                   serials[i], stf.reserved[i] ? "true" : "false");
    buf_text(&text, "]}");
    made = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return made;
}

static size_t find_phone(const char *name, size_t length)
{
    for (size_t i = 0; i < PHONES; i++) {
        if (strlen(serials[i]) == length && !memcmp(serials[i], name, length))
            return i;
    }
    return PHONES;
}

static unsigned reserve(const struct model_question *question, char **body)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_ROOT(NULL);
    const char *serial = "";
    struct err err = ERR_INIT;
    size_t at;

    if (!json_parse(question->body, question->size, &tree, &err))
        return 400;
    root.value = tree;
    if (!json_get_string(&root, "serial", &serial, &err) ||
        !json_get_int(&root, "timeout", 0, JSON_INT_MAX, &stf.idle_ms, &err))
        serial = "";
    at = find_phone(serial, strlen(serial));
    cJSON_Delete(tree);
    if (at == PHONES)
        return 404;
    if (stf.reserved[at] || stf.behaviour == REFUSES) {
        *body = say("{\"success\":false,\"description\":\"Device is being used "
                    "or not available\\u001b[2J\"}");
        return 403;
    }
    stf.reserved[at] = true;
    stf.reservations++;
    return 200;
}

static unsigned connect_phone(size_t at, char **body)
{
    stf.connected[at] = true;
    if (stf.behaviour == BAD_ADDRESS)
        *body = say("{\"success\":true,\"remoteConnectUrl\":\"$(reboot)\"}");
    else
        *body = say("{\"success\":true,\"remoteConnectUrl\":\"127.0.0.1:%u\"}",
                    stf.behaviour == NO_PHONE
                        ? 1U
                        : (unsigned)phone_port(stf.phones[at]));
    return 200;
}

static unsigned use_phone(const struct model_question *question,
                          const char *name, char **body)
{
    size_t length = strcspn(name, "/");
    size_t at = find_phone(name, length);
    bool is_delete = !strcmp(question->method, "DELETE");

    if (at == PHONES)
        return 404;
    if (!stf.reserved[at])
        return 403;
    if (!strcmp(name + length, "/remoteConnect")) {
        if (!is_delete)
            return connect_phone(at, body);
        stf.connected[at] = false;
        return 200;
    }
    if (is_delete) {
        stf.reserved[at] = false;
        stf.releases++;
    }
    return 200;
}

static unsigned serve(const struct model_question *question,
                      struct model_answer *answer)
{
    static const char phones[] = "/api/v1/user/devices";
    const char *authorization =
        model_question_header(question, "Authorization");
    const char *path = question->path;

    if (stf.behaviour == SAYS_HTML) {
        answer->body = say("<html>welcome</html>");
        return 200;
    }
    if (!authorization || strcmp(authorization, "Bearer " TOKEN) != 0)
        return 401;
    if (!strcmp(path, "/api/v1/devices")) {
        answer->body = stf.behaviour == SAYS_LARGE  ? say("[1,2,3,4,5,6,7,8]")
                       : stf.behaviour == SAYS_DEEP ? say("[[[[[[[[[[[[[[[[[[")
                                                    : list_phones();
        answer->repeated = stf.behaviour == SAYS_LARGE  ? UINT64_MAX
                           : stf.behaviour == SAYS_DEEP ? 100
                                                        : 0;
        return 200;
    }
    if (!strcmp(path, phones) && !strcmp(question->method, "POST")) {
        answer->stalls = stf.behaviour == STALLS;
        answer->cut = answer->stalls;
        return reserve(question, &answer->body);
    }
    if (!strncmp(path, phones, strlen(phones)) && path[strlen(phones)] == '/')
        return use_phone(question, path + strlen(phones) + 1, &answer->body);
    return 404;
}

static void answer(void *context, const struct model_question *question,
                   struct model_answer *reply)
{
    (void)context;
    pthread_mutex_lock(&stf.lock);
    reply->status = serve(question, reply);
    if (!reply->body)
        reply->body = say("{\"success\":%s,\"description\":\"as asked\"}",
                          reply->status == 200 ? "true" : "false");
    pthread_mutex_unlock(&stf.lock);
}

/* ---- the tests ---- */

static const char suite[] =
    "{\"name\": \"looks\", \"tasks\": [{\"id\": \"look\", \"kind\": \"state\","
    " \"app\": \"com.android.settings\", \"needs\": [\"it was seen\"],"
    " \"instruction\": {\"en\": \"Look.\"}}]}";

static const char slow_agent[] = "while read -r line; do\n"
                                 "    until test -e go; do sleep 0.05; done\n"
                                 "    echo complete\n"
                                 "done\n";

static int enter(void **state)
{
    const struct phone_options options = {.realtime = true};
    struct err err = ERR_INIT;
    char url[64];

    if (scratch_folder_enter(state))
        return -1;
    pthread_mutex_init(&stf.lock, NULL);
    for (size_t i = 0; i < PHONES; i++) {
        if (!phone_start(&options, &stf.phones[i], &err))
            return -1;
    }
    stf.server = model_server_start(answer, NULL);
    snprintf(url, sizeof(url), "stf:http://127.0.0.1:%u",
             (unsigned)model_server_port(stf.server));
    setenv("STF", url, 1);
    command_run_save("looks.json", suite);
    command_run_save("agent.sh", slow_agent);
    command_run_save("token", TOKEN "\n");
    return 0;
}

static int leave(void **state)
{
    model_server_stop(stf.server);
    for (size_t i = 0; i < PHONES; i++)
        phone_stop(stf.phones[i]);
    return scratch_folder_leave(state);
}

static void behave(enum behaviour behaviour)
{
    pthread_mutex_lock(&stf.lock);
    stf.behaviour = behaviour;
    for (size_t i = 0; i < PHONES; i++)
        stf.reserved[i] = stf.connected[i] = false;
    stf.reservations = stf.releases = 0;
    pthread_mutex_unlock(&stf.lock);
}

static size_t reserved(void)
{
    size_t count = 0;

    pthread_mutex_lock(&stf.lock);
    for (size_t i = 0; i < PHONES; i++)
        count += stf.reserved[i];
    pthread_mutex_unlock(&stf.lock);
    return count;
}

#define BEGIN                                                                  \
    "rm -rf run go; unset PROCTOR_STF_TOKEN; export HOME=$PWD "                \
    "PROCTOR_STF_TOKEN_FILE=$PWD/token;"

#define RUN_LOOKS "proctor run looks.json --out run --agent nothing "

static void phones_are_reserved_for_a_run_and_given_back(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    behave(BEHAVES);
    RUN(&run, 0,
        BEGIN "set -e; export PROCTOR_STF_IDLE_SECONDS=90;" RUN_LOOKS
              "-k 4 --device $STF#2;"
              "grep -o '\"serial\":\"[^\"]*\"' run/run.json | sort;"
              "! grep -r " TOKEN " run;");
    SAYS(run.out, "\"serial\":\"192.168.1.4:5555\"\n\"serial\":\"R3CN80XYZ\"");
    assert_int_equal(stf.reservations, 2);
    assert_int_equal(stf.releases, 2);
    assert_int_equal(stf.idle_ms, 90000);
    assert_int_equal(reserved(), 0);
    assert_null(strstr(buf_cstr(&run.errors), TOKEN));
    command_run_release(&run);
}

static void phone_is_chosen_by_its_serial(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    behave(BEHAVES);
    RUN(&run, 0, BEGIN RUN_LOOKS "--device $STF#emulator-5554");
    SAYS(run.out, "emulator-5554");
    assert_int_equal(reserved(), 0);
    command_run_release(&run);
}

/* By a process beside it, which does not have the token where others see it. */
static void killed_program_gives_its_phones_back(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    for (int i = 0; i < 2; i++) {
        behave(BEHAVES);
        RUN(&run, 0,
            BEGIN "proctor run looks.json --out run --agent \"exec:sh "
                  "$PWD/agent.sh\" --device $STF#2 -k 2 >log 2>&1 & p=$!;"
                  "await test -d run/episodes/look/0/0/screens;"
                  "await test -d run/episodes/look/1/0/screens;"
                  "k=$(pgrep -P $p -f stf-releaser); test -n \"$k\" || exit 90;"
                  "tr '\\0' '\\n' </proc/$k/cmdline | grep " TOKEN
                  " && exit 91;"
                  "kill -9 $p; wait $p; touch go; exit 0");
        for (int tries = 0; reserved() && tries < 200; tries++)
            usleep(50000);
        assert_int_equal(reserved(), 0);
        assert_int_equal(stf.releases, 2);
        command_run_release(&run);
    }
}

/* It is at another port from now on. */
static void move_first_phone(void)
{
    const struct phone_options options = {.realtime = true};
    struct phone *before = stf.phones[0];
    struct err err = ERR_INIT;

    pthread_mutex_lock(&stf.lock);
    if (!phone_start(&options, &stf.phones[0], &err))
        fail_msg("%s", err.text);
    pthread_mutex_unlock(&stf.lock);
    phone_stop(before);
}

static void lost_connection_is_opened_at_the_new_address(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    behave(BEHAVES);
    RUN(&run, 0,
        BEGIN "proctor run looks.json --out run --agent \"exec:sh "
              "$PWD/agent.sh\" --device $STF >log 2>&1 & p=$!;"
              "await test -d run/episodes/look/0/0/screens; echo $p >pid");
    command_run_release(&run);
    move_first_phone();
    RUN(&run, 0,
        "touch go; await test ! -d /proc/$(cat pid); cat log run/results.jsonl "
        ">&2;"
        "grep -q '\"complete\"' run/results.jsonl");
    assert_int_equal(stf.reservations, 1);
    assert_int_equal(reserved(), 0);
    command_run_release(&run);
}

/* What a server may do, or what is missing: the end, and the message. */
static void troubles_are_reported_and_leave_no_reservation(void **state)
{
    static const struct {
        enum behaviour behaviour;
        const char *script;
        int status;
        const char *says;
    } cases[] = {
        {BEHAVES, "PROCTOR_STF_TOKEN=wrong " RUN_LOOKS "-s $STF", 1,
         "STF does not accept the token"},
        {BEHAVES, "PROCTOR_STF_TOKEN_FILE= " RUN_LOOKS "-s $STF", 2,
         "an STF needs a token"},
        {BEHAVES, "PROCTOR_STF_TOKEN_FILE=nowhere " RUN_LOOKS "-s $STF", 2,
         "PROCTOR_STF_TOKEN_FILE"},
        {BEHAVES, RUN_LOOKS "-s $STF#4", 1,
         "STF has 5 phones, 4 are ready, and 3 of these are free"},
        {BEHAVES, RUN_LOOKS "-s $STF#nothing-like-it", 2,
         "STF has no phone nothing-like-it"},
        {BEHAVES, RUN_LOOKS "-s stf:http://stf.example.org", 2,
         "only https keeps the token secret"},
        {BEHAVES, RUN_LOOKS "-s stf:ftp://127.0.0.1", 2,
         "is not the address of an STF"},
        {BEHAVES, RUN_LOOKS "-s stf:http://127.0.0.1:1", 1, "127.0.0.1:1"},
        {BEHAVES, RUN_LOOKS "-s stf:", 2, "write stf:URL, stf:URL#N"},
        {BEHAVES, RUN_LOOKS "-s $STF#0", 2, "write stf:URL, stf:URL#N"},
        {BEHAVES, RUN_LOOKS "-s $STF#a/b", 2, "write stf:URL, stf:URL#N"},
        {SAYS_HTML, RUN_LOOKS "-s $STF", 1, "this is not the API of an STF"},
        {SAYS_LARGE, RUN_LOOKS "-s $STF", 1, "larger than 16 MiB"},
        {SAYS_DEEP, RUN_LOOKS "-s $STF", 1, "this is not the API of an STF"},
        {REFUSES, RUN_LOOKS "-s $STF", 1,
         "Device is being used or not available?[2J"},
        {BAD_ADDRESS, RUN_LOOKS "-s $STF", 1, "the address that STF gives"},
        {NO_PHONE, RUN_LOOKS "-s $STF", 1, "where STF has R3CN80XYZ"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct command_run run = {.status = 0};
        char script[1024];

        behave(cases[i].behaviour);
        snprintf(script, sizeof(script),
                 "%s %s; s=$?; ! grep -r %s run "
                 ">&2 || exit 92; exit $s",
                 BEGIN, cases[i].script, TOKEN);
        RUN(&run, cases[i].status, script);
        SAYS(run.errors, cases[i].says);
        assert_null(strchr(buf_cstr(&run.errors), '\033'));
        assert_null(strstr(buf_cstr(&run.errors), TOKEN));
        assert_int_equal(reserved(), 0);
        command_run_release(&run);
    }
}

/* It answers a reservation after the time for it: it may be reserved. */
static void reservation_without_an_answer_is_ended(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    behave(STALLS);
    RUN(&run, 1, BEGIN RUN_LOOKS "-s $STF");
    SAYS(run.errors, "no reply in time");
    assert_int_equal(stf.releases, 1);
    assert_int_equal(reserved(), 0);
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phones_are_reserved_for_a_run_and_given_back),
        cmocka_unit_test(phone_is_chosen_by_its_serial),
        cmocka_unit_test(killed_program_gives_its_phones_back),
        cmocka_unit_test(lost_connection_is_opened_at_the_new_address),
        cmocka_unit_test(troubles_are_reported_and_leave_no_reservation),
        cmocka_unit_test(reservation_without_an_answer_is_ended),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
