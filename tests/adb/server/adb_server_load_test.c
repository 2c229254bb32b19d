/* Many, slow, silent and hostile clients of an adb server, and lost phones. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/adb_socket.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/loopback_server.h"
#include "tests/support/adb/send_all.h"

#define VERSION_REQUEST "000chost:version"
#define FLOOD_THREADS 8
#define FLOOD_REQUESTS 200

/* A service that notes when its stream has ended. */
static sem_t service_ended;

static void serve_until_end(void *context, struct stream *stream)
{
    struct err err;
    size_t got;
    char byte;

    (void)context;
    while (stream_read(stream, &byte, 1, DEADLINE_NEVER, &got, &err) && got)
        continue;
    sem_post(&service_ended);
}

static const struct loopback_answer answers[] = {
    {.service = "waits:", .serve = serve_until_end},
    LOOPBACK_SAYS("root:", "restarting adbd as root\n"),
};

static const struct loopback_device_options phone_options = {
    .answers = answers, .answer_count = ARRAY_LEN(answers)};

static int setup(void **state)
{
    static struct loopback_server phone;

    sem_init(&service_ended, 0, 0);
    loopback_server_start(&phone, &phone_options, "first", NULL);
    *state = &phone;
    return 0;
}

static int teardown(void **state)
{
    loopback_server_stop(*state);
    sem_destroy(&service_ended);
    return 0;
}

static void assert_serves(const struct loopback_server *phone)
{
    adb_socket_answers(phone->port, "host:version", "OKAY{0029}");
    adb_socket_answers(phone->port, "host:transport-any|say:hello",
                       "OKAYOKAYhello");
}

static void idle_clients_do_not_keep_others_out(void **state)
{
    const struct loopback_server *phone = *state;
    int idle[ADB_SERVER_CLIENTS_MAX + 10];
    char byte;

    for (size_t i = 0; i < ARRAY_LEN(idle); i++) {
        idle[i] = adb_socket_connect(phone->port);
        if (i == 300)
            assert_serves(phone);
    }
    assert_serves(phone);
    /* The oldest were disconnected, the newest can be used. */
    assert_int_equal(recv(idle[0], &byte, 1, 0), 0);
    adb_socket_request(idle[ARRAY_LEN(idle) - 1], "host:version");
    adb_socket_expect(idle[ARRAY_LEN(idle) - 1], "OKAY00040029");
    for (size_t i = 0; i < ARRAY_LEN(idle); i++)
        close(idle[i]);
    assert_serves(phone);
}

static void half_requests_hold_up_nobody(void **state)
{
    const struct loopback_server *phone = *state;
    int halves[sizeof(VERSION_REQUEST) - 1];

    for (size_t i = 0; i < ARRAY_LEN(halves); i++) {
        halves[i] = adb_socket_connect(phone->port);
        assert_true(send_all(halves[i], VERSION_REQUEST, i));
    }
    assert_serves(phone);
    for (size_t i = 0; i < ARRAY_LEN(halves); i++) {
        if (i % 2) {
            assert_true(send_all(halves[i], &VERSION_REQUEST[i],
                                 strlen(VERSION_REQUEST) - i));
            adb_socket_expect(halves[i], "OKAY00040029");
        }
        close(halves[i]);
    }
    assert_serves(phone);
}

static void invalid_requests_end_the_connection(void **state)
{
    static const char *const requests[] = {
        "0000", "zzzzhost:version", "GET / HTTP/1.1\r\n\r\n", "-001x", "    ",
    };
    const struct loopback_server *phone = *state;

    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        struct buf all = BUF_INIT(100);
        int fd = adb_socket_connect(phone->port);

        assert_true(send_all(fd, requests[i], strlen(requests[i])));
        adb_socket_read_end(fd, &all);
        assert_int_equal(all.length, 0);
        buf_release(&all);
        close(fd);
    }
    assert_serves(phone);
}

