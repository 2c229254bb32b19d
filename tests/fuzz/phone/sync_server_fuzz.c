/*
 * A host's bytes for the phone's sync service: the first byte selects the size
 * of the pieces, the rest are requests.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/adb/scripted_stream.h"
#include "tools/phone/adbd/sync_server.h"
#include "tools/phone/files/initial_files.h"

#define PROPERTIES "ro.product.model=Proctor\n"

static int64_t no_time(void *context)
{
    (void)context;
    return 0;
}

/* Read-only files must not change. */
static void check_system(struct phone_files *root)
{
    struct shared_bytes *content;
    int number;

    fuzz_expect(files_open(root, "/system/build.prop", &content, &number));
    fuzz_expect(content->size == strlen(PROPERTIES) &&
                !memcmp(content->data, PROPERTIES, content->size));
    shared_bytes_drop(content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct files_limits limits = {.bytes = 1 << 20, .nodes = 256};
    struct scripted_stream script;
    struct sync_server server;
    struct phone_files *root;
    struct phone_files *shell;
    int number;

    if (!size)
        return 0;
    root = files_new(&limits, (struct phone_time_source){.now = no_time});
    fuzz_expect(initial_files_create(root, PROPERTIES, 0600, &number));
    shell = files_as(root, &files_shell);
    sync_server_init(&server, shell);
    scripted_stream_init(&script, (const char *)data + 1, size - 1,
                         1 + data[0]);
    sync_server_serve(&server, "", &script.stream, NULL);
    fuzz_expect(space_used(server.memory) == 0);
    fuzz_expect(files_space(root).bytes_used <= limits.bytes);
    fuzz_expect(files_space(root).nodes_used <= limits.nodes);
    check_system(root);
    sync_server_release(&server);
    files_free(shell);
    files_free(root);
    return 0;
}
