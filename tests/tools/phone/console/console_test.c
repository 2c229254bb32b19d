/* The console, as a client on a socket sees it. */
#include "tools/phone/console/console.h"

#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "base/file.h"
#include "tools/phone/console/console_server.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)
#define TOKEN "0123456789abcdef"

struct fixture {
    struct phone *phone;
    char directory[64];
    char token_path[96];
    atomic_bool killed;
};

static void note_kill(void *context)
{
    struct fixture *fixture = context;

    fixture->killed = true;
}

static int switch_on(void **state)
{
    static struct fixture fixture;
    struct phone_options options = {
        .console = true, .kill = note_kill, .kill_context = &fixture};
    struct err err = ERR_INIT;

    snprintf(fixture.directory, sizeof(fixture.directory), "%s",
             "/tmp/proctor-console.XXXXXX");
    if (!mkdtemp(fixture.directory))
        return -1;
    snprintf(fixture.token_path, sizeof(fixture.token_path), "%s/token",
             fixture.directory);
    fixture.killed = false;
    if (!file_save(fixture.token_path, 0600, TOKEN "\n", sizeof(TOKEN), &err))
        return -1;
    options.console_token = fixture.token_path;
    *state = &fixture;
    if (phone_start(&options, &fixture.phone, &err))
        return 0;
    print_error("%s\n", err.text);
    return -1;
}

static int switch_off(void **state)
{
    struct fixture *fixture = *state;

    phone_stop(fixture->phone);
    unlink(fixture->token_path);
    return rmdir(fixture->directory);
}

/* ---- clients ---- */

static int connect_to(const struct fixture *fixture)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(phone_console_port(fixture->phone)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)),
                     0);
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* Read up to a line with OK or KO, or to the end. */
static const char *receive(int fd, struct buf *received)
{
    buf_clear(received);
    for (;;) {
        struct pollfd polled = {.fd = fd, .events = POLLIN};
        const char *last;
        char bytes[4096];
        ssize_t got;

        assert_int_equal(poll(&polled, 1, 20000), 1);
        got = recv(fd, bytes, sizeof(bytes), 0);
        if (got <= 0)
            return buf_cstr(received);
        buf_append(received, bytes, (size_t)got);
        if (received->length < 2 ||
            received->data[received->length - 1] != '\n')
            continue;
        received->data[received->length - 1] = '\0';
        last = strrchr(received->data, '\n');
        last = last ? last + 1 : received->data;
        received->data[received->length - 1] = '\n';
        if (!strncmp(last, "OK", 2) || !strncmp(last, "KO", 2))
            return buf_cstr(received);
    }
}

static bool is_closed(int fd)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    char byte;

    assert_int_equal(poll(&polled, 1, 20000), 1);
    return recv(fd, &byte, 1, 0) <= 0;
}

static void assert_answer(int fd, const char *line, const char *expected)
{
    struct buf received = BUF_INIT((size_t)1 << 20);

    say(fd, line);
    say(fd, "\r\n");
    assert_string_equal(receive(fd, &received), expected);
    buf_release(&received);
}

static void assert_answer_has(int fd, const char *line, const char *part)
{
    struct buf received = BUF_INIT((size_t)1 << 20);

    say(fd, line);
    say(fd, "\n");
    if (!strstr(receive(fd, &received), part))
        fail_msg("%s: \"%s\" without \"%s\"", line, buf_cstr(&received), part);
    buf_release(&received);
}

/* An authenticated client. */
static int come_in(const struct fixture *fixture)
{
    struct buf received = BUF_INIT((size_t)1 << 20);
    int fd = connect_to(fixture);

    (void)receive(fd, &received);
    buf_release(&received);
    assert_answer(fd, "auth " TOKEN,
                  "Android Console: type 'help' for a list of commands\r\n"
                  "OK\r\n");
    return fd;
}

/* ---- tokens ---- */