static void a_request_with_a_nul_is_refused(void **state)
{
    static const char request[] = "000ahost:\0sion";
    const struct loopback_server *phone = *state;
    struct buf all = BUF_INIT(100);
    int fd = adb_socket_connect(phone->port);

    assert_true(send_all(fd, request, 14));
    adb_socket_read_end(fd, &all);
    assert_string_equal(buf_cstr(&all), "FAIL0014unknown host service");
    buf_release(&all);
    close(fd);
}

static void the_longest_request_reaches_the_phone(void **state)
{
    const struct loopback_server *phone = *state;
    char *request = mem_new(0xffff + 1, 1);
    struct buf all = BUF_INIT(100000);
    int fd = adb_socket_connect(phone->port);

    memset(request, 'x', 0xffff);
    memcpy(request, "say:", 4);
    adb_socket_request(fd, "host:transport-any");
    adb_socket_request(fd, request);
    adb_socket_read_end(fd, &all);
    assert_int_equal(all.length, 8 + 0xffff - 4);
    buf_release(&all);
    close(fd);
    free(request);
}

static void a_slow_reader_holds_up_nobody(void **state)
{
    const struct loopback_server *phone = *state;
    struct buf all = BUF_INIT((size_t)64 * 1024 * 1024);
    int fd = adb_socket_connect(phone->port);

    adb_socket_request(fd, "host:transport-any");
    adb_socket_request(fd, "source:20000000");
    adb_socket_expect(fd, "OKAYOKAY");
    for (int i = 0; i < 20; i++)
        assert_serves(phone);
    adb_socket_read_end(fd, &all);
    assert_int_equal(all.length, 20000000);
    for (size_t i = 0; i < all.length; i += 9973)
        assert_int_equal((unsigned char)all.data[i], i % 251);
    buf_release(&all);
    close(fd);
}

/* ---- a flood ---- */

struct flood {
    uint16_t port;
    atomic_uint answered;
};

static void *flood_server(void *context)
{
    struct flood *flood = context;

    for (int i = 0; i < FLOOD_REQUESTS; i++) {
        char endpoint[32];
        char reply[12];
        int fd;

        snprintf(endpoint, sizeof(endpoint), "tcp:%u", (unsigned)flood->port);
        fd = echo_connect(endpoint);
        /* Every other client leaves without reading. */
        if (fd >= 0 && send_all(fd, VERSION_REQUEST, 16) && i % 2 &&
            recv(fd, reply, sizeof(reply), MSG_WAITALL) == sizeof(reply))
            atomic_fetch_add(&flood->answered, 1);
        if (fd >= 0)
            close(fd);
    }
    return NULL;
}

static void a_flood_of_requests_is_answered(void **state)
{
    const struct loopback_server *phone = *state;
    struct flood flood = {.port = phone->port};
    pthread_t threads[FLOOD_THREADS];

    for (size_t i = 0; i < FLOOD_THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, flood_server, &flood), 0);
    for (size_t i = 0; i < FLOOD_THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&flood.answered),
                     FLOOD_THREADS * FLOOD_REQUESTS / 2);
    assert_serves(phone);
}

/* ---- ends ---- */

static void a_client_that_leaves_ends_its_service(void **state)
{
    const struct loopback_server *phone = *state;
    int fd = adb_socket_connect(phone->port);

    adb_socket_request(fd, "host:transport-any");
    adb_socket_request(fd, "waits:");
    adb_socket_expect(fd, "OKAYOKAY");
    close(fd);
    sem_wait(&service_ended);
}

