#include "adb/services/local_endpoint.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"

static struct local_endpoint parsed(const char *text)
{
    struct local_endpoint endpoint;
    struct err err = ERR_INIT;

    if (!local_endpoint_parse(text, &endpoint, &err))
        fail_msg("%s", err.text);
    return endpoint;
}

static void each_form_is_parsed_and_formatted(void **state)
{
    static const char *const forms[] = {
        "tcp:0",          "tcp:8080",        "tcp:example.org:80",
        "tcp:[::1]:5000", "localabstract:x", "localfilesystem:/tmp/x",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        struct local_endpoint endpoint = parsed(forms[i]);
        struct buf text = BUF_INIT(512);

        local_endpoint_format(&endpoint, &text);
        assert_string_equal(buf_cstr(&text), forms[i]);
        buf_release(&text);
    }
}

static void invalid_text_is_refused_with_the_valid_forms(void **state)
{
    static const char *const nonsense[] = {
        "",           "8080",           "tcp:",
        "tcp:65536",  "tcp:80x",        "tcp:-1",
        "tcp:host",   "tcp:host:0",     "localabstract:",
        "unix:/tmp/", "localreserved:", "localfilesystem:",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(nonsense); i++) {
        struct local_endpoint endpoint;
        struct err err = ERR_INIT;

        assert_false(local_endpoint_parse(nonsense[i], &endpoint, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.text, "tcp:PORT"));
    }
}

static void a_name_longer_than_a_socket_address_is_refused(void **state)
{
    char text[200] = "localabstract:";
    struct local_endpoint endpoint;
    struct err err = ERR_INIT;

    (void)state;
    memset(text + strlen(text), 'x', LOCAL_ENDPOINT_NAME_MAX);
    assert_false(local_endpoint_parse(text, &endpoint, &err));
    text[strlen("localabstract:") + LOCAL_ENDPOINT_NAME_MAX - 1] = '\0';
    assert_true(local_endpoint_parse(text, &endpoint, &err));
}

static void listening_beyond_the_loopback_is_refused(void **state)
{
    static const char *const open_ends[] = {"tcp:0.0.0.0:5000", "tcp:[::]:5000",
                                            "tcp:192.168.1.2:5000",
                                            "tcp:example.org:5000"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(open_ends); i++) {
        struct local_endpoint endpoint = parsed(open_ends[i]);
        struct err err = ERR_INIT;
        int listener;

        assert_false(local_endpoint_listen(&endpoint, &listener, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
}

/* Listen on text, connect to it, and transfer one byte. */
static void carry_a_byte(const char *text)
{
    struct local_endpoint endpoint = parsed(text);
    struct err err = ERR_INIT;
    struct pollfd ready;
    char byte = 0;
    int listener;
    int ours = -1;
    int theirs;

    if (!local_endpoint_listen(&endpoint, &listener, &err) ||
        !local_endpoint_connect(&endpoint, NULL, deadline_in_ms(60000), &ours,
                                &err))
        fail_msg("%s", err.text);
    ready = (struct pollfd){.fd = listener, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 60000), 1);
    theirs = accept(listener, NULL, NULL);
    assert_true(theirs >= 0);
    assert_int_equal(write(ours, "x", 1), 1);
    assert_int_equal(read(theirs, &byte, 1), 1);
    assert_int_equal(byte, 'x');
    close(ours);
    close(theirs);
    local_endpoint_unlisten(&endpoint, listener);
}

static void every_kind_transfers_data(void **state)
{
    char directory[] = "/tmp/endpoint.XXXXXX";
    char path[64];
    char text[128];

    (void)state;
    carry_a_byte("tcp:0");
    snprintf(text, sizeof(text), "localabstract:proctor-test-%ld",
             (long)getpid());
    carry_a_byte(text);
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof(path), "%s/socket", directory);
    snprintf(text, sizeof(text), "localfilesystem:%s", path);
    carry_a_byte(text);
    assert_int_equal(access(path, F_OK), -1);
    rmdir(directory);
}

static void socket_file_is_replaced_only_if_unused(void **state)
{
    char directory[] = "/tmp/endpoint.XXXXXX";
    char text[128];
    struct local_endpoint endpoint;
    struct err err = ERR_INIT;
    int first;
    int second;

    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(text, sizeof(text), "localfilesystem:%s/socket", directory);
    endpoint = parsed(text);
    assert_true(local_endpoint_listen(&endpoint, &first, &err));
    assert_false(local_endpoint_listen(&endpoint, &second, &err));
    assert_int_equal(err.code, ERR_IO);
    close(first); /* and the file stays, as after a crash */
    assert_true(local_endpoint_listen(&endpoint, &second, &err));
    local_endpoint_unlisten(&endpoint, second);
    rmdir(directory);
}

static void a_file_that_is_no_socket_is_kept(void **state)
{
    char path[] = "/tmp/endpoint.XXXXXX";
    char text[64];
    struct local_endpoint endpoint;
    struct err err = ERR_INIT;
    int file = mkstemp(path);
    int listener;

    (void)state;
    assert_true(file >= 0);
    snprintf(text, sizeof(text), "localfilesystem:%s", path);
    endpoint = parsed(text);
    assert_false(local_endpoint_listen(&endpoint, &listener, &err));
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
    close(file);
}

static void a_port_in_use_is_named(void **state)
{
    struct local_endpoint first = parsed("tcp:0");
    struct local_endpoint second;
    struct err err = ERR_INIT;
    char port[16];
    int listener;
    int other;

    (void)state;
    assert_true(local_endpoint_listen(&first, &listener, &err));
    second = first;
    assert_false(local_endpoint_listen(&second, &other, &err));
    snprintf(port, sizeof(port), "tcp:%u", (unsigned)first.port);
    assert_non_null(strstr(err.text, port));
    local_endpoint_unlisten(&first, listener);
}

static void endpoint_without_a_listener_is_unreachable(void **state)
{
    struct local_endpoint endpoint = parsed("localabstract:proctor-missing");
    struct err err = ERR_INIT;
    int fd;

    (void)state;
    assert_false(local_endpoint_connect(&endpoint, NULL, deadline_in_ms(60000),
                                        &fd, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_is_parsed_and_formatted),
        cmocka_unit_test(invalid_text_is_refused_with_the_valid_forms),
        cmocka_unit_test(a_name_longer_than_a_socket_address_is_refused),
        cmocka_unit_test(listening_beyond_the_loopback_is_refused),
        cmocka_unit_test(every_kind_transfers_data),
        cmocka_unit_test(socket_file_is_replaced_only_if_unused),
        cmocka_unit_test(a_file_that_is_no_socket_is_kept),
        cmocka_unit_test(a_port_in_use_is_named),
        cmocka_unit_test(endpoint_without_a_listener_is_unreachable),
    };

    return cmocka_run_group_tests_name("endpoint", tests, NULL, NULL);
}