static void commands_need_the_token(void **state)
{
    struct fixture *fixture = *state;
    struct buf received = BUF_INIT((size_t)1 << 20);
    int fd = connect_to(fixture);
    char greeting[512];

    snprintf(greeting, sizeof(greeting),
             "Android Console: Authentication required\r\n"
             "Android Console: type 'auth <auth_token>' to authenticate\r\n"
             "Android Console: you can find your <auth_token> in \r\n"
             "'%s'\r\nOK\r\n",
             fixture->token_path);
    assert_string_equal(receive(fd, &received), greeting);
    assert_answer(fd, "ping", "I am alive!\r\nOK\r\n");
    assert_answer(fd, "rotate", "KO: unknown command, try 'help'\r\n");
    assert_answer(fd, "kill", "KO: unknown command, try 'help'\r\n");
    assert_answer_has(fd, "auth 0123456789abcdeX",
                      "KO: authentication token does not match");
    assert_answer_has(fd, "auth", "KO: authentication token does not match");
    assert_answer_has(fd, "auth 0123456789abcdef0123", "KO: ");
    assert_false(fixture->killed);
    assert_answer_has(fd, "auth " TOKEN, "OK");
    assert_answer(fd, "rotate", "OK\r\n");
    close(fd);
    buf_release(&received);
}

static void wrong_tokens_disconnect_the_client(void **state)
{
    struct buf received = BUF_INIT((size_t)1 << 20);
    int fd = connect_to(*state);

    (void)receive(fd, &received);
    for (int i = 0; i < CONSOLE_TRIES_MAX; i++)
        assert_answer_has(fd, "auth guess", "KO: ");
    assert_true(is_closed(fd));
    close(fd);
    buf_release(&received);
}

static void token_file_is_readable_only_by_the_user(void **state)
{
    struct fixture *fixture = *state;
    struct phone_console console = {.handset = NULL};
    struct phone_console again = {.handset = NULL};
    struct err err = ERR_INIT;
    struct stat facts;
    char path[128];

    snprintf(path, sizeof(path), "%s/new", fixture->directory);
    assert_true(console_read_token(&console, path, &err));
    assert_int_equal(strlen(console.token.text), 16);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    assert_true(console_read_token(&again, path, &err));
    assert_string_equal(console.token.text, again.token.text);
    assert_int_equal(chmod(path, 0644), 0);
    assert_false(console_read_token(&again, path, &err));
    assert_int_equal(err.code, ERR_INVALID);
    unlink(path);
}

static void empty_token_needs_no_authentication(void **state)
{
    const struct phone_console console = {.handset = NULL};
    struct console_session session = {.trusted = false};
    struct buf reply = BUF_INIT(4096);

    (void)state;
    console_greet(&console, &session, &reply);
    assert_string_equal(buf_cstr(&reply),
                        "Android Console: type 'help' for a list of commands"
                        "\r\nOK\r\n");
    assert_true(session.trusted);
    buf_release(&reply);
}

/* ---- commands ---- */

