/*
 * Readers that are slower than the device, and streams, shells, transfers and
 * forward clients that end early: no byte is lost, and the other streams of the
 * connection continue. Runs against a stock adbd if there is one
 * (tests/peers/with-adbd), otherwise against the built-in phone.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/services/forward.h"
#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/stock_adbd.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)
#define REMOTE "/data/local/tmp/early-end"
#define FILE_SIZE ((size_t)8 << 20)
#define PIECE ((size_t)64 * 1024)

/* Around the sizes of buffers, windows and payloads. */
static const size_t sizes[] = {1,       4096,    262143,   262144,  262145,
                               400000,  885000,  1048576,  1100000, 1300000,
                               1500000, 3000000, FILE_SIZE};

struct fixture {
    struct phone *phone;      /* NULL: a stock adbd */
    struct echo_server *echo; /* what a stock adbd reaches */
    char echo_service[32];    /* an echo behind the phone */
    struct device *device;
};

static char byte_at(size_t at)
{
    return (char)(at * 31 + at / 509);
}

static void nap_ms(long ms)
{
    const struct timespec nap = {.tv_nsec = ms * 1000000};

    nanosleep(&nap, NULL);
}

/* ---- phones ---- */

static struct device *open_phone(struct fixture *fixture,
                                 enum stock_adbd_route way)
{
    const struct phone_options options = {.seed = 9};
    struct err err = ERR_INIT;
    char address[32];

    if (!phone_start(&options, &fixture->phone, &err))
        fail_msg("%s", err.text);
    snprintf(address, sizeof(address), "127.0.0.1:%u",
             (unsigned)phone_port(fixture->phone));
    snprintf(fixture->echo_service, sizeof(fixture->echo_service), "tcp:7");
    return stock_adbd_open_at(address, way);
}

static struct device *open_stock(struct fixture *fixture,
                                 enum stock_adbd_route way)
{
    fixture->echo = echo_server_start();
    snprintf(fixture->echo_service, sizeof(fixture->echo_service), "%s",
             echo_server_endpoint(fixture->echo));
    return stock_adbd_open(way);
}

/* Push a file whose bytes depend on their position. */
static void put_file(struct device *device)
{
    int fd = memfd_create("file", MFD_CLOEXEC);
    struct sync *sync = NULL;
    struct err err = ERR_INIT;
    char *data;

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)FILE_SIZE), 0);
    data = mmap(NULL, FILE_SIZE, PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(data != MAP_FAILED);
    for (size_t i = 0; i < FILE_SIZE; i++)
        data[i] = byte_at(i);
    munmap(data, FILE_SIZE);
    if (!sync_open(device, NULL, SOON, &sync, &err) ||
        !sync_send(sync, fd, REMOTE, 0644, 0, FILE_SIZE, SOON, &err))
        fail_msg("%s", err.text);
    sync_close(sync);
    close(fd);
}

static int begin(void **state, bool stock, enum stock_adbd_route way)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));

    *state = fixture;
    fixture->device =
        stock ? open_stock(fixture, way) : open_phone(fixture, way);
    put_file(fixture->device);
    return 0;
}

static int phone_delayed(void **state)
{
    return begin(state, false, STOCK_ADBD_DIRECT);
}

static int phone_classic(void **state)
{
    return begin(state, false, STOCK_ADBD_CLASSIC);
}

static int stock_delayed(void **state)
{
    return begin(state, true, STOCK_ADBD_DIRECT);
}

static int stock_classic(void **state)
{
    return begin(state, true, STOCK_ADBD_CLASSIC);
}

static int stock_old(void **state)
{
    return begin(state, true, STOCK_ADBD_OLD);
}

static int stock_server(void **state)
{
    return begin(state, true, STOCK_ADBD_SERVER);
}

static int end(void **state)
{
    struct fixture *fixture = *state;

    device_close(fixture->device);
    phone_stop(fixture->phone);
    if (fixture->echo)
        echo_server_stop(fixture->echo);
    free(fixture);
    return 0;
}

/* ---- reading ---- */

