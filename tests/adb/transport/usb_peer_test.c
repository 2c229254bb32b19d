/*
 * A real kernel's USB with a stock adbd at the other end. Runs inside
 * tests/peers/usb/with-usb.
 */
#include "adb/transport/usb.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/discover/discover.h"
#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "adb/wire/packet.h"
#include "base/macros.h"
#include "base/mem.h"

/* The machine is emulated, and slow. */
#define SOON deadline_in_ms(60000)
#define LATER deadline_in_ms(240000)
#define MEGABYTE ((size_t)1024 * 1024)
#define REMOTE "/data/local/tmp/usb"

static const struct discover on_usb = {.usb = true};

static const char *environment(const char *name)
{
    const char *value = getenv(name);

    if (!value)
        fail_msg("%s is not set: run this within with-usb", name);
    return value;
}

/* Resources of the running test: released also when it fails. */
static struct {
    struct stream *stream;
    struct sync *sync;
    struct device *device;
    void *data[2];
} held;

static void release_data(void)
{
    for (size_t i = 0; i < ARRAY_LEN(held.data); i++) {
        free(held.data[i]);
        held.data[i] = NULL;
    }
}

static void release_all(void)
{
    stream_close(held.stream);
    sync_close(held.sync);
    device_close(held.device);
    held.stream = NULL;
    held.sync = NULL;
    held.device = NULL;
    release_data();
}

static int teardown(void **state)
{
    (void)state;
    release_all();
    return 0;
}

/* Memory for the test; at most two blocks, until release_data. */
static void *allocate(size_t size)
{
    size_t free_one = held.data[0] ? 1 : 0;

    assert_null(held.data[free_one]);
    held.data[free_one] = mem_new(size, 1);
    return held.data[free_one];
}

static void assert_ok(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

/* False if the connection fails; a wrong answer fails the test. */
static bool shell_works(struct device *device, struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, "echo out; echo err >&2; exit 7", 4096, SOON,
                   &result, err))
        return false;
    assert_string_equal(buf_cstr(&result.out), "out\n");
    assert_string_equal(buf_cstr(&result.errors), "err\n");
    assert_int_equal(result.status, 7);
    shell_result_release(&result);
    return true;
}

static struct stream *open_service(struct device *device, const char *service)
{
    struct err err = ERR_INIT;

    assert_ok(device_open_service(device, service, SOON, &held.stream, &err),
              &err);
    return held.stream;
}

static void assert_shell_works(struct device *device)
{
    struct err err = ERR_INIT;

    assert_ok(shell_works(device, &err), &err);
}

/* A phone that was unplugged or reset disappears for a moment. */
static void await_phone(void)
{
    struct deadline by = LATER;
    struct usb_phones phones = {0};
    struct err err = ERR_INIT;

    while (!phones.count) {
        assert_false(deadline_passed(by));
        usb_phones_release(&phones);
        assert_ok(usb_list(&phones, &err), &err);
        usleep(10000);
    }
    usb_phones_release(&phones);
}

static struct device *open_phone(void)
{
    struct err err = ERR_INIT;

    await_phone();
    assert_ok(discover_open(&on_usb, environment("PROCTOR_PEER_SERIAL"), SOON,
                            &held.device, &err),
              &err);
    return held.device;
}

/* The bus's number of the phone, which changes when it is plugged in. */
static unsigned long plugged_in_as(void)
{
    FILE *file = fopen("/sys/bus/usb/devices/1-1/devnum", "r");
    char line[32] = "";

    if (file) {
        (void)!fgets(line, sizeof(line), file);
        fclose(file);
    }
    return strtoul(line, NULL, 10);
}

static bool await_another(unsigned long number)
{
    struct deadline by = SOON;

    while (plugged_in_as() == number && !deadline_passed(by))
        usleep(10000);
    return plugged_in_as() != number;
}

/*
 * After a reset the phone disappears, but not at once: a call may fail because
 * of that. Any other failure is an error.
 */
static void assert_phone_works(void)
{
    struct err err = ERR_INIT;
    unsigned long number;

    do {
        await_phone();
        number = plugged_in_as();
        if (discover_open(&on_usb, environment("PROCTOR_PEER_SERIAL"), SOON,
                          &held.device, &err) &&
            shell_works(held.device, &err)) {
            release_all();
            return;
        }
        release_all();
    } while (await_another(number));
    assert_ok(false, &err);
}