static void commands_answer_as_the_emulators_do(void **state)
{
    static const struct {
        const char *line;
        const char *answer;
    } cases[] = {
        {"avd name", "proctor\r\nOK\r\n"},
        {"avd status", "virtual device is running\r\nOK\r\n"},
        {"  ping  ", "I am alive!\r\nOK\r\n"},
        {"dance", "KO: unknown command, try 'help'\r\n"},
        {"power capacity 30", "OK\r\n"},
        {"power capacity 101", "KO: Usage: \"capacity <percentage>\"\r\n"},
        {"power ac on", "OK\r\n"},
        {"power ac maybe", "KO: Usage: \"ac on\" or \"ac off\"\r\n"},
        {"power status full", "OK\r\n"},
        {"power display", "AC: online\r\nstatus: Full\r\nhealth: Good\r\n"
                          "present: true\r\ncapacity: 30\r\nOK\r\n"},
        {"geo fix 8.5 47.4", "OK\r\n"},
        {"geo fix 8.5", "KO: not enough arguments: see 'help geo fix' for "
                        "details\r\n"},
        {"geo fix here there", "KO: argument 'here' is not a number\r\n"},
        {"network speed edge", "OK\r\n"},
        {"network delay 7:9", "OK\r\n"},
        {"network status",
         "Current network status:\r\n"
         "  download speed:     473600 bits/s (59.2 KB/s)\r\n"
         "  upload speed:       473600 bits/s (59.2 KB/s)\r\n"
         "  minimum latency:  7 ms\r\n  maximum latency:  9 ms\r\nOK\r\n"},
        {"fault list", "1 delay:ms=7 (struck 0 times)\r\nOK\r\n"},
        {"network delay none", "OK\r\n"},
        {"fault list", "OK\r\n"},
        {"fault add explode", "KO: no fault \"explode\": there are drop, cut, "
                              "stall, delay, offline, png, dump, swallow, "
                              "slow, rotate, popup, permission, battery, "
                              "call and update\r\n"},
        {"fault add drop:service=sync;cut:after=9", "OK\r\n"},
        {"fault del 2", "OK\r\n"},
        {"fault del 2", "KO: there is no fault '2'\r\n"},
        {"fault list", "3 cut:after=9 (struck 0 times)\r\nOK\r\n"},
        {"fault clear", "OK\r\n"},
        {"fault log", "OK\r\n"},
        {"time now", "2025-01-06 09:00:00.000 UTC, up 3600000 ms, virtual\r\n"
                     "OK\r\n"},
        {"time advance 1500", "OK\r\n"},
        {"time now", "2025-01-06 09:00:01.500 UTC, up 3601500 ms, virtual\r\n"
                     "OK\r\n"},
        {"time advance -1", "KO: Usage: \"time advance <milliseconds>\"\r\n"},
        {"event codes EV_SYN", "type 'EV_SYN' accepts the following <code> "
                               "aliases:\r\n    SYN_REPORT\r\nOK\r\n"},
        {"event send", "KO: Usage: event send <type>:<code>:<value> ...\r\n"},
        {"event send EV_KEY:KEY_NONE:1",
         "KO: invalid event code in 'KEY_NONE', try 'event codes <type>' for "
         "valid values\r\n"},
        {"event send EV_KEY:KEY_BACK:1 EV_KEY:KEY_BACK:0 EV_SYN:0:0", "OK\r\n"},
        {"event text hello", "OK\r\n"},
    };
    int fd = come_in(*state);

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_answer(fd, cases[i].line, cases[i].answer);
    assert_answer_has(fd, "help", "    avd  ");
    assert_answer_has(fd, "help power", "power capacity");
    assert_answer_has(fd, "power", "KO: missing sub-command");
    assert_answer_has(fd, "power up", "KO:  bad sub-command");
    assert_answer_has(fd, "avd snapshot", "KO: missing sub-command");
    assert_answer_has(fd, "event types", "    EV_KEY\r\n");
    close(fd);
}

static void snapshots_are_kept_by_name(void **state)
{
    int fd = come_in(*state);

    assert_answer(fd, "avd snapshot list",
                  "There is no snapshot available.\r\nOK\r\n");
    assert_answer(fd, "avd snapshot save one", "OK\r\n");
    assert_answer(fd, "time advance 60000", "OK\r\n");
    assert_answer(fd, "avd snapshot load one", "OK\r\n");
    assert_answer_has(fd, "time now", "09:00:00.000");
    assert_answer_has(fd, "avd snapshot list", "--        one ");
    assert_answer(fd, "avd snapshot load two",
                  "KO: there is no snapshot \"two\"\r\n");
    assert_answer(fd, "avd snapshot save ../one",
                  "KO: \"../one\" is no name of a snapshot\r\n");
    assert_answer(fd, "avd snapshot del one", "OK\r\n");
    assert_answer(fd, "avd snapshot del one",
                  "KO: there is no snapshot \"one\"\r\n");
    close(fd);
}

static void effects_of_the_console_are_visible_over_adb(void **state)
{
    struct fixture *fixture = *state;
    const struct device_options options = {.log = NULL};
    struct device *device = NULL;
    struct buf out = BUF_INIT(4096);
    struct err err = ERR_INIT;
    int fd = come_in(fixture);

    assert_true(device_open_tcp("127.0.0.1", phone_port(fixture->phone),
                                &options, SOON, &device, &err));
    assert_answer(fd, "fault add cut:service=exec:echo,after=2", "OK\r\n");
    assert_true(shell_exec(device, "echo hello", SOON, &out, &err));
    assert_string_equal(buf_cstr(&out), "he");
    assert_answer_has(fd, "fault log", "at exec:echo hello\r\n");
    device_close(device);
    buf_release(&out);
    close(fd);
}

