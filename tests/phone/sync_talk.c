#include "tests/phone/sync_talk.h"

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

struct deadline sync_talk_soon(void)
{
    return deadline_in_ms(60000);
}

void assert_ok(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

void sync_talk_open(struct sync_talk *talk, enum sync_compression compression)
{
    const struct sync_options options = {.compression = compression};
    struct err err;

    sync_close(talk->sync);
    assert_ok(
        sync_open(talk->host, &options, sync_talk_soon(), &talk->sync, &err),
        &err);
}

struct sync_talk *sync_talk_start(const struct files_limits *limits,
                                  feature_set features)
{
    struct sync_talk *talk = mem_new(1, sizeof(*talk));

    file_phone_start(&talk->phone, limits, features);
    talk->host = file_phone_connect(&talk->phone);
    sync_talk_open(talk, SYNC_ANY);
    return talk;
}

void sync_talk_stop(struct sync_talk *talk)
{
    sync_close(talk->sync);
    device_close(talk->host);
    file_phone_stop(&talk->phone);
    free(talk);
}

int sync_talk_set_up(void **state)
{
    *state = sync_talk_start(NULL, FILE_PHONE_FEATURES);
    return 0;
}

int sync_talk_tear_down(void **state)
{
    sync_talk_stop(*state);
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

bool sync_talk_send(struct sync_talk *talk, const char *path, size_t size,
                    struct err *err)
{
    int fd = make_file(size);
    bool sent = sync_send(talk->sync, fd, path, S_IFREG | 0640, SYNC_TALK_MTIME,
                          size, sync_talk_soon(), err);

    close(fd);
    return sent;
}

void sync_talk_there_and_back(struct sync_talk *talk, size_t size)
{
    int sent = make_file(size);
    int got = memfd_create("got", MFD_CLOEXEC);
    struct err err;

    assert_ok(sync_send(talk->sync, sent, SYNC_TALK_REMOTE "/f", S_IFREG | 0640,
                        SYNC_TALK_MTIME, size, sync_talk_soon(), &err),
              &err);
    assert_ok(sync_receive(talk->sync, SYNC_TALK_REMOTE "/f", got, size,
                           sync_talk_soon(), &err),
              &err);
    if (!are_equal(sent, got))
        fail_msg("%zu bytes came back changed", size);
    close(sent);
    close(got);
}
