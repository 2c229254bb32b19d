#include "tests/adb/sync/sync_peer.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

struct deadline sync_peer_soon(void)
{
    return deadline_in_ms(60000);
}

static const char *env(const char *name)
{
    const char *value = getenv(name);

    if (!value)
        fail_msg("%s is not set: run this with tests/peers/with-adbd", name);
    return value;
}

void sync_peer_assert_ok(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

void sync_peer_assert_fails(bool done, const struct err *err,
                            enum err_code code)
{
    if (done)
        fail_msg("it should have failed: %s", err_code_name(code));
    if (err->code != code)
        fail_msg("%s instead of %s: %s", err_code_name(err->code),
                 err_code_name(code), err->text);
}

struct device *sync_peer_open_device(bool through_server)
{
    struct err err = ERR_INIT;
    struct device *device = NULL;
    char host[TCP_HOST_MAX];
    uint16_t port;
    struct server_client server;

    if (through_server) {
        sync_peer_assert_ok(server_client_from_environment(&server, &err),
                            &err);
        sync_peer_assert_ok(device_open_server(&server,
                                               env("PROCTOR_PEER_ADBD"),
                                               sync_peer_soon(), &device, &err),
                            &err);
    } else {
        sync_peer_assert_ok(
            tcp_parse_address(env("PROCTOR_PEER_ADBD"), 0, host, &port, &err),
            &err);
        sync_peer_assert_ok(
            device_open_tcp(host, port, NULL, sync_peer_soon(), &device, &err),
            &err);
    }
    return device;
}

struct sync *sync_peer_open_sync(struct device *device,
                                 const struct sync_options *options)
{
    struct err err = ERR_INIT;
    struct sync *sync = NULL;

    sync_peer_assert_ok(
        sync_open(device, options, sync_peer_soon(), &sync, &err), &err);
    return sync;
}

static struct sync_peer *peer_new(bool through_server)
{
    struct sync_peer *peer = mem_new(1, sizeof(*peer));
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/sync.XXXXXX", env("TMPDIR"));
    assert_non_null(mkdtemp(path));
    assert_int_equal(chdir(path), 0);
    snprintf(path, sizeof(path), "%s" REMOTE, env("PROCTOR_PEER_ROOT"));
    assert_int_equal(symlink(path, "device"), 0);
    peer->through_server = through_server;
    peer->device = sync_peer_open_device(through_server);
    peer->sync = sync_peer_open_sync(peer->device, NULL);
    return peer;
}

int sync_peer_open_direct(void **state)
{
    *state = peer_new(false);
    return 0;
}

int sync_peer_open_through_server(void **state)
{
    *state = peer_new(true);
    return 0;
}

int sync_peer_close(void **state)
{
    struct sync_peer *peer = *state;

    sync_close(peer->sync);
    device_close(peer->device);
    free(peer);
    return 0;
}

void sync_peer_save_random(const char *path, size_t size, uint32_t seed)
{
    struct err err = ERR_INIT;
    uint32_t *words = mem_new(size / 4 + 1, 4);

    for (size_t i = 0; i <= size / 4; i++) {
        seed = seed * 1664525U + 1013904223U;
        words[i] = seed;
    }
    sync_peer_assert_ok(file_save(path, 0644, words, size, &err), &err);
    free(words);
}

void sync_peer_assert_same_file(const char *a, const char *b)
{
    struct buf one = BUF_INIT((size_t)256 << 20);
    struct buf two = BUF_INIT((size_t)256 << 20);
    struct err err = ERR_INIT;

    sync_peer_assert_ok(file_load(a, &one, &err), &err);
    sync_peer_assert_ok(file_load(b, &two, &err), &err);
    assert_int_equal(one.length, two.length);
    assert_true(!one.length || !memcmp(one.data, two.data, one.length));
    buf_release(&one);
    buf_release(&two);
}

mode_t sync_peer_pulled_mode(mode_t mode)
{
    mode_t mask = umask(0);

    umask(mask);
    return mode & ~mask;
}

mode_t sync_peer_adbd_mode(mode_t mode)
{
    mode |= mode >> 3 & 0070;
    return mode | (mode >> 3 & 0007);
}

void sync_peer_assert_same_facts(const char *a, const char *b,
                                 mode_t changed(mode_t))
{
    struct stat one;
    struct stat two;

    assert_int_equal(lstat(a, &one), 0);
    assert_int_equal(lstat(b, &two), 0);
    assert_int_equal(changed(one.st_mode), two.st_mode);
    assert_int_equal(one.st_mtime, two.st_mtime);
}

/*
 * Stock adbd sends OKAY before it sets a file's time. It handles one request at
 * a time, so the answer to another request comes after that.
 */
void sync_peer_push_to_the_end(struct sync_peer *peer, const char *source,
                               const char *target, struct sync_totals *totals)
{
    struct sync_stat stat;
    struct err err = ERR_INIT;

    sync_peer_assert_ok(
        sync_push(peer->sync, source, target, sync_peer_soon(), totals, &err),
        &err);
    sync_peer_assert_ok(
        sync_stat(peer->sync, target, true, sync_peer_soon(), &stat, &err),
        &err);
}

void sync_peer_assert_empty(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;

    assert_non_null(directory);
    while ((entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            fail_msg("%s holds %s", path, entry->d_name);
    }
    closedir(directory);
}
