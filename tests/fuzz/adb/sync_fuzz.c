/*
 * A device's answers to each sync request. The first byte selects the request,
 * the second the pieces and the compression, the rest is the device's.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/sync/sync_scan.h"
#include "adb/sync/sync_session.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/adb/scripted_stream.h"

/* Small inputs can decompress to much; this is enough for a test. */
#define UNPACKED_MAX ((uint64_t)1 << 20)

static bool stop_when_large(void *context, const char *path, uint64_t moved,
                            uint64_t total)
{
    (void)context;
    (void)path;
    (void)total;
    return moved < UNPACKED_MAX;
}

static bool check_name(void *context, const char *name,
                       const struct sync_stat *stat)
{
    (void)context;
    (void)stat;
    fuzz_expect(*name && !strchr(name, '/'));
    fuzz_expect(strlen(name) <= SYNC_NAME_MAX);
    return true;
}

static bool scan(struct sync *sync, struct err *err)
{
    const struct sync_stat root = {.mode = S_IFDIR | 0755};
    struct sync_scan tree = SYNC_SCAN_INIT;
    bool done = sync_scan_remote(&tree, sync, "/", &root, DEADLINE_NEVER, err);

    for (size_t i = 1; i < tree.count; i++) {
        const char *path = sync_scan_path(&tree, &tree.entries[i]);

        fuzz_expect(*path && *path != '/');
        fuzz_expect(strncmp(path, "../", 3) && !strstr(path, "/../"));
        fuzz_expect(tree.entries[i].depth <= SYNC_DEPTH_MAX);
    }
    sync_scan_release(&tree);
    return done;
}

static bool request(struct sync *sync, unsigned which, int fd, struct err *err)
{
    struct sync_stat stat;

    switch (which % 6) {
    case 0:
        return sync_stat(sync, "/p", false, DEADLINE_NEVER, &stat, err);
    case 1:
        return sync_stat(sync, "/p", true, DEADLINE_NEVER, &stat, err);
    case 2:
        return sync_list(sync, "/p", check_name, NULL, DEADLINE_NEVER, err);
    case 3:
        return sync_receive(sync, "/p", fd, 0, DEADLINE_NEVER, err);
    case 4:
        return sync_send(sync, fd, "/p", 0100644, 0, 0, DEADLINE_NEVER, err);
    default:
        return scan(sync, err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};
    struct sync_options options = {.progress = stop_when_large};
    feature_set features = 0;
    struct scripted_stream script;
    struct err err = ERR_INIT;
    struct sync *sync;
    int fd;

    if (size < 2)
        return 0;
    if (data[0] & 0x80) { /* a device of version 2 */
        features = ~(feature_set)0;
        options.compression = ways[data[1] % ARRAY_LEN(ways)];
    }
    fd = memfd_create("file", MFD_CLOEXEC);
    scripted_stream_init(&script, (const char *)data + 2, size - 2,
                         1 + data[1] / ARRAY_LEN(ways));
    fuzz_expect(
        sync_over_stream(&script.stream, features, &options, &sync, &err));
    fuzz_expect(request(sync, data[0] & 0x7f, fd, &err) ==
                (err.code == ERR_NONE));
    sync_close(sync);
    close(fd);
    return 0;
}
