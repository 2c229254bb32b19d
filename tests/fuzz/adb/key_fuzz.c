/* Key files, and public key lines. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "adb/trust/key.h"
#include "tests/fuzz/fuzz.h"

/* An accepted public key is the same after it was written and read. */
static void read_line(const char *data, size_t size)
{
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    char before[KEY_FINGERPRINT_SIZE];
    char after[KEY_FINGERPRINT_SIZE];
    struct key *key;
    struct key *again;
    struct err err;

    if (!key_parse_public(data, size, &key, &err))
        return;
    fuzz_expect(key_public_text(key, &line, &err));
    fuzz_expect(key_parse_public(buf_cstr(&line), line.length, &again, &err));
    fuzz_expect(key_fingerprint(key, before, &err));
    fuzz_expect(key_fingerprint(again, after, &err));
    for (size_t i = 0; i < sizeof(before); i++)
        fuzz_expect(before[i] == after[i]);
    buf_release(&line);
    key_close(key);
    key_close(again);
}

static void read_file(const void *data, size_t size)
{
    int fd = memfd_create("key", MFD_CLOEXEC);
    struct key *key = NULL;
    char path[64];
    struct err err;

    fuzz_expect(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (key_read(path, &key, &err))
        fuzz_expect(key_pkey(key) != NULL);
    key_close(key);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_line((const char *)data, size);
    read_file(data, size);
    return 0;
}
