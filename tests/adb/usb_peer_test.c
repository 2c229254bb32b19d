/*
 * A real kernel's USB, and a stock adbd at the other end of it. Runs inside
 * tests/peers/usb/with-usb.
 */
#include "adb/usb.h"

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

#include "adb/discover.h"
#include "adb/packet.h"
#include "adb/shell.h"
#include "adb/sync.h"
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

static void assert_ok(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

static struct device *open_phone(void)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;

    assert_ok(discover_open(&on_usb, environment("PROCTOR_PEER_SERIAL"), SOON,
                            &device, &err),
              &err);
    return device;
}

static void assert_shell_works(struct device *device)
{
    struct shell_result result;
    struct err err = ERR_INIT;

    assert_ok(shell_run(device, "echo out; echo err >&2; exit 7", 4096, SOON,
                        &result, &err),
              &err);
    assert_string_equal(buf_cstr(&result.out), "out\n");
    assert_string_equal(buf_cstr(&result.errors), "err\n");
    assert_int_equal(result.status, 7);
    shell_result_release(&result);
}

/* One that was unplugged or set back leaves the bus for a moment. */
static void await_phone(void)
{
    struct deadline by = SOON;
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

static void assert_phone_works(void)
{
    struct device *device;

    await_phone();
    device = open_phone();
    assert_shell_works(device);
    device_close(device);
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

static void a_command_runs_and_tells_its_status(void **state)
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
    device_close(device);
}

/* Run the computer's own adb; false: there is none, or it failed. */
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

/* Look until the server has found the phone, too. */
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
    struct device *device = NULL;
    struct server server;
    struct err err = ERR_INIT;

    (void)state;
    if (!run_adb("start-server"))
        skip();
    assert_ok(server_from_environment(&server, &err), &err);
    discover.server = &server;
    assert_non_null(
        strstr(entry_at_server(&discover).reason, "the adb server, pid "));
    assert_ok(discover_open(&discover, environment("PROCTOR_PEER_SERIAL"), SOON,
                            &device, &err),
              &err);
    assert_non_null(device_server(device));
    assert_shell_works(device);
    device_close(device);
    assert_true(run_adb("kill-server"));
    assert_phone_works();
}

/* ---- moving files ---- */

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
    /* Compressed data would not be of the sizes that are meant here. */
    const struct sync_options options = {.compression = SYNC_NONE};
    struct sync *sync = NULL;
    struct err err = ERR_INIT;

    assert_ok(sync_open(device, &options, SOON, &sync, &err), &err);
    return sync;
}

static void files_of_every_size_come_back_whole(void **state)
{
    static const size_t around[] = {512,   1024,  4096,     16384,       32768,
                                    65536, 98304, MEGABYTE, 2 * MEGABYTE};
    struct device *device = open_phone();
    struct sync *sync = open_sync(device);

    (void)state;
    send_and_receive(sync, REMOTE, 0);
    send_and_receive(sync, REMOTE, 1);
    for (size_t i = 0; i < ARRAY_LEN(around); i++) {
        /* What goes into one packet with the data of a file differs by the
         * headers of the sync protocol: 8 bytes each. */
        for (size_t less = 0; less <= 16; less += 8) {
            send_and_receive(sync, REMOTE, around[i] - less - 1);
            send_and_receive(sync, REMOTE, around[i] - less);
            send_and_receive(sync, REMOTE, around[i] - less + 1);
        }
    }
    sync_close(sync);
    device_close(device);
}

static void a_file_of_64_megabytes_comes_back_whole(void **state)
{
    struct device *device = open_phone();
    struct sync *sync = open_sync(device);

    (void)state;
    send_and_receive(sync, REMOTE, 64 * MEGABYTE);
    sync_close(sync);
    device_close(device);
}

