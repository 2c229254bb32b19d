#include "tests/support/folder_search.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"

#define DESCRIPTORS 16
#define FILE_MAX ((size_t)64 << 20)

/* nftw passes nothing on. */
static const void *wanted;
static size_t wanted_length;
static char place[1024];

static int search_file(const char *path, const struct stat *facts, int kind,
                       struct FTW *walk)
{
    struct buf content = BUF_INIT(FILE_MAX);
    struct err err = ERR_INIT;
    bool found;

    (void)facts, (void)walk;
    if (kind != FTW_F)
        return 0;
    if (!file_load(path, &content, &err))
        fail_msg("%s", err.text);
    found = content.length &&
            memmem(content.data, content.length, wanted, wanted_length);
    buf_release(&content);
    if (found)
        snprintf(place, sizeof(place), "%s", path);
    return found;
}

const char *folder_search(const char *folder, const void *bytes, size_t length)
{
    int found;

    wanted = bytes;
    wanted_length = length;
    found = nftw(folder, search_file, DESCRIPTORS, FTW_PHYS);
    assert_in_range(found, 0, 1);
    return found ? place : NULL;
}

const char *folder_search_text(const char *folder, const char *text)
{
    return folder_search(folder, text, strlen(text));
}