static struct stream *open_output(struct device *device, size_t size)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    char command[64];

    snprintf(command, sizeof(command), "head -c %zu %s", size, REMOTE);
    if (!shell_exec_open(device, command, SOON, &stream, &err))
        fail_msg("%s", err.text);
    return stream;
}

/*
 * Read a command's whole output, with a pause before the first piece and after
 * each. wrong receives a description of what is wrong, or "".
 */
static void read_output(struct stream *stream, size_t size, long first_ms,
                        long pause_ms, char wrong[300])
{
    char *data = mem_new(PIECE, 1);
    struct err err = ERR_INIT;
    size_t at = 0;
    size_t got = 1;

    wrong[0] = '\0';
    nap_ms(first_ms);
    while (got && !wrong[0]) {
        if (!stream_read(stream, data, PIECE, SOON, &got, &err))
            snprintf(wrong, 300, "after %zu of %zu: %s", at, size, err.text);
        for (size_t i = 0; i < got && !wrong[0]; i++) {
            if (data[i] != byte_at(at + i))
                snprintf(wrong, 300, "byte %zu of %zu differs", at + i, size);
        }
        at += got;
        nap_ms(pause_ms);
    }
    if (!wrong[0] && at != size)
        snprintf(wrong, 300, "%zu of %zu bytes came", at, size);
    free(data);
}

static void slow_readers_receive_every_byte(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct stream *stream = open_output(fixture->device, sizes[i]);
        char wrong[300];

        read_output(stream, sizes[i], 200, 2, wrong);
        stream_close(stream);
        if (wrong[0])
            fail_msg("%s", wrong);
    }
}

/* Read a session to its exit; returns how much it printed. */
static size_t read_session(struct shell *shell, int *status)
{
    struct shell_event event = {0};
    struct err err = ERR_INIT;
    size_t at = 0;

    nap_ms(200);
    while (event.kind != SHELL_EXIT) {
        if (!shell_next(shell, SOON, &event, &err))
            fail_msg("after %zu bytes: %s", at, err.text);
        for (size_t i = 0; event.kind == SHELL_OUT && i < event.length; i++) {
            if (event.data[i] != byte_at(at + i))
                fail_msg("byte %zu differs", at + i);
        }
        at += event.kind == SHELL_OUT ? event.length : 0;
        nap_ms(2);
    }
    *status = event.status;
    return at;
}

static void slow_shell_readers_receive_output_and_status(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct shell_options options = {0};
        struct shell *shell = NULL;
        struct err err = ERR_INIT;
        char command[80];
        int status;

        snprintf(command, sizeof(command), "head -c %zu %s; exit 7", sizes[i],
                 REMOTE);
        options.command = command;
        if (!shell_open(fixture->device, &options, SOON, &shell, &err))
            fail_msg("%s", err.text);
        assert_int_equal(read_session(shell, &status), sizes[i]);
        assert_int_equal(status, 7);
        shell_close(shell);
    }
}

/* ---- early ends ---- */

/* A stream that stays open while others end early. */
static struct stream *open_echo(struct fixture *fixture)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    if (!device_open_service(fixture->device, fixture->echo_service, SOON,
                             &stream, &err))
        fail_msg("%s", err.text);
    return stream;
}

