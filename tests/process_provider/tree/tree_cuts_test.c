/*
 * A dump that ends anywhere: at each single byte of each real dump, if there
 * are any and PROCTOR_FULL is set; otherwise of a generated one.
 *
 * All prefixes of all dumps together are 200 GB. So elements that were closed
 * before the cut are left out, and of the elements around it only the names are
 * kept: the tested text is cut at the same byte, at the same depth, after the
 * same tag. Parts that several dumps have in common are tested once.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "process_provider/tree/tree.h"

#define FOLDER TEST_FIXTURES "/dumps"
#define PIECE_MAX ((size_t)1 << 20)
#define SLOTS ((size_t)1 << 20) /* far more than there are tags */

static const char made[] =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    "<hierarchy rotation=\"0\"><node index=\"0\" text='say \"yes\"' "
    "class=\"android.widget.FrameLayout\" bounds=\"[0,0][1080,2400]\">"
    "<node text=\"a &amp; b &#128512; ü\" class=\"android.widget.Button\" "
    "clickable=\"true\" bounds=\"[-5,0][300,80]\" /></node>"
    "<node text=\"\" class=\"\" bounds=\"[9,9][1,1]\"></node></hierarchy>\n";

/* The elements that are open somewhere in a dump, as a separate dump. */
struct opened {
    struct buf tags;
    size_t lengths[TREE_DEPTH_MAX]; /* offsets of tags, without the innermost */
    size_t depth;
};

/* A tag's position, and the elements open there. */
struct mark {
    size_t start;
    struct buf tags;
};

struct cutter {
    const char *bytes;
    size_t length;
    struct opened opened;
    struct mark marks[2]; /* of the tag before, and of this one */
    struct tree tree;
    uint64_t *seen; /* owned; hashes of prefixes that were tested; 0: none */
    size_t cuts;
};

static void cutter_init(struct cutter *cutter)
{
    *cutter = (struct cutter){
        .opened.tags = BUF_INIT(PIECE_MAX),
        .marks = {{.tags = BUF_INIT(PIECE_MAX)}, {.tags = BUF_INIT(PIECE_MAX)}},
        .tree = TREE_INIT,
        .seen = calloc(SLOTS, sizeof(*cutter->seen)),
    };
    assert_non_null(cutter->seen);
}

static void cutter_release(struct cutter *cutter)
{
    buf_release(&cutter->opened.tags);
    buf_release(&cutter->marks[0].tags);
    buf_release(&cutter->marks[1].tags);
    tree_release(&cutter->tree);
    free(cutter->seen);
}

/* ---- prefixes that were tested ---- */

/* FNV-1a */
static uint64_t mix(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Was the same text up to `end` tested already? Records it. */
static bool is_known(struct cutter *cutter, size_t end)
{
    const struct mark *from = &cutter->marks[0];
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), buf_cstr(&from->tags),
                        from->tags.length);
    size_t at;

    hash = mix(hash, cutter->bytes + from->start, end - from->start) | 1;
    for (at = hash & (SLOTS - 1); cutter->seen[at]; at = (at + 1) & (SLOTS - 1))
        if (cutter->seen[at] == hash)
            return true;
    cutter->seen[at] = hash;
    return false;
}

/* ---- cutting ---- */

/* Parse the dump cut at `end`. */
static void cut_at(struct cutter *cutter, size_t end)
{
    const struct mark *from = &cutter->marks[0];
    size_t length = from->tags.length + end - from->start;
    char *piece =
        malloc(length + !length); /* so that ASan detects a read beyond */
    struct err err = ERR_INIT;

    assert_non_null(piece);
    memcpy(piece, buf_cstr(&from->tags), from->tags.length);
    memcpy(piece + from->tags.length, cutter->bytes + from->start,
           end - from->start);
    if (!tree_read(&cutter->tree, piece, length, &err)) {
        assert_int_equal(err.code, ERR_INVALID);
        /* Nodes before the cut are kept. */
        assert_null(strstr(buf_cstr(&from->tags), "<node>"));
    }
    free(piece);
}

static void cut_between(struct cutter *cutter, size_t start, size_t end)
{
    cutter->cuts += end - start;
    if (is_known(cutter, end))
        return;
    for (size_t cut = start; cut < end; cut++)
        cut_at(cutter, cut);
}

