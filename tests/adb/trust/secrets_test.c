/*
 * Secrets must neither appear in a trace or a message, nor stay in memory after
 * use.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sodium.h>

#include "adb/connection/conn.h"
#include "adb/transport/tcp.h"
#include "adb/trust/pairing.h"
#include "base/mem.h"
#include "tests/support/adb/fault_proxy.h"

#define SOON deadline_in_ms(60000)
#define GUID "adb-1A2B3C4D-xYzAbC"

static struct key *phone_key;
static struct key *my_key;

static int setup(void **state)
{
    struct err err;

    (void)state;
    return key_generate(&phone_key, &err) && key_generate(&my_key, &err) ? 0
                                                                         : -1;
}

static int teardown(void **state)
{
    (void)state;
    key_close(phone_key);
    key_close(my_key);
    return 0;
}

static struct transport *wrap(int fd)
{
    struct transport *transport;
    struct err err;

    assert_true(
        tcp_wrap(fd, (struct tcp_keepalive){0}, NULL, &transport, &err));
    return transport;
}

/* ---- traces ---- */

static bool accept_anybody(void *context, const char *line)
{
    (void)context, (void)line;
    return true;
}

struct device {
    int fd;
    const struct log *log;
    pthread_t thread;
};

static void *device_main(void *context)
{
    const struct device *device = context;
    const struct keyring known = {{phone_key}, 1};
    const struct auth_policy policy = {.demand = AUTH_SIGNATURE,
                                       .own = phone_key,
                                       .known = &known,
                                       .ask = accept_anybody};
    const struct conn_options options = {.role = CONN_DEVICE,
                                         .banner = {.state = "device"},
                                         .policy = &policy,
                                         .log = device->log};
    struct conn *conn;
    struct err err;

    assert_true(conn_open(wrap(device->fd), &options, SOON, &conn, &err));
    while (!conn_is_lost(conn, NULL))
        usleep(1000);
    conn_close(conn);
    return NULL;
}

/* Sign, offer the key, be accepted, and use the connection. */
static void run_session(const struct log *log,
                        struct buf received[WIRE_FAULT_WAYS])
{
    const struct keyring keys = {{my_key}, 1};
    const struct auth_credentials credentials = {.keys = &keys};
    const struct conn_options options = {.role = CONN_HOST,
                                         .banner = {.state = "host"},
                                         .credentials = &credentials,
                                         .log = log};
    struct device device = {.log = log};
    struct fault_proxy *proxy;
    size_t passed[WIRE_FAULT_WAYS];
    struct stream *stream;
    struct conn *conn;
    struct err err;
    int fd;

    proxy = fault_proxy_start((struct wire_fault){.received = received}, &fd,
                              &device.fd);
    assert_non_null(proxy);
    assert_int_equal(pthread_create(&device.thread, NULL, device_main, &device),
                     0);
    assert_true(conn_open(wrap(fd), &options, SOON, &conn, &err));
    assert_false(conn_open_stream(conn, "shell:", SOON, &stream, &err));
    conn_close(conn);
    pthread_join(device.thread, NULL);
    fault_proxy_stop(proxy, passed);
}

/* No eight consecutive bytes may appear, raw or in hexadecimal. */
static void assert_lacks(const char *trace, size_t length, const char *secret,
                         size_t size)
{
    for (size_t i = 0; i + 8 <= size; i++) {
        char hex[17];

        sodium_bin2hex(hex, sizeof(hex), (const unsigned char *)secret + i, 8);
        assert_null(memmem(trace, length, secret + i, 8));
        assert_null(strcasestr(trace, hex));
    }
}