static void stopping_ends_services_trackers_and_forwards(void **state)
{
    struct loopback_server phone = {0};
    int fds[4];
    char byte;

    (void)state;
    loopback_server_start(&phone, &phone_options, "other", NULL);
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        fds[i] = adb_socket_connect(phone.port);
    adb_socket_request(fds[0], "host:transport-any");
    adb_socket_request(fds[0], "waits:");
    adb_socket_expect(fds[0], "OKAYOKAY");
    adb_socket_request(fds[1], "host:track-devices");
    adb_socket_expect(fds[1], "OKAY000dother\tdevice\n");
    adb_socket_request(fds[2], "host:wait-for-usb-device");
    adb_socket_expect(fds[2], "OKAY");
    adb_socket_answers(phone.port,
                       "host:forward:localabstract:x;echo:", "OKAYOKAY");
    loopback_server_stop(&phone);
    sem_wait(&service_ended);
    for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
        assert_int_equal(recv(fds[i], &byte, 1, 0), 0);
        close(fds[i]);
    }
    assert_true(echo_connect("localabstract:x") < 0);
}

/* ---- phones ---- */

static void two_servers_do_not_see_each_other(void **state)
{
    const struct loopback_server *phone = *state;
    struct loopback_server other = {0};

    loopback_server_start(&other, &phone_options, "second", NULL);
    adb_socket_answers(phone->port, "host:devices", "OKAY{first\tdevice\n}");
    adb_socket_answers(other.port, "host:devices", "OKAY{second\tdevice\n}");
    adb_socket_answers(phone->port, "host:transport:second",
                       "FAIL{device 'second' not found}");
    adb_socket_answers(other.port,
                       "host:forward:localabstract:y;echo:", "OKAYOKAY");
    adb_socket_answers(phone->port, "host:list-forward", "OKAY{}");
    adb_socket_answers(phone->port, "host:killforward-all", "OKAYOKAY");
    adb_socket_answers(other.port, "host:list-forward",
                       "OKAY{second localabstract:y echo:\n}");
    loopback_server_stop(&other);
}

static void a_lost_phone_is_offline(void **state)
{
    struct loopback_server phone = {0};
    int tracker;
    int waiter;

    (void)state;
    loopback_server_start(&phone, &phone_options, "gone", NULL);
    tracker = adb_socket_connect(phone.port);
    adb_socket_request(tracker, "host:track-devices");
    adb_socket_expect(tracker, "OKAY000cgone\tdevice\n");
    waiter = adb_socket_connect(phone.port);
    adb_socket_request(waiter, "host:wait-for-any-disconnect");
    adb_socket_expect(waiter, "OKAY");
    loopback_device_vanish(phone.loop);
    adb_socket_expect(tracker, "000dgone\toffline\n");
    adb_socket_expect(waiter, "OKAY");
    adb_socket_answers(phone.port, "host:transport-any",
                       "FAIL{device offline}");
    adb_socket_answers(phone.port, "host:get-state", "OKAY{offline}");
    adb_socket_answers(phone.port, "host:reconnect-offline",
                       "OKAY{reconnecting gone}");
    close(tracker);
    close(waiter);
    loopback_server_stop(&phone);
}

static void the_policy_lets_services_through(void **state)
{
    const struct adb_server_policy policy = {.restart_adbd = true};
    struct loopback_server phone = {0};

    (void)state;
    loopback_server_start(&phone, &phone_options, "open", &policy);
    adb_socket_answers(phone.port, "host:transport-any|root:",
                       "OKAYOKAYrestarting adbd as root\n");
    adb_socket_answers(phone.port, "host:transport-any|reboot:", "OKAYOKAY");
    loopback_server_stop(&phone);
}

/* A phone behind something that refuses. */
static bool open_denied(void *context, const char *service, struct deadline by,
                        struct stream **stream, struct err *err)
{
    (void)context, (void)service, (void)by, (void)stream;
    return err_set(err, ERR_DENIED, "not on this phone");
}

static bool is_never_lost(void *context)
{
    (void)context;
    return false;
}