static void quit_closes_the_session_and_kill_stops_the_phone(void **state)
{
    struct fixture *fixture = *state;
    int fd = come_in(fixture);

    say(fd, "quit\r\nrotate\r\n");
    assert_true(is_closed(fd));
    close(fd);
    assert_false(fixture->killed);
    fd = come_in(fixture);
    assert_answer(fd, "kill", "OK: killing emulator, bye bye\r\n");
    assert_true(is_closed(fd));
    assert_true(fixture->killed);
    close(fd);
}

/* ---- clients that misbehave ---- */

static void endless_line_disconnects_the_client(void **state)
{
    struct buf received = BUF_INIT((size_t)1 << 20);
    int fd = come_in(*state);
    char line[CONSOLE_LINE_MAX];

    memset(line, 'x', sizeof(line));
    assert_int_equal(send(fd, line, sizeof(line), MSG_NOSIGNAL), sizeof(line));
    assert_string_equal(receive(fd, &received), "KO: line too long\r\n");
    assert_true(is_closed(fd));
    close(fd);
    buf_release(&received);
}

static void several_lines_at_once_are_all_answered(void **state)
{
    struct buf received = BUF_INIT((size_t)1 << 20);
    int fd = come_in(*state);

    say(fd, "ping\nping\n\nrotate");
    while (received.length < strlen("I am alive!\r\nOK\r\n") * 2) {
        char bytes[64];
        ssize_t got = recv(fd, bytes, sizeof(bytes), 0);

        assert_true(got > 0);
        buf_append(&received, bytes, (size_t)got);
    }
    assert_string_equal(buf_cstr(&received),
                        "I am alive!\r\nOK\r\nI am alive!\r\nOK\r\n");
    assert_answer(fd, "", "OK\r\n");
    close(fd);
    buf_release(&received);
}

/* Unauthenticated clients that stall are disconnected, others stay. */
static void stalled_clients_do_not_block_others(void **state)
{
    int unknown[3 * CONSOLE_SERVER_CLIENTS];
    int known = come_in(*state);
    int fd;

    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
        unknown[i] = connect_to(*state);
        say(unknown[i], "pi");
    }
    fd = come_in(*state);
    assert_answer(fd, "ping", "I am alive!\r\nOK\r\n");
    assert_answer(known, "ping", "I am alive!\r\nOK\r\n");
    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
        close(unknown[i]);
    close(known);
    close(fd);
}

/* Its answers wait for it, but no other client does. */
static void client_that_does_not_read_blocks_no_other(void **state)
{
    static const char lines[] = "help\nhelp\nhelp\nhelp\nhelp\nhelp\nhelp\n";
    int deaf = come_in(*state);
    int fd = come_in(*state);

    while (send(deaf, lines, sizeof(lines) - 1, MSG_NOSIGNAL | MSG_DONTWAIT) >
           0)
        continue;
    assert_answer(fd, "ping", "I am alive!\r\nOK\r\n");
    close(deaf);
    close(fd);
}

#define console_test(test)                                                     \
    cmocka_unit_test_setup_teardown(test, switch_on, switch_off)

int main(void)
{
    const struct CMUnitTest tests[] = {
        console_test(commands_need_the_token),
        console_test(wrong_tokens_disconnect_the_client),
        console_test(token_file_is_readable_only_by_the_user),
        console_test(empty_token_needs_no_authentication),
        console_test(commands_answer_as_the_emulators_do),
        console_test(snapshots_are_kept_by_name),
        console_test(effects_of_the_console_are_visible_over_adb),
        console_test(quit_closes_the_session_and_kill_stops_the_phone),
        console_test(endless_line_disconnects_the_client),
        console_test(several_lines_at_once_are_all_answered),
        console_test(stalled_clients_do_not_block_others),
        console_test(client_that_does_not_read_blocks_no_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
