/* Run a fuzz target once on each file of its corpus, without libFuzzer. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "tests/fuzz/fuzz.h"

#define INPUT_MAX ((size_t)16 << 20)

/*
 * The input in memory of exactly its size, so that ASan detects a read beyond.
 */
static void run(const struct buf *input)
{
    uint8_t *bytes = mem_new(input->length, 1);

    if (input->length)
        memcpy(bytes, input->data, input->length);
    LLVMFuzzerTestOneInput(bytes, input->length);
    free(bytes);
}

static bool replay(const char *corpus, const char *name, struct err *err)
{
    struct buf path = BUF_INIT(4096);
    struct buf input = BUF_INIT(INPUT_MAX);
    bool loaded;

    buf_printf(&path, "%s/%s", corpus, name);
    loaded = file_load(buf_cstr(&path), &input, err);
    if (loaded) {
        printf("%s\n", name);
        fflush(stdout); /* the last name is the one that crashed */
        run(&input);
    }
    buf_release(&input);
    buf_release(&path);
    return loaded;
}

static bool replay_all(const char *corpus, size_t *count, struct err *err)
{
    DIR *directory = opendir(corpus);
    struct dirent *entry;
    bool good = true;

    if (!directory)
        return err_errno(err, errno, "opening \"%s\"", corpus);
    while (good && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.')
            continue;
        good = replay(corpus, entry->d_name, err);
        ++*count;
    }
    closedir(directory);
    return good;
}

int main(int argc, char **argv)
{
    struct err err = ERR_INIT;
    size_t count = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (!replay_all(argv[1], &count, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return EXIT_FAILURE;
    }
    printf("%zu inputs\n", count);
    return count ? EXIT_SUCCESS : EXIT_FAILURE;
}