static void a_refusal_with_a_reason_reaches_the_client(void **state)
{
    static const struct adb_server_phone_ops ops = {.open = open_denied,
                                                    .is_lost = is_never_lost};
    const struct adb_server_phone phone = {
        .serial = "x", .banner = {.model = "A-B c"}, .ops = &ops};
    const struct adb_server_options options = {.phones = &phone,
                                               .phone_count = 1};
    struct adb_server *server = NULL;
    struct err err = ERR_INIT;
    uint16_t port = 0;

    (void)state;
    assert_true(adb_server_start(&options, &server, &err));
    assert_true(adb_server_listen(server, "127.0.0.1", 0, &port, &err));
    adb_socket_answers(port, "host:transport-any|shell:id",
                       "OKAYFAIL{not on this phone}");
    adb_socket_answers(port, "host:devices-l",
                       "OKAY{x                      device model:A_B_c "
                       "transport_id:1\n}");
    adb_socket_answers(port, "host-serial:model:A_B_c:get-state",
                       "OKAY{device}");
    adb_socket_answers(port, "host-serial:model:A_B_:get-state",
                       "FAIL{device 'model:A_B_' not found}");
    adb_server_stop(server);
}

/* ---- reverse ---- */

/* Greet one connection to a listener. */
static void greet(int listener)
{
    struct pollfd poll_listener = {.fd = listener, .events = POLLIN};
    int fd;

    assert_int_equal(poll(&poll_listener, 1, 60000), 1);
    fd = accept(listener, NULL, NULL);
    assert_true(fd >= 0);
    assert_true(send_all(fd, "hello", 5));
    close(fd);
}

static void a_reverse_leads_to_this_computer_once_requested(void **state)
{
    struct local_endpoint endpoint = {.kind = LOCAL_ENDPOINT_TCP,
                                      .host = "localhost"};
    char request[64];
    char opening[64];
    char requests[128];
    struct loopback_answer more[] = {LOOPBACK_SAYS(request, "OKAY")};
    const struct loopback_device_options options = {.answers = more,
                                                    .answer_count = 1};
    struct loopback_server phone = {0};
    struct err err = ERR_INIT;
    int listener;
    int fd;

    (void)state;
    assert_true(local_endpoint_listen(&endpoint, &listener, &err));
    snprintf(request, sizeof(request), "reverse:forward:tcp:7;tcp:%u",
             (unsigned)endpoint.port);
    loopback_server_start(&phone, &options, "reverse", NULL);
    snprintf(opening, sizeof(opening), "open:tcp:%u", (unsigned)endpoint.port);
    snprintf(requests, sizeof(requests), "host:transport-any|%s", opening);
    adb_socket_answers(phone.port, requests, "OKAYOKAYrefused");

    snprintf(requests, sizeof(requests), "host:transport-any|%s", request);
    adb_socket_answers(phone.port, requests, "OKAYOKAYOKAY");
    fd = adb_socket_connect(phone.port);
    adb_socket_request(fd, "host:transport-any");
    adb_socket_request(fd, opening);
    greet(listener);
    adb_socket_expect(fd, "OKAYOKAYhello");
    close(fd);
    loopback_server_stop(&phone);
    local_endpoint_unlisten(&endpoint, listener);
}

/* Both ends of hundreds of connections are in this process. */
static void allow_descriptors(void)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

#define SERVED(test_) cmocka_unit_test_setup_teardown(test_, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(idle_clients_do_not_keep_others_out),
        SERVED(half_requests_hold_up_nobody),
        SERVED(invalid_requests_end_the_connection),
        SERVED(a_request_with_a_nul_is_refused),
        SERVED(the_longest_request_reaches_the_phone),
        SERVED(a_slow_reader_holds_up_nobody),
        SERVED(a_flood_of_requests_is_answered),
        SERVED(a_client_that_leaves_ends_its_service),
        SERVED(stopping_ends_services_trackers_and_forwards),
        SERVED(two_servers_do_not_see_each_other),
        SERVED(a_lost_phone_is_offline),
        SERVED(the_policy_lets_services_through),
        SERVED(a_refusal_with_a_reason_reaches_the_client),
        SERVED(a_reverse_leads_to_this_computer_once_requested),
    };

    allow_descriptors();
    return cmocka_run_group_tests_name("adb_server_load", tests, NULL, NULL);
}
