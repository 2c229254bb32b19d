#include "tests/tools/phone/adbd/sync_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"

struct deadline sync_client_deadline(void)
{
    return deadline_in_ms(60000);
}

void assert_ok(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

void sync_client_open(struct sync_client *client,
                      enum sync_compression compression)
{
    const struct sync_options options = {.compression = compression};
    struct err err;

    sync_close(client->sync);
    assert_ok(sync_open(client->host, &options, sync_client_deadline(),
                        &client->sync, &err),
              &err);
}

struct sync_client *sync_client_start(const struct files_limits *limits,
                                      feature_set features)
{
    struct sync_client *client = mem_new(1, sizeof(*client));

    file_phone_start(&client->phone, limits, features);
    client->host = file_phone_connect(&client->phone);
    sync_client_open(client, SYNC_ANY);
    return client;
}

void sync_client_stop(struct sync_client *client)
{
    sync_close(client->sync);
    device_close(client->host);
    file_phone_stop(&client->phone);
    free(client);
}

int sync_client_set_up(void **state)
{
    *state = sync_client_start(NULL, FILE_PHONE_FEATURES);
    return 0;
}

int sync_client_tear_down(void **state)
{
    sync_client_stop(*state);
    return 0;
}

/* A file of ours: bytes that compress a little. */
static int make_file(size_t size)
{
    int fd = memfd_create("file", MFD_CLOEXEC);
    uint8_t *data = mem_new(size + 1, 1);
    uint32_t random = (uint32_t)size + 1;
    struct err err;

    for (size_t i = 0; i < size; i++) {
        random = random * 1664525 + 1013904223;
        data[i] = (uint8_t)(random >> 28);
    }
    assert_true(fd >= 0);
    assert_ok(file_write(fd, data, size, &err), &err);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    free(data);
    return fd;
}

static bool are_equal(int one, int other)
{
    off_t size = lseek(one, 0, SEEK_END);
    char *data[2];
    bool equal;

    if (lseek(other, 0, SEEK_END) != size)
        return false;
    data[0] = mem_new((size_t)size + 1, 1);
    data[1] = mem_new((size_t)size + 1, 1);
    equal = pread(one, data[0], (size_t)size, 0) == size &&
            pread(other, data[1], (size_t)size, 0) == size &&
            !memcmp(data[0], data[1], (size_t)size);
    free(data[0]);
    free(data[1]);
    return equal;
}

bool sync_client_send(struct sync_client *client, const char *path, size_t size,
                      struct err *err)
{
    int fd = make_file(size);
    bool sent = sync_send(client->sync, fd, path, S_IFREG | 0640,
                          SYNC_CLIENT_MTIME, size, sync_client_deadline(), err);

    close(fd);
    return sent;
}

void sync_client_round_trip(struct sync_client *client, size_t size)
{
    int sent = make_file(size);
    int got = memfd_create("got", MFD_CLOEXEC);
    struct err err;

    assert_ok(sync_send(client->sync, sent, SYNC_TALK_REMOTE "/f",
                        S_IFREG | 0640, SYNC_CLIENT_MTIME, size,
                        sync_client_deadline(), &err),
              &err);
    assert_ok(sync_receive(client->sync, SYNC_TALK_REMOTE "/f", got, size,
                           sync_client_deadline(), &err),
              &err);
    if (!are_equal(sent, got))
        fail_msg("%zu bytes came back changed", size);
    close(sent);
    close(got);
}