/* ---- finding and opening ---- */

static void the_phone_is_listed_by_its_serial(void **state)
{
    struct discover_entries entries = {0};
    struct err err = ERR_INIT;

    (void)state;
    assert_ok(discover_list(&on_usb, SOON, &entries, &err), &err);
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].serial,
                        environment("PROCTOR_PEER_SERIAL"));
    assert_string_equal(entries.items[0].state, "device");
    assert_int_equal(entries.items[0].route, DISCOVER_USB);
    discover_entries_release(&entries);
}

static void command_runs_and_returns_its_status(void **state)
{
    (void)state;
    assert_phone_works();
}

static void a_phone_in_use_is_busy(void **state)
{
    struct device *device = open_phone();
    struct device *second = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(discover_open(&on_usb, environment("PROCTOR_PEER_SERIAL"),
                               SOON, &second, &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_shell_works(device);
}

/* Run the computer's adb; false if it is missing or failed. */
static bool run_adb(const char *command)
{
    pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (!child) {
        execlp("adb", "adb", command, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Poll until the server has found the phone, too. */
static struct discover_entry entry_at_server(const struct discover *discover)
{
    struct deadline by = SOON;
    struct discover_entries entries = {0};
    struct discover_entry entry = {0};
    struct err err = ERR_INIT;

    while (!discover_usable(&entry) || entry.route != DISCOVER_SERVER) {
        assert_false(deadline_passed(by));
        assert_ok(discover_list(discover, SOON, &entries, &err), &err);
        assert_int_equal(entries.count, 1);
        entry = entries.items[0];
        discover_entries_release(&entries);
    }
    return entry;
}

static void a_phone_that_a_server_holds_is_used_through_it(void **state)
{
    struct discover discover = on_usb;
    struct server_client server;
    struct err err = ERR_INIT;

    (void)state;
    if (!run_adb("start-server"))
        skip();
    assert_ok(server_client_from_environment(&server, &err), &err);
    discover.server = &server;
    assert_non_null(
        strstr(entry_at_server(&discover).reason, "the adb server, pid "));
    assert_ok(discover_open(&discover, environment("PROCTOR_PEER_SERIAL"), SOON,
                            &held.device, &err),
              &err);
    assert_non_null(device_server(held.device));
    assert_shell_works(held.device);
    release_all();
    assert_true(run_adb("kill-server"));
    assert_phone_works();
}

/* ---- transferring files ---- */

static uint8_t byte_at(size_t at)
{
    return (uint8_t)(at * 31 + at / 509);
}

static int new_file(size_t size)
{
    int fd = memfd_create("file", MFD_CLOEXEC);
    uint8_t *data = mem_new(size + 1, 1);

    assert_true(fd >= 0);
    for (size_t i = 0; i < size; i++)
        data[i] = byte_at(i);
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, data + done, size - done);

        assert_true(n > 0);
        done += (size_t)n;
    }
    free(data);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static void assert_file(int fd, size_t size)
{
    struct stat stat;
    const uint8_t *data;

    assert_int_equal(fstat(fd, &stat), 0);
    assert_int_equal(stat.st_size, size);
    if (!size)
        return;
    data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_true(data != MAP_FAILED);
    for (size_t i = 0; i < size; i++) {
        if (data[i] != byte_at(i))
            fail_msg("byte %zu of %zu is wrong", i, size);
    }
    munmap((void *)(uintptr_t)data, size);
}

static void send_and_receive(struct sync *sync, const char *remote, size_t size)
{
    int sent = new_file(size);
    int back = new_file(0);
    struct err err = ERR_INIT;

    assert_ok(sync_send(sync, sent, remote, 0644, 0, size, LATER, &err), &err);
    assert_ok(sync_receive(sync, remote, back, size, LATER, &err), &err);
    assert_file(back, size);
    close(sent);
    close(back);
}

static struct sync *open_sync(struct device *device)
{
    /* Compressed data would not have the intended sizes. */
    const struct sync_options options = {.compression = SYNC_NONE};
    struct err err = ERR_INIT;

    assert_ok(sync_open(device, &options, SOON, &held.sync, &err), &err);
    return held.sync;
}

static void files_of_every_size_are_echoed(void **state)
{
    static const size_t around[] = {512,   1024,  4096,     16384,       32768,
                                    65536, 98304, MEGABYTE, 2 * MEGABYTE};
    struct device *device = open_phone();
    struct sync *sync = open_sync(device);

    (void)state;
    send_and_receive(sync, REMOTE, 0);
    send_and_receive(sync, REMOTE, 1);
    for (size_t i = 0; i < ARRAY_LEN(around); i++) {
        /*
         * The sync headers of 8 bytes each are in the same packets as the data.
         */
        for (size_t less = 0; less <= 16; less += 8) {
            send_and_receive(sync, REMOTE, around[i] - less - 1);
            send_and_receive(sync, REMOTE, around[i] - less);
            send_and_receive(sync, REMOTE, around[i] - less + 1);
        }
    }
}

static void file_of_64_megabytes_is_echoed(void **state)
{
    struct device *device = open_phone();
    struct sync *sync = open_sync(device);

    (void)state;
    send_and_receive(sync, REMOTE, 64 * MEGABYTE);
}

/*
 * Read a command's output, slowly at first. adbd sends the rest at once when
 * the command has exited.
 */
static void read_slowly(struct device *device, size_t size)
{
    struct stream *stream;
    uint8_t *data = allocate(size);
    struct err err = ERR_INIT;
    char service[64];
    size_t got;

    snprintf(service, sizeof(service), "exec:head -c %zu " REMOTE, size);
    stream = open_service(device, service);
    usleep(500000); /* adbd may send more than it was granted meanwhile */
    for (size_t at = 0; at < size; at += got) {
        assert_ok(stream_read(stream, data, size - at, LATER, &got, &err),
                  &err);
        assert_true(got > 0);
        for (size_t i = 0; i < got; i++) {
            if (data[i] != byte_at(at + i))
                fail_msg("byte %zu of %zu is wrong", at + i, size);
        }
    }
    assert_ok(stream_read(stream, data, 1, LATER, &got, &err), &err);
    assert_int_equal(got, 0);
    stream_close(stream);
    held.stream = NULL;
    release_data();
}

static void slow_readers_receive_every_byte(void **state)
{
    static const size_t sizes[] = {1,       65536,   262144, 400000,
                                   1048576, 1300000, 3000000};
    struct device *device = open_phone();
    struct sync *sync = open_sync(device);

    (void)state;
    send_and_receive(sync, REMOTE, 3000000);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        read_slowly(device, sizes[i]);
    assert_shell_works(device);
}

/* Raw streams have payloads of exactly these sizes. */
static void payloads_of_full_packets_are_echoed(void **state)
{
    static const size_t sizes[] = {511,  512,  513,   1023,  1024,
                                   1025, 4096, 32768, 65536, 131072};
    struct stream *stream = open_service(open_phone(), "exec:cat");
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        uint8_t *sent = allocate(sizes[i]);
        uint8_t *back = allocate(sizes[i]);

        for (size_t at = 0; at < sizes[i]; at++)
            sent[at] = byte_at(at);
        assert_ok(stream_write(stream, sent, sizes[i], SOON, &err), &err);
        assert_ok(stream_read_exact(stream, back, sizes[i], SOON, &err), &err);
        assert_memory_equal(sent, back, sizes[i]);
        release_data();
    }
}

/* ---- many streams ---- */

struct worker {
    struct device *device;
    unsigned number;
    pthread_t thread;
    struct err err;
    bool done;
};

static void *work(void *context)
{
    struct worker *worker = context;
    const size_t size = 200000 + worker->number * 512;
    struct sync *sync = NULL;
    char remote[64];
    int sent = new_file(size);
    int back = new_file(0);

    snprintf(remote, sizeof(remote), REMOTE "-%u", worker->number);
    worker->done =
        sync_open(worker->device, NULL, LATER, &sync, &worker->err) &&
        sync_send(sync, sent, remote, 0644, 0, size, LATER, &worker->err) &&
        sync_receive(sync, remote, back, size, LATER, &worker->err);
    if (worker->done)
        assert_file(back, size);
    sync_close(sync);
    close(sent);
    close(back);
    return NULL;
}

static void sixteen_streams_share_the_cable(void **state)
{
    struct device *device = open_phone();
    struct worker workers[16];

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(workers); i++) {
        workers[i] = (struct worker){.device = device, .number = i};
        assert_int_equal(
            pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(workers); i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < ARRAY_LEN(workers); i++)
        assert_ok(workers[i].done, &workers[i].err);
}

/* ---- faults ---- */

static void unplug(void)
{
    int fd = open(environment("PROCTOR_PEER_UDC"), O_WRONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "\n", 1), 1);
    close(fd);
}

/* Start to read endless data, and stop in the middle. */
static struct stream *begin_to_read(struct device *device)
{
    struct stream *stream = open_service(device, "exec:cat /dev/zero");
    struct err err = ERR_INIT;

    assert_ok(
        stream_read_exact(stream, allocate(MEGABYTE), MEGABYTE, LATER, &err),
        &err);
    release_data();
    return stream;
}

static void unplugging_ends_a_pull_and_replugging_works(void **state)
{
    struct device *device = open_phone();
    struct stream *stream = begin_to_read(device);
    char *data = allocate(MEGABYTE);
    struct err err = ERR_INIT;

    (void)state;
    unplug();
    while (stream_read_exact(stream, data, MEGABYTE, SOON, &err))
        ;
    assert_int_equal(err.code, ERR_LOST);
    assert_non_null(strstr(err.text, "unplugged"));
    release_all();
    assert_phone_works();
}

static void unread_bytes_do_not_disturb_the_next_connection(void **state)
{
    (void)state;
    begin_to_read(open_phone());
    release_all();
    assert_phone_works();
}

static void half_a_packet_does_not_disturb_the_next_connection(void **state)
{
    const struct packet packet = {.command = PACKET_WRTE, .length = 1000};
    struct transport *transport = NULL;
    struct usb_phone phone;
    uint8_t bytes[PACKET_HEADER_SIZE + 512] = {0};
    struct err err = ERR_INIT;

    (void)state;
    await_phone();
    assert_ok(usb_open(environment("PROCTOR_PEER_SERIAL"), NULL, SOON, &phone,
                       &transport, &err),
              &err);
    packet_encode(&packet, bytes);
    assert_ok(transport_write_all(transport, bytes, sizeof(bytes), SOON, &err),
              &err);
    transport_close(transport);
    assert_phone_works();
}

/* Push endlessly, and write a byte to fd once it is running. */
static void push_for_ever(int fd)
{
    struct device *device = NULL;
    char *data = mem_new(MEGABYTE, 1);
    struct stream *stream = NULL;
    struct err err;

    if (!discover_open(&on_usb, environment("PROCTOR_PEER_SERIAL"), SOON,
                       &device, &err) ||
        !device_open_service(device, "exec:cat >/dev/null", SOON, &stream,
                             &err))
        _exit(1);
    while (stream_write(stream, data, MEGABYTE, LATER, &err))
        (void)!write(fd, "x", 1);
    _exit(1);
}

static void a_program_that_was_killed_does_not_disturb_the_next_one(
    void **state)
{
    int ends[2];
    int status;
    char byte;

    (void)state;
    for (useconds_t i = 0; i < 3; i++) {
        pid_t child;

        await_phone();
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        child = fork();
        assert_true(child >= 0);
        if (!child)
            push_for_ever(ends[1]);
        close(ends[1]);
        assert_int_equal(read(ends[0], &byte, 1), 1);
        usleep(i * 170000); /* in the middle of other packets */
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        close(ends[0]);
        assert_true(WIFSIGNALED(status));
        assert_phone_works();
    }
}

int main(int argc, char **argv)
{
#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, teardown)
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(the_phone_is_listed_by_its_serial),
        WITH_TEARDOWN(command_runs_and_returns_its_status),
        WITH_TEARDOWN(a_phone_in_use_is_busy),
        WITH_TEARDOWN(a_phone_that_a_server_holds_is_used_through_it),
        WITH_TEARDOWN(payloads_of_full_packets_are_echoed),
        WITH_TEARDOWN(unread_bytes_do_not_disturb_the_next_connection),
        WITH_TEARDOWN(half_a_packet_does_not_disturb_the_next_connection),
        WITH_TEARDOWN(a_program_that_was_killed_does_not_disturb_the_next_one),
        WITH_TEARDOWN(unplugging_ends_a_pull_and_replugging_works),
        WITH_TEARDOWN(files_of_every_size_are_echoed),
        WITH_TEARDOWN(slow_readers_receive_every_byte),
        WITH_TEARDOWN(sixteen_streams_share_the_cable),
        WITH_TEARDOWN(file_of_64_megabytes_is_echoed),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
