#include "tools/phone/truths/truth_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#define ANSWER_MAX 4096

struct fixture {
    struct truth_log truth;
    char directory[32];
    char path[48];
};

static int set_up(void **state)
{
    static struct fixture here;

    truth_log_init(&here.truth);
    snprintf(here.directory, sizeof(here.directory), "/tmp/truth-XXXXXX");
    assert_non_null(mkdtemp(here.directory));
    snprintf(here.path, sizeof(here.path), "%s/socket", here.directory);
    *state = &here;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *here = *state;

    truth_log_release(&here->truth);
    return rmdir(here->directory);
}

static struct truth_server *serve(struct fixture *here, const char *where)
{
    struct truth_server *server = NULL;
    struct err err = ERR_INIT;

    if (!truth_server_start(&here->truth, where, &server, &err))
        fail_msg("%s", err.text);
    return server;
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)),
                     0);
    return fd;
}

/* Send a request, and read until the expected end of the answer. */
static void expect(int fd, const char *question, const char *answer)
{
    char text[ANSWER_MAX] = "";
    size_t length = 0;

    assert_int_equal(send(fd, question, strlen(question), 0), strlen(question));
    while (length < strlen(answer)) {
        ssize_t some = recv(fd, text + length, sizeof(text) - 1 - length, 0);

        assert_true(some > 0);
        length += (size_t)some;
    }
    assert_string_equal(text, answer);
}

static void tell_some(struct truth_log *truth)
{
    truth_log_event(truth, 1500000000, "shop", "sort", "[\"price\"]");
    truth_log_event(truth, 2500000000, "clock", "alarm_on", "[3]");
    truth_log_state(truth, "shop", "{\"cart\":[]}");
    truth_log_state(truth, "clock", "{\"n\":1}");
}

static void client_gets_events_and_state(void **state)
{
    struct fixture *here = *state;
    struct truth_server *server = serve(here, here->path);
    int fd = connect_to(here->path);

    expect(fd, "state\n", "{}\n");
    expect(fd, "events 1\n", "\n");
    tell_some(&here->truth);
    expect(fd, "state\n", "{\"clock\":{\"n\":1},\"shop\":{\"cart\":[]}}\n");
    expect(fd, "events 2\n",
           "{\"number\":2,\"time\":2500,\"event\":\"clock.alarm_on\","
           "\"args\":[3]}\n\n");
    truth_log_state(&here->truth, "clock", NULL);
    expect(fd, "state\nevents 9\n", "{\"shop\":{\"cart\":[]}}\n\n");
    close(fd);
    truth_server_stop(server);
}

static void socket_is_accessible_only_to_the_user(void **state)
{
    struct fixture *here = *state;
    struct truth_server *server = serve(here, here->path);
    struct stat facts;

    assert_int_equal(stat(here->path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    truth_server_stop(server);
    assert_int_not_equal(access(here->path, F_OK), 0);
}

static void connected_descriptor_is_served(void **state)
{
    struct fixture *here = *state;
    struct truth_server *server;
    char where[24];
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    snprintf(where, sizeof(where), "fd:%d", fds[1]);
    server = serve(here, where);
    expect(fds[0], "state\n", "{}\n");
    truth_server_stop(server);
    assert_int_equal(recv(fds[0], where, sizeof(where), 0), 0);
    close(fds[0]);
}

static void unknown_request_disconnects_the_client(void **state)
{
    static const char *const questions[] = {
        "hello\n",
        "events\n",
        "events x\n",
        "\n",
        "0123456789012345678901234567890123456789012345678901234567890123456",
    };
    struct fixture *here = *state;
    struct truth_server *server = serve(here, here->path);

    for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
        int fd = connect_to(here->path);
        char byte;

        assert_true(send(fd, questions[i], strlen(questions[i]), 0) > 0);
        assert_true(recv(fd, &byte, 1, 0) <= 0);
        close(fd);
    }
    truth_server_stop(server);
}

static void invalid_addresses_are_refused(void **state)
{
    static const char *const places[] = {"fd:x", "fd:", "fd:9999",
                                         "/nowhere/at/all"};
    struct fixture *here = *state;

    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct truth_server *server = NULL;
        struct err err = ERR_INIT;

        assert_false(
            truth_server_start(&here->truth, places[i], &server, &err));
        assert_string_not_equal(err.text, "");
    }
}

static void oldest_events_are_dropped(void **state)
{
    struct fixture *here = *state;
    struct buf text = BUF_INIT(TRUTH_LOG_EVENTS_MAX);
    char *arguments = malloc(100001);

    assert_non_null(arguments);
    memset(arguments, ' ', 100000);
    memcpy(arguments, "[]", 2);
    arguments[100000] = '\0';
    for (int i = 0; i < 100; i++)
        truth_log_event(&here->truth, 0, "shop", "open", arguments);
    truth_log_print_events(&here->truth, 0, &text);
    assert_false(text.overflow);
    assert_null(strstr(buf_cstr(&text), "\"number\":1,"));
    assert_non_null(strstr(buf_cstr(&text), "\"number\":100,"));
    buf_clear(&text);
    truth_log_print_events(&here->truth, 100, &text);
    assert_int_equal(strncmp(buf_cstr(&text), "{\"number\":100,", 14), 0);
    buf_release(&text);
    free(arguments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(client_gets_events_and_state, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(socket_is_accessible_only_to_the_user,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(connected_descriptor_is_served, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(unknown_request_disconnects_the_client,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(invalid_addresses_are_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(oldest_events_are_dropped, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