/* Raw streams make payloads of exactly these sizes. */
static void payloads_of_full_packets_are_echoed(void **state)
{
    static const size_t sizes[] = {511,  512,  513,   1023,  1024,
                                   1025, 4096, 32768, 65536, 131072};
    struct device *device = open_phone();
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_ok(device_open_service(device, "exec:cat", SOON, &stream, &err),
              &err);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        uint8_t *sent = mem_new(sizes[i], 1);
        uint8_t *back = mem_new(sizes[i], 1);

        for (size_t at = 0; at < sizes[i]; at++)
            sent[at] = byte_at(at);
        assert_ok(stream_write(stream, sent, sizes[i], SOON, &err), &err);
        assert_ok(stream_read_exact(stream, back, sizes[i], SOON, &err), &err);
        assert_memory_equal(sent, back, sizes[i]);
        free(sent);
        free(back);
    }
    stream_close(stream);
    device_close(device);
}

/* ---- many at once ---- */

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
    device_close(device);
}

/* ---- trouble ---- */

static void unplug(void)
{
    int fd = open(environment("PROCTOR_PEER_UDC"), O_WRONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "\n", 1), 1);
    close(fd);
}

/* Begin to read something that never ends, and be in the middle of it. */
static struct stream *begin_to_read(struct device *device)
{
    char *data = mem_new(MEGABYTE, 1);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    assert_ok(
        device_open_service(device, "exec:cat /dev/zero", SOON, &stream, &err),
        &err);
    assert_ok(stream_read_exact(stream, data, MEGABYTE, LATER, &err), &err);
    free(data);
    return stream;
}

static void unplugging_ends_a_pull_and_plugging_in_mends_it(void **state)
{
    struct device *device = open_phone();
    struct stream *stream = begin_to_read(device);
    char *data = mem_new(MEGABYTE, 1);
    struct err err = ERR_INIT;

    (void)state;
    unplug();
    while (stream_read_exact(stream, data, MEGABYTE, SOON, &err))
        ;
    assert_int_equal(err.code, ERR_LOST);
    assert_non_null(strstr(err.text, "unplugged"));
    free(data);
    stream_close(stream);
    device_close(device);
    await_phone();
    assert_phone_works();
}

static void what_was_left_unread_does_not_disturb_the_next_one(void **state)
{
    struct device *device = open_phone();
    struct stream *stream = begin_to_read(device);

    (void)state;
    stream_close(stream);
    device_close(device);
    assert_phone_works();
}

static void half_a_packet_does_not_disturb_the_next_one(void **state)
{
    const struct packet packet = {.command = PACKET_WRTE, .length = 1000};
    struct transport *transport = NULL;
    struct usb_phone phone;
    uint8_t bytes[PACKET_HEADER_SIZE + 512] = {0};
    struct err err = ERR_INIT;

    (void)state;
    assert_ok(usb_open(environment("PROCTOR_PEER_SERIAL"), NULL, SOON, &phone,
                       &transport, &err),
              &err);
    packet_encode(&packet, bytes);
    assert_ok(transport_write_all(transport, bytes, sizeof(bytes), SOON, &err),
              &err);
    transport_close(transport);
    assert_phone_works();
}

/* Push without end, until killed. */
static void push_for_ever(void)
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
        ;
    _exit(1);
}

static void a_program_that_was_killed_does_not_disturb_the_next_one(
    void **state)
{
    int status;

    (void)state;
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();

        assert_true(child >= 0);
        if (!child)
            push_for_ever();
        usleep(3000000 + (useconds_t)i * 170000);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_phone_works();
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_phone_is_listed_by_its_serial),
        cmocka_unit_test(a_command_runs_and_tells_its_status),
        cmocka_unit_test(a_phone_in_use_is_busy),
        cmocka_unit_test(a_phone_that_a_server_holds_is_used_through_it),
        cmocka_unit_test(payloads_of_full_packets_are_echoed),
        cmocka_unit_test(what_was_left_unread_does_not_disturb_the_next_one),
        cmocka_unit_test(half_a_packet_does_not_disturb_the_next_one),
        cmocka_unit_test(
            a_program_that_was_killed_does_not_disturb_the_next_one),
        cmocka_unit_test(unplugging_ends_a_pull_and_plugging_in_mends_it),
        cmocka_unit_test(files_of_every_size_come_back_whole),
        cmocka_unit_test(sixteen_streams_share_the_cable),
        cmocka_unit_test(a_file_of_64_megabytes_comes_back_whole),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
