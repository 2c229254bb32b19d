#include "tests/support/adb/old_phone.h"

#include <pthread.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/daemon/daemon.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/tcp_listener.h"

#define CONNECTIONS_MAX 64

struct old_phone {
    struct tcp_listener *listener; /* owned */
    struct daemon *daemon;         /* owned; of the connection that is served */
    size_t unanswered;
    atomic_size_t connections;
    int ignored[CONNECTIONS_MAX]; /* owned */
    size_t ignored_count;
    atomic_bool busy;
};

/* ---- shell: ---- */

struct terminal_feed {
    struct stream *stream;
    int master;
    pid_t child; /* ends with the stream */
};

static void *feed_terminal(void *context)
{
    struct terminal_feed *feed = context;
    char data[512];
    struct err err;
    size_t got;

    while (stream_read(feed->stream, data, sizeof(data), DEADLINE_NEVER, &got,
                       &err) &&
           got) {
        if (write(feed->master, data, got) != (ssize_t)got)
            break;
    }
    kill(feed->child, SIGHUP);
    return NULL;
}

static void serve_shell(void *context, const char *command,
                        struct stream *stream, struct conn *conn)
{
    struct terminal_feed feed = {.stream = stream, .master = -1};
    pthread_t stdin_forwarder;
    char data[512];
    ssize_t got;
    struct err err;

    (void)context, (void)conn;
    feed.child = forkpty(&feed.master, NULL, NULL, NULL);
    if (feed.child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    assert_true(feed.child > 0);
    assert_int_equal(
        pthread_create(&stdin_forwarder, NULL, feed_terminal, &feed), 0);
    while ((got = read(feed.master, data, sizeof(data))) > 0) {
        if (!stream_write(stream, data, (size_t)got, DEADLINE_NEVER, &err))
            break;
    }
    stream_interrupt(stream);
    pthread_join(stdin_forwarder, NULL);
    close(feed.master);
    waitpid(feed.child, NULL, 0);
}

/* ---- connections ---- */

/* Called when the host that was served has left. */
static void forget_host(void *context, struct conn *conn)
{
    struct old_phone *phone = context;

    (void)conn;
    atomic_store(&phone->busy, false);
}

static void accept_host(int fd, void *context)
{
    struct old_phone *phone = context;

    if (atomic_fetch_add(&phone->connections, 1) >= phone->unanswered &&
        !atomic_exchange(&phone->busy, true)) {
        daemon_adopt(phone->daemon, fd);
        return;
    }
    assert_true(phone->ignored_count < CONNECTIONS_MAX);
    phone->ignored[phone->ignored_count++] = fd;
}

struct old_phone *old_phone_start(size_t unanswered)
{
    static const struct daemon_service services[] = {
        {"shell:", false, serve_shell, NULL},
    };
    struct old_phone *phone = mem_new(1, sizeof(*phone));
    const struct daemon_options options = {
        .banner = {.state = "device", .product = "old", .model = "Old Phone"},
        .version = PACKET_VERSION_MIN,
        .max_payload = PACKET_MAX_PAYLOAD_V1,
        .services = services,
        .service_count = ARRAY_LEN(services),
        .left = forget_host,
        .left_context = phone,
    };
    struct err err = ERR_INIT;

    phone->unanswered = unanswered;
    if (!daemon_start(&options, &phone->daemon, &err))
        fail_msg("%s", err.text);
    phone->listener = tcp_listener_start(0, accept_host, phone);
    return phone;
}

uint16_t old_phone_port(const struct old_phone *phone)
{
    return tcp_listener_port(phone->listener);
}

size_t old_phone_connections(const struct old_phone *phone)
{
    return atomic_load(&phone->connections);
}

void old_phone_stop(struct old_phone *phone)
{
    tcp_listener_stop(phone->listener);
    daemon_stop(phone->daemon);
    for (size_t i = 0; i < phone->ignored_count; i++)
        close(phone->ignored[i]);
    free(phone);
}

struct device *old_phone_open(const struct old_phone *phone)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;

    if (!device_open_tcp("127.0.0.1", old_phone_port(phone), NULL,
                         deadline_in_ms(60000), &device, &err))
        fail_msg("%s", err.text);
    return device;
}