/* The payloads of all AUTH packets in this direction; returns their number. */
static size_t assert_lacks_auth(const char *trace, size_t length,
                                const struct buf *received)
{
    size_t found = 0;
    size_t at = 0;

    while (at + PACKET_HEADER_SIZE <= received->length) {
        struct packet packet;
        struct err err;

        assert_true(packet_decode((const uint8_t *)received->data + at,
                                  PACKET_MAX_PAYLOAD, &packet, &err));
        at += PACKET_HEADER_SIZE;
        if (packet.command == PACKET_AUTH) {
            assert_lacks(trace, length, received->data + at, packet.length);
            found++;
        }
        at += packet.length;
    }
    return found;
}

static void a_trace_of_auth_has_no_token_signature_or_key(void **state)
{
    struct buf received[WIRE_FAULT_WAYS] = {BUF_INIT(65536), BUF_INIT(65536)};
    char *trace = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&trace, &length);
    struct log log;
    struct err err;

    (void)state;
    assert_non_null(out);
    assert_true(log_init(&log, out, "all", &err));
    run_session(&log, received);
    fclose(out);
    assert_non_null(strstr(trace, "OPEN")); /* tracing works */
    assert_int_equal(
        assert_lacks_auth(trace, length, &received[WIRE_FAULT_TO_HOST]), 2);
    assert_int_equal(
        assert_lacks_auth(trace, length, &received[WIRE_FAULT_TO_DEVICE]), 2);
    buf_release(&received[WIRE_FAULT_TO_HOST]);
    buf_release(&received[WIRE_FAULT_TO_DEVICE]);
    free(trace);
}

/* ---- memory ---- */

#define NEEDLE_SIZE 24

/* A secret to search for: stored masked, so that it does not find itself. */
struct needle {
    uint8_t disguised[NEEDLE_SIZE];
};

#define DISGUISE 0xa5

static bool is_needle(const uint8_t *data, const struct needle *needle)
{
    size_t same = 0;

    while (same < NEEDLE_SIZE &&
           (data[same] ^ DISGUISE) == needle->disguised[same])
        same++;
    return same == NEEDLE_SIZE;
}

static bool holds(const uint8_t *data, size_t size, const struct needle *needle)
{
    const uint8_t *end = data + size;

    while ((data = memchr(data, needle->disguised[0] ^ DISGUISE,
                          (size_t)(end - data)))) {
        if (end - data >= NEEDLE_SIZE && is_needle(data, needle))
            return true;
        data++;
    }
    return false;
}

/* Search a range of our own memory, in pieces. */
static bool range_holds(int memory, uint64_t from, uint64_t to,
                        const struct needle *needle)
{
    static uint8_t piece[65536 + NEEDLE_SIZE];
    bool found = false;

    for (uint64_t at = from; !found && at < to; at += 65536) {
        size_t size = to - at < sizeof(piece) ? to - at : sizeof(piece);
        ssize_t got = pread(memory, piece, size, (off_t)at);

        found = got > 0 && holds(piece, (size_t)got, needle);
    }
    sodium_memzero(piece, sizeof(piece));
    return found;
}

/* Sanitizers map ranges far larger than the memory. */
#define RANGE_MAX ((uint64_t)1 << 28)

static bool memory_holds(const struct needle *needle)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    bool found = false;
    char line[512];

    assert_non_null(maps);
    assert_true(memory >= 0);
    while (!found && fgets(line, sizeof(line), maps)) {
        /* "7f0c1000-7f0c2000 rw-p ..." */
        char *rest;
        uint64_t from = strtoull(line, &rest, 16);
        uint64_t to = *rest == '-' ? strtoull(rest + 1, &rest, 16) : 0;

        if (to && rest[0] == ' ' && rest[2] == 'w' && to - from <= RANGE_MAX)
            found = range_holds(memory, from, to, needle);
    }
    close(memory);
    fclose(maps);
    return found;
}

/* A text that is nowhere else. */
static void make_secret(char secret[NEEDLE_SIZE + 1])
{
    uint8_t random[NEEDLE_SIZE / 2];

    randombytes_buf(random, sizeof(random));
    sodium_bin2hex(secret, NEEDLE_SIZE + 1, random, sizeof(random));
}

