/*
 * What a host says to the phone's sync service: the first byte tells how its
 * bytes are cut, the rest are requests.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/script_stream.h"
#include "tools/phone/start_tree.h"
#include "tools/phone/sync_server.h"

#define PROPERTIES "ro.product.model=Proctor\n"

static int64_t no_time(void *context)
{
    (void)context;
    return 0;
}

/* Nothing that a host says may change what is read-only. */
static void check_system(struct files *root)
{
    struct blob *content;
    int number;

    fuzz_expect(files_open(root, "/system/build.prop", &content, &number));
    fuzz_expect(content->size == strlen(PROPERTIES) &&
                !memcmp(content->data, PROPERTIES, content->size));
    blob_drop(content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct files_limits limits = {.bytes = 1 << 20, .nodes = 256};
    struct script_stream script;
    struct sync_server server;
    struct files *root;
    struct files *shell;
    int number;

    if (!size)
        return 0;
    root = files_new(&limits, (struct phone_clock){.now = no_time});
    fuzz_expect(start_tree_fill(root, PROPERTIES, &number));
    shell = files_as(root, &files_shell);
    sync_server_init(&server, shell);
    script_stream_init(&script, (const char *)data + 1, size - 1, 1 + data[0]);
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