static void assert_echo(struct stream *stream)
{
    char sent[5000];
    char back[sizeof(sent)];
    struct err err = ERR_INIT;

    for (size_t i = 0; i < sizeof(sent); i++)
        sent[i] = byte_at(i);
    if (!stream_write(stream, sent, sizeof(sent), SOON, &err) ||
        !stream_read_exact(stream, back, sizeof(back), SOON, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(sent, back, sizeof(sent));
}

static void streams_closed_in_the_middle_leave_other_streams_intact(
    void **state)
{
    static const size_t amounts[] = {0, 1, 100000, 900000, 2000000};
    struct fixture *fixture = *state;
    struct stream *other = open_echo(fixture);
    char *data = mem_new(2000000, 1);

    for (size_t i = 0; i < 4 * ARRAY_LEN(amounts); i++) {
        struct stream *stream = open_output(fixture->device, FILE_SIZE);
        struct err err = ERR_INIT;

        if (!stream_read_exact(stream, data, amounts[i % ARRAY_LEN(amounts)],
                               SOON, &err))
            fail_msg("%s", err.text);
        stream_close(stream);
        assert_echo(other);
    }
    free(data);
    stream_close(other);
}

static void *interrupt_shell(void *context)
{
    nap_ms(20);
    shell_interrupt(context);
    return NULL;
}

static void shells_killed_in_the_middle_leave_other_streams_intact(void **state)
{
    const struct shell_options options = {.command = "cat /dev/zero"};
    struct fixture *fixture = *state;
    struct stream *other = open_echo(fixture);

    for (int i = 0; i < 10; i++) {
        struct shell *shell = NULL;
        struct shell_event event;
        struct err err = ERR_INIT;
        pthread_t thread;

        if (!shell_open(fixture->device, &options, SOON, &shell, &err))
            fail_msg("%s", err.text);
        assert_int_equal(pthread_create(&thread, NULL, interrupt_shell, shell),
                         0);
        while (shell_next(shell, SOON, &event, &err))
            assert_int_equal(event.kind, SHELL_OUT);
        assert_int_equal(err.code, ERR_CANCELLED);
        pthread_join(thread, NULL);
        shell_close(shell);
        assert_echo(other);
    }
    stream_close(other);
}

/* Cancels the first transfers after a quarter of the file. */
struct stopper {
    int left;
};

static bool stop_in_the_middle(void *context, const char *path, uint64_t moved,
                               uint64_t total)
{
    struct stopper *stopper = context;

    (void)path;
    (void)total;
    return moved < FILE_SIZE / 4 || stopper->left <= 0 || !stopper->left--;
}

static void assert_file(int fd)
{
    char *data = mmap(NULL, FILE_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);

    assert_true(data != MAP_FAILED);
    for (size_t i = 0; i < FILE_SIZE; i++) {
        if (data[i] != byte_at(i))
            fail_msg("byte %zu differs", i);
    }
    munmap(data, FILE_SIZE);
}

static void pulls_cancelled_in_the_middle_leave_other_streams_intact(
    void **state)
{
    struct fixture *fixture = *state;
    struct stopper stopper = {.left = 5};
    const struct sync_options options = {.progress = stop_in_the_middle,
                                         .context = &stopper};
    struct stream *other = open_echo(fixture);
    struct sync *sync = NULL;
    struct err err = ERR_INIT;
    bool done = false;
    int failures = 0;
    int fd = memfd_create("file", MFD_CLOEXEC);

    if (!sync_open(fixture->device, &options, SOON, &sync, &err))
        fail_msg("%s", err.text);
    while (!done && failures <= 5) {
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        done = sync_receive(sync, REMOTE, fd, FILE_SIZE, SOON, &err);
        if (!done)
            assert_int_equal(err.code, ERR_CANCELLED);
        failures += !done;
        assert_echo(other);
    }
    assert_true(done);
    assert_int_equal(failures, 5);
    assert_file(fd);
    close(fd);
    sync_close(sync);
    stream_close(other);
}

/* Send 300 kB, read a part of the echo, and close with FIN or RST. */
static void disconnect_early(const char *endpoint, size_t receive, bool reset)
{
    const struct linger at_once = {.l_onoff = 1};
    char *data = mem_new(300000, 1);
    int fd = echo_connect(endpoint);

    assert_true(fd >= 0);
    assert_int_equal(send(fd, data, 300000, MSG_NOSIGNAL), 300000);
    if (receive)
        assert_int_equal(recv(fd, data, receive, MSG_WAITALL), receive);
    if (reset)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close(fd);
    free(data);
}

static void forward_clients_that_hang_up_leave_other_streams_intact(
    void **state)
{
    static const size_t amounts[] = {0, 1, 100000};
    struct fixture *fixture = *state;
    struct stream *other = open_echo(fixture);
    struct forward *forward = NULL;
    struct err err = ERR_INIT;

    if (!forward_start(fixture->device, "tcp:0", fixture->echo_service, NULL,
                       &forward, &err))
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < 30; i++) {
        disconnect_early(forward_local(forward),
                         amounts[i % ARRAY_LEN(amounts)], i % 2);
        assert_echo(other);
    }
    assert_true(echo_check_many(forward_local(forward), 4, 300000));
    forward_stop(forward);
    stream_close(other);
}

/* ---- soak ---- */

#define SOAKERS 4

struct soaker {
    struct device *device;
    struct deadline until;
    unsigned seed;
    size_t rounds;
    char wrong[300];
    pthread_t thread;
};

/* Ten minutes with PROCTOR_FULL=1. */
static int64_t soak_ms(void)
{
    const char *full = getenv("PROCTOR_FULL");

    return full && *full == '1' ? 600000 : 3000;
}

static void *soak(void *context)
{
    struct soaker *soaker = context;

    while (!soaker->wrong[0] && !deadline_passed(soaker->until)) {
        size_t size = (unsigned)rand_r(&soaker->seed) % FILE_SIZE + 1;
        struct stream *stream = NULL;
        struct err err = ERR_INIT;
        char command[64];

        snprintf(command, sizeof(command), "head -c %zu %s", size, REMOTE);
        if (!shell_exec_open(soaker->device, command, SOON, &stream, &err)) {
            snprintf(soaker->wrong, sizeof(soaker->wrong), "%s", err.text);
        } else if (rand_r(&soaker->seed) % 4) {
            read_output(stream, size, rand_r(&soaker->seed) % 300,
                        rand_r(&soaker->seed) % 4, soaker->wrong);
            soaker->rounds++;
        }
        stream_close(stream);
    }
    return NULL;
}

static void large_outputs_arrive_complete_in_a_soak(void **state)
{
    struct fixture *fixture = *state;
    struct soaker soakers[SOAKERS] = {0};
    struct deadline until = deadline_in_ms(soak_ms());

    for (unsigned i = 0; i < SOAKERS; i++) {
        soakers[i].device = fixture->device;
        soakers[i].until = until;
        soakers[i].seed = i + 1;
        assert_int_equal(
            pthread_create(&soakers[i].thread, NULL, soak, &soakers[i]), 0);
    }
    for (unsigned i = 0; i < SOAKERS; i++)
        pthread_join(soakers[i].thread, NULL);
    for (unsigned i = 0; i < SOAKERS; i++) {
        if (soakers[i].wrong[0])
            fail_msg("%s", soakers[i].wrong);
        assert_true(soakers[i].rounds > 0);
    }
}

#define WITH(begin, test)                                                      \
    {                                                                          \
        .name = #test " (" #begin ")", .test_func = (test),                    \
        .setup_func = (begin), .teardown_func = end                            \
    }
#define ALL(begin)                                                             \
    WITH(begin, slow_readers_receive_every_byte),                              \
        WITH(begin, streams_closed_in_the_middle_leave_other_streams_intact),  \
        WITH(begin, shells_killed_in_the_middle_leave_other_streams_intact),   \
        WITH(begin, pulls_cancelled_in_the_middle_leave_other_streams_intact), \
        WITH(begin, forward_clients_that_hang_up_leave_other_streams_intact)

int main(int argc, char **argv)
{
    const struct CMUnitTest phones[] = {
        ALL(phone_delayed),
        ALL(phone_classic),
        WITH(phone_delayed, slow_shell_readers_receive_output_and_status),
        WITH(phone_classic, slow_shell_readers_receive_output_and_status),
        WITH(phone_delayed, large_outputs_arrive_complete_in_a_soak),
    };
    const struct CMUnitTest stock[] = {
        ALL(stock_delayed),
        ALL(stock_classic),
        ALL(stock_old),
        ALL(stock_server),
        WITH(stock_delayed, slow_shell_readers_receive_output_and_status),
        WITH(stock_classic, slow_shell_readers_receive_output_and_status),
        WITH(stock_server, slow_shell_readers_receive_output_and_status),
        WITH(stock_delayed, large_outputs_arrive_complete_in_a_soak),
        WITH(stock_classic, large_outputs_arrive_complete_in_a_soak),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return getenv("PROCTOR_PEER_ADBD")
               ? cmocka_run_group_tests_name("adbd", stock, NULL, NULL)
               : cmocka_run_group_tests_name("phone", phones, NULL, NULL);
}