/* ---- iterating over a dump ---- */

/* Record that a tag begins, and drop the one before the last. */
static void mark_tag(struct cutter *cutter, size_t start)
{
    struct mark mark = cutter->marks[0];

    mark.start = start;
    buf_clear(&mark.tags);
    buf_append(&mark.tags, buf_cstr(&cutter->opened.tags),
               cutter->opened.tags.length);
    cutter->marks[0] = cutter->marks[1];
    cutter->marks[1] = mark;
}

/* The position after the tag that starts there, also with quotes in it. */
static size_t tag_end(const struct cutter *cutter, size_t at)
{
    char quote = 0;

    for (; at < cutter->length; at++) {
        char byte = cutter->bytes[at];

        if (quote)
            quote = byte == quote ? 0 : quote;
        else if (byte == '"' || byte == '\'')
            quote = byte;
        else if (byte == '>')
            return at + 1;
    }
    return at;
}

static void open_tag(struct opened *opened, const char *name, size_t length)
{
    assert_true(opened->depth < TREE_DEPTH_MAX);
    opened->lengths[opened->depth++] = opened->tags.length;
    buf_byte(&opened->tags, '<');
    buf_append(&opened->tags, name, length);
    buf_byte(&opened->tags, '>');
}

static void close_tag(struct opened *opened)
{
    assert_true(opened->depth > 0);
    opened->tags.length = opened->lengths[--opened->depth];
}

static void pass_tag(struct cutter *cutter, size_t start, size_t end)
{
    const char *name = cutter->bytes + start + 1;

    if (*name == '/')
        close_tag(&cutter->opened);
    else if (*name != '?' && *name != '!' && cutter->bytes[end - 2] != '/')
        open_tag(&cutter->opened, name, strcspn(name, " \t\r\n>"));
}

/* Cut a valid dump at each of its bytes. */
static void cut_everywhere(struct cutter *cutter, const char *bytes,
                           size_t length)
{
    size_t end;

    cutter->bytes = bytes;
    cutter->length = length;
    buf_clear(&cutter->opened.tags);
    cutter->opened.depth = 0;
    mark_tag(cutter, 0);
    for (size_t at = 0; at < length; at = end) {
        bool is_tag = bytes[at] == '<';

        end = is_tag ? tag_end(cutter, at) : at + strcspn(bytes + at, "<");
        if (is_tag)
            mark_tag(cutter, at);
        cut_between(cutter, at, end);
        if (is_tag)
            pass_tag(cutter, at, end);
    }
}

static void generated_dump_may_end_anywhere(void **state)
{
    struct cutter cutter;

    (void)state;
    cutter_init(&cutter);
    cut_everywhere(&cutter, made, strlen(made));
    assert_int_equal(cutter.cuts, strlen(made));
    assert_int_equal(cutter.opened.depth, 0);
    cutter_release(&cutter);
}

/* A dump that needs repair cannot be split into tags. */
static bool is_sound(const struct buf *bytes)
{
    struct tree tree = TREE_INIT;
    struct err err;
    bool sound = tree_read(&tree, bytes->data, bytes->length, &err) &&
                 !tree_repaired(&tree.repairs);

    tree_release(&tree);
    return sound;
}

static void real_dumps_may_end_anywhere(void **state)
{
    DIR *folder = getenv("PROCTOR_FULL") ? opendir(FOLDER) : NULL;
    struct buf bytes = BUF_INIT(TREE_SIZE_MAX);
    struct cutter cutter;
    struct dirent *entry;

    (void)state;
    if (!folder)
        skip();
    cutter_init(&cutter);
    while ((entry = readdir(folder))) {
        char path[1024];
        struct err err;

        snprintf(path, sizeof(path), FOLDER "/%s", entry->d_name);
        buf_clear(&bytes);
        if (strstr(path, ".xml") && file_load(path, &bytes, &err) &&
            is_sound(&bytes))
            cut_everywhere(&cutter, buf_cstr(&bytes), bytes.length);
    }
    printf("%zu places to cut\n", cutter.cuts);
    cutter_release(&cutter);
    buf_release(&bytes);
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_dump_may_end_anywhere),
        cmocka_unit_test(real_dumps_may_end_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