/* Search for the bytes at secret, and overwrite them. */
static struct needle take(void *secret)
{
    const uint8_t *bytes = secret;
    struct needle needle;

    for (size_t i = 0; i < NEEDLE_SIZE; i++)
        needle.disguised[i] = bytes[i] ^ DISGUISE;
    sodium_memzero(secret, NEEDLE_SIZE);
    return needle;
}

static void remaining_copy_is_found(void **state)
{
    char *copy = mem_new(1, 4096);
    struct needle needle;
    char secret[NEEDLE_SIZE + 1];

    (void)state;
    make_secret(secret);
    memcpy(copy + 1000, secret, sizeof(secret));
    needle = take(secret);
    assert_true(memory_holds(&needle));
    sodium_memzero(copy, 4096);
    assert_false(memory_holds(&needle));
    free(copy);
}

/* Another process creates the key, so that it was never in this one. */
static void make_key_elsewhere(const char *path)
{
    struct key *key;
    struct err err;
    pid_t child = fork();
    int status;

    if (!child)
        _exit(key_generate(&key, &err) && key_write(key, path, &err) ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void key_file_leaves_nothing_in_memory(void **state)
{
    char folder[] = "/tmp/proctor-secrets.XXXXXX";
    char path[64];
    char public[72];
    char part[NEEDLE_SIZE]; /* from the middle of it */
    struct needle needle;
    struct key *key = NULL;
    struct err err;
    int fd;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/adbkey", folder);
    snprintf(public, sizeof(public), "%s.pub", path);
    make_key_elsewhere(path);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(pread(fd, part, sizeof(part), 1000), sizeof(part));
    close(fd);
    needle = take(part);
    assert_true(key_read(path, &key, &err));
    assert_false(memory_holds(&needle));
    key_close(key);
    unlink(public);
    unlink(path);
    rmdir(folder);
}

/* A pairing phone, and its result. */
struct phone {
    int fd;
    const char *code;
    struct err err;
    pthread_t thread;
};

static void store_nothing(void *context, const char *line)
{
    (void)context, (void)line;
}

static void *phone_main(void *context)
{
    struct phone *phone = context;

    (void)!pairing_device(wrap(phone->fd), phone->code, phone_key, GUID, SOON,
                          store_nothing, NULL, &phone->err);
    return NULL;
}

/* Pair, and return whether it succeeded; neither side logs the codes. */
static bool pair(const char *code, const char *phones_code)
{
    const struct keyring keys = {{my_key}, 1};
    struct phone phone = {.code = phones_code, .err = ERR_INIT};
    char guid[PAIRING_GUID_SIZE];
    struct err err = ERR_INIT;
    int ends[2];
    bool paired;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    phone.fd = ends[1];
    assert_int_equal(pthread_create(&phone.thread, NULL, phone_main, &phone),
                     0);
    paired = pairing_host(wrap(ends[0]), code, &keys, SOON, guid, &err);
    pthread_join(phone.thread, NULL);
    assert_null(strstr(err.text, code));
    assert_null(strstr(err.text, phones_code));
    assert_null(strstr(phone.err.text, code));
    assert_null(strstr(phone.err.text, phones_code));
    return paired;
}

static void pairing_code_leaves_nothing_in_memory(void **state)
{
    (void)state;
    for (int right = 0; right < 2; right++) {
        struct needle needle;
        char code[NEEDLE_SIZE + 1];

        make_secret(code);
        assert_int_equal(pair(code, right ? code : "592781"), right);
        needle = take(code);
        assert_false(memory_holds(&needle));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_of_auth_has_no_token_signature_or_key),
        cmocka_unit_test(remaining_copy_is_found),
        cmocka_unit_test(key_file_leaves_nothing_in_memory),
        cmocka_unit_test(pairing_code_leaves_nothing_in_memory),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
