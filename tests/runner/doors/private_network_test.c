#include "runner/doors/private_network.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "runner/doors/agent_process.h"
#include "tests/support/scratch_folder.h"

#define SOON deadline_in_ms(60000)
#define SKIPPED 77

static struct err err = ERR_INIT;

struct fixture {
    struct private_network *network;
    struct secret_mask mask;
    struct agent_process process;
};

/* A program in the network; it waits for private_network_start. */
static void begin(struct fixture *fixture, const char *const *places,
                  size_t count, const char *command)
{
    const struct agent_process_options options = {
        .supervisor = TEST_SUPERVISOR,
        .command = command,
        .out = "out",
        .errors = "errors",
        .mask = &fixture->mask,
        .hosts = "hosts",
    };
    struct agent_process_options networked = options;
    struct buf hosts = BUF_INIT(10000);

    secret_mask_init(&fixture->mask);
    if (!private_network_open(places, count, NULL, &fixture->network, &err))
        fail_msg("%s", err.text);
    private_network_write_hosts(fixture->network, &hosts);
    assert_true(file_save("hosts", 0644, hosts.data, hosts.length, &err));
    buf_release(&hosts);
    networked.network = fixture->network;
    if (!agent_process_start(&fixture->process, &networked, &err) ||
        !private_network_connect(fixture->network, &err))
        fail_msg("%s", err.text);
}

static int end(struct fixture *fixture)
{
    int status = 0;

    if (!private_network_start(fixture->network, &err) ||
        !agent_process_wait(&fixture->process, SOON, NULL, NULL, &err) ||
        !agent_process_stop(&fixture->process, &status, &err))
        fail_msg("%s", err.text);
    agent_process_release(&fixture->process);
    private_network_close(fixture->network);
    secret_mask_release(&fixture->mask);
    return status;
}

static void assert_file(const char *path, const char *text)
{
    struct buf content = BUF_INIT(10000);

    assert_true(file_load(path, &content, &err));
    assert_string_equal(buf_cstr(&content), text);
    buf_release(&content);
}

/* Accept one connection, send a text, and close it. */
struct greeter {
    int listener;
    const char *text;
    pthread_t thread;
};

static void *greet(void *context)
{
    struct greeter *greeter = context;
    int fd = accept(greeter->listener, NULL, NULL);

    if (fd >= 0) {
        (void)!write(fd, greeter->text, strlen(greeter->text));
        close(fd);
    }
    return NULL;
}

static void greeter_start(struct greeter *greeter)
{
    assert_int_equal(pthread_create(&greeter->thread, NULL, greet, greeter), 0);
}

static void greeter_end(struct greeter *greeter)
{
    shutdown(greeter->listener, SHUT_RDWR);
    pthread_join(greeter->thread, NULL);
    close(greeter->listener);
}

/* Listen on a free port of this computer. */
static uint16_t listen_here(struct greeter *greeter)
{
    struct sockaddr_in place = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(place);

    greeter->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(
        bind(greeter->listener, (struct sockaddr *)&place, sizeof(place)), 0);
    assert_int_equal(listen(greeter->listener, 8), 0);
    getsockname(greeter->listener, (struct sockaddr *)&place, &size);
    return ntohs(place.sin_port);
}

/* What bash prints of a connection; "no" if there is none. */
#define READ_FROM(place)                                                       \
    "bash -c 'exec 3<>/dev/tcp/" place " && cat <&3' 2>/dev/null || echo no; "

static void port_5037_is_what_we_put_there(void **state)
{
    struct greeter greeter = {.text = "ours\n"};
    struct fixture fixture;

    (void)state;
    begin(&fixture, NULL, 0, READ_FROM("127.0.0.1/5037"));
    assert_true(
        private_network_listen(fixture.network, 5037, &greeter.listener, &err));
    greeter_start(&greeter);
    assert_int_equal(end(&fixture), 0);
    greeter_end(&greeter);
    assert_file("out", "ours\n");
}

