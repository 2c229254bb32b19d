/*
 * Clients that ask for too much: endless files, and output that they do not
 * read. The phone uses a bounded amount of memory, and serves others meanwhile.
 */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "adb/wire/packet.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "tests/support/adb/send_all.h"
#include "tests/support/adb/shell_helper.h"
#include "tests/support/heap.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)
#define STORAGE ((uint64_t)32 << 20)
#define CHUNK ((size_t)64 << 10) /* sync's largest */
#define STREAMS 64U

/* Memory for all running transfers, besides what is stored. */
#define SLACK ((size_t)48 << 20)

/* adb/daemon/daemon.h: unread bytes of a stream. */
#define HELD_BY_STREAM ((size_t)3 << 20)

static struct phone *start(void)
{
    const struct phone_options options = {.storage = STORAGE};
    struct phone *phone = NULL;
    struct err err = ERR_INIT;

    if (!phone_start(&options, &phone, &err))
        fail_msg("%s", err.text);
    return phone;
}

/* Other clients are served. */
static void assert_serves(const struct phone *phone)
{
    struct device *device = shell_helper_connect(phone_port(phone));
    struct shell_result result;
    struct err err = ERR_INIT;

    assert_true(shell_run(device, "echo here", 4096, SOON, &result, &err));
    assert_string_equal(buf_cstr(&result.out), "here\n");
    shell_result_release(&result);
    device_close(device);
}

static void write_request(struct stream *stream, const char *id, size_t length,
                          const char *data)
{
    uint8_t head[8];
    struct err err = ERR_INIT;

    memcpy(head, id, 4);
    put_u32le(head + 4, (uint32_t)length);
    if (!stream_write(stream, head, sizeof(head), SOON, &err) ||
        (data && !stream_write(stream, data, length, SOON, &err)))
        fail_msg("%s", err.text);
}

/* It is endless: the test stops after five times what fits. */
static void endless_push_is_limited_by_the_phones_storage(void **state)
{
    static const char name[] = "/sdcard/endless,33188";
    struct phone *phone = start();
    struct device *device = shell_helper_connect(phone_port(phone));
    size_t before = heap_in_use();
    char *chunk = mem_new(CHUNK, 1);
    char answer[4];
    struct stream *stream;
    struct err err = ERR_INIT;
    size_t most = 0;

    (void)state;
    assert_true(device_open_service(device, "sync:", SOON, &stream, &err));
    write_request(stream, "SEND", strlen(name), name);
    for (uint64_t sent = 0; sent < 5 * STORAGE; sent += CHUNK) {
        size_t now = heap_in_use();

        write_request(stream, "DATA", CHUNK, chunk);
        most = now > most ? now : most;
    }
    if (before && most > before + STORAGE + SLACK)
        fail_msg("it grew by %zu MiB", (most - before) >> 20U);
    write_request(stream, "DONE", 0, NULL);
    assert_true(stream_read_exact(stream, answer, 4, SOON, &err));
    assert_memory_equal(answer, "FAIL", 4);
    assert_serves(phone);
    stream_close(stream);
    device_close(device);
    free(chunk);
    phone_stop(phone);
}

/* ---- a host by hand, which never reads ---- */

static int connect_to(const struct phone *phone)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(phone_port(phone)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)),
                     0);
    return fd;
}

static void say(int fd, uint32_t command, uint32_t arg0, uint32_t arg1,
                const char *text)
{
    size_t length = strlen(text) + 1;
    struct packet packet = {
        .command = command,
        .arg0 = arg0,
        .arg1 = arg1,
        .length = (uint32_t)length,
        .check = packet_checksum(text, length),
    };
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(&packet, header);
    assert_true(send_all(fd, (const char *)header, sizeof(header)));
    assert_true(send_all(fd, text, length));
}

static void unread_output_blocks_its_command(void **state)
{
    static const char *const services[] = {
        "shell,v2,raw:yes",
        "exec:cat /dev/zero",
        "shell:while :; do echo more; done",
        "exec:yes | cat",
    };
    const struct timespec while_it_runs = {.tv_nsec = 500000000};
    struct phone *phone = start();
    size_t before = heap_in_use();
    int fd = connect_to(phone);

    (void)state;
    say(fd, PACKET_CNXN, PACKET_VERSION_SKIP_CHECKSUM, 1U << 20U,
        "host::features=shell_v2,cmd,delayed_ack");
    for (uint32_t i = 0; i < STREAMS; i++)
        say(fd, PACKET_OPEN, i + 1, 1U << 30U, services[i % 4]);
    for (int i = 0; i < 4; i++) {
        nanosleep(&while_it_runs, NULL);
        assert_serves(phone);
        if (before && heap_in_use() > before + STREAMS * HELD_BY_STREAM + SLACK)
            fail_msg("it grew by %zu MiB", (heap_in_use() - before) >> 20U);
    }
    close(fd);
    phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_push_is_limited_by_the_phones_storage),
        cmocka_unit_test(unread_output_blocks_its_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