static void nothing_else_can_be_reached(void **state)
{
    struct greeter greeter = {.text = "secret\n"};
    uint16_t port = listen_here(&greeter);
    struct fixture fixture;
    char command[200];

    (void)state;
    snprintf(command, sizeof(command), READ_FROM("127.0.0.1/%u"), port);
    greeter_start(&greeter);
    begin(&fixture, NULL, 0, command);
    assert_int_equal(end(&fixture), 0);
    greeter_end(&greeter);
    assert_file("out", "no\n");
}

static void allowed_places_are_reached_by_address_and_by_name(void **state)
{
    const char *const names[] = {"127.0.0.1", "localhost"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct greeter greeter = {.text = "model\n"};
        uint16_t port = listen_here(&greeter);
        struct fixture fixture;
        char place[64], command[200];
        const char *const places[] = {place};

        snprintf(place, sizeof(place), "%s:%u", names[i], port);
        snprintf(command, sizeof(command), READ_FROM("%s/%u"), names[i], port);
        greeter_start(&greeter);
        begin(&fixture, places, 1, command);
        assert_int_equal(end(&fixture), 0);
        greeter_end(&greeter);
        assert_file("out", "model\n");
    }
}

/* The name is known in the private network only, and leads to us. */
static void a_host_name_has_an_address_of_ours(void **state)
{
    const char *const places[] = {"model.example:443", "127.0.0.1:8000"};
    struct fixture fixture;

    (void)state;
    begin(&fixture, places, 2, "getent hosts model.example; id -u");
    assert_int_equal(end(&fixture), 0);
    {
        struct buf content = BUF_INIT(10000);
        char own[32];

        assert_true(file_load("out", &content, &err));
        assert_non_null(strstr(buf_cstr(&content), "127.64.0.1"));
        snprintf(own, sizeof(own), "\n%u\n", geteuid());
        assert_non_null(strstr(buf_cstr(&content), own));
        buf_release(&content);
    }
}

static void addresses_of_other_computers_can_be_allowed(void **state)
{
    const char *const places[] = {"192.0.2.7:9"};
    struct fixture fixture;

    (void)state;
    /* The connection is accepted here; nothing answers at the place itself. */
    begin(&fixture, places, 1,
          "bash -c 'exec 3<>/dev/tcp/192.0.2.7/9' && echo accepted");
    assert_int_equal(end(&fixture), 0);
    assert_file("out", "accepted\n");
}

static void forwards_listen_in_the_network(void **state)
{
    struct greeter greeter = {.text = "forward\n"};
    struct local_endpoint endpoint;
    struct fixture fixture;

    (void)state;
    begin(&fixture, NULL, 0, READ_FROM("127.0.0.1/7777"));
    assert_true(local_endpoint_parse("tcp:7777", &endpoint, &err));
    assert_true(local_network_listen(private_network_local(fixture.network),
                                     &endpoint, &greeter.listener, &err));
    greeter_start(&greeter);
    assert_int_equal(end(&fixture), 0);
    greeter_end(&greeter);
    assert_file("out", "forward\n");
}

static void a_bad_place_is_refused(void **state)
{
    const char *const bad[] = {"model.example",   "model.example:",      ":443",
                               "model.example:0", "model.example:99999", ""};
    struct private_network *network;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(private_network_open(&bad[i], 1, NULL, &network, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
}

static bool is_possible(void)
{
    const char *const arguments[] = {"unshare", "--user", "--net",
                                     "--mount", "true",   NULL};
    const struct child_command command = {.arguments = arguments};
    struct child child = CHILD_INIT;

    return child_start(&child, &command, &err) && child_stop(&child) == 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(port_5037_is_what_we_put_there),
        cmocka_unit_test(nothing_else_can_be_reached),
        cmocka_unit_test(allowed_places_are_reached_by_address_and_by_name),
        cmocka_unit_test(a_host_name_has_an_address_of_ours),
        cmocka_unit_test(addresses_of_other_computers_can_be_allowed),
        cmocka_unit_test(forwards_listen_in_the_network),
        cmocka_unit_test(a_bad_place_is_refused),
    };

    if (!is_possible()) {
        puts("skipped: this computer does not allow private networks");
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
