/*
 * A dump that ends anywhere: at each single byte of each real dump, where there
 * are any and PROCTOR_FULL is set; of a made one otherwise.
 *
 * All beginnings of all dumps together are 200 GB. So what was closed long
 * before the cut is left out, and of the elements around it only the names are
 * kept: what is read is cut at the same byte, at the same depth, behind the
 * same two tags.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "process_provider/describe.h"

#define FOLDER TEST_FIXTURES "/dumps"
#define TAGS_KEPT 2 /* in front of the one that is cut */
#define PIECE_MAX ((size_t)1 << 20)

static const char made[] =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    "<hierarchy rotation=\"0\"><node index=\"0\" text='say \"yes\"' "
    "class=\"android.widget.FrameLayout\" bounds=\"[0,0][1080,2400]\">"
    "<node text=\"a &amp; b &#128512; ü\" class=\"android.widget.Button\" "
    "clickable=\"true\" bounds=\"[-5,0][300,80]\" /></node>"
    "<node text=\"\" class=\"\" bounds=\"[9,9][1,1]\"></node></hierarchy>\n";

/* The elements that are open somewhere in a dump, as a dump of their own. */
struct opened {
    struct buf tags;
    size_t lengths[TREE_DEPTH_MAX]; /* of tags, without the innermost */
    size_t depth;
};

/* Where a tag begins, and what is open there. */
struct mark {
    size_t start;
    struct buf tags;
};

struct cutter {
    const char *bytes;
    size_t length;
    struct opened opened;
    struct mark marks[TAGS_KEPT + 1]; /* of the last tags, the oldest first */
    struct tree tree;
    size_t cuts;
};

/* Read what is left when the dump ends at `end`. */
static void cut_at(struct cutter *cutter, size_t end)
{
    const struct mark *from = &cutter->marks[0];
    size_t length = from->tags.length + end - from->start;
    char *piece = malloc(length + !length); /* so that ASan sees its end */
    struct description description;
    struct err err = ERR_INIT;

    assert_non_null(piece);
    memcpy(piece, buf_cstr(&from->tags), from->tags.length);
    memcpy(piece + from->tags.length, cutter->bytes + from->start,
           end - from->start);
    if (tree_read(&cutter->tree, piece, length, &err)) {
        describe_tap(&cutter->tree, 300, 900, &description);
    } else {
        assert_int_equal(err.code, ERR_INVALID);
        /* What stands in front of the cut is not lost. */
        assert_null(strstr(buf_cstr(&from->tags), "<node>"));
    }
    free(piece);
    cutter->cuts++;
}

/* Remember that a tag begins; the oldest mark is forgotten. */
static void mark_tag(struct cutter *cutter, size_t start)
{
    struct mark oldest = cutter->marks[0];

    memmove(cutter->marks, cutter->marks + 1,
            TAGS_KEPT * sizeof(*cutter->marks));
    oldest.start = start;
    buf_clear(&oldest.tags);
    buf_append(&oldest.tags, buf_cstr(&cutter->opened.tags),
               cutter->opened.tags.length);
    cutter->marks[TAGS_KEPT] = oldest;
}

/* Behind the tag that starts there, whatever quotes it holds. */
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

/* Cut a sound dump at each of its bytes. */
static size_t cut_everywhere(const char *bytes, size_t length)
{
    struct cutter cutter = {
        .bytes = bytes,
        .length = length,
        .opened.tags = BUF_INIT(PIECE_MAX),
        .tree = TREE_INIT,
    };
    size_t at = 0;

    for (size_t i = 0; i <= TAGS_KEPT; i++)
        cutter.marks[i].tags = (struct buf)BUF_INIT(PIECE_MAX);
    while (at < length) {
        bool is_tag = bytes[at] == '<';
        size_t end =
            is_tag ? tag_end(&cutter, at) : at + strcspn(bytes + at, "<");

        if (is_tag)
            mark_tag(&cutter, at);
        for (size_t cut = at; cut < end; cut++)
            cut_at(&cutter, cut);
        if (is_tag && end < length)
            pass_tag(&cutter, at, end);
        at = end;
    }
    for (size_t i = 0; i <= TAGS_KEPT; i++)
        buf_release(&cutter.marks[i].tags);
    buf_release(&cutter.opened.tags);
    tree_release(&cutter.tree);
    return cutter.cuts;
}

static void a_made_dump_may_end_anywhere(void **state)
{
    (void)state;
    assert_int_equal(cut_everywhere(made, strlen(made)), strlen(made));
}

/* What has to be repaired has no tags to go by. */
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
    struct dirent *entry;
    size_t cuts = 0;

    (void)state;
    if (!folder)
        skip();
    while ((entry = readdir(folder))) {
        char path[1024];
        struct err err;

        snprintf(path, sizeof(path), FOLDER "/%s", entry->d_name);
        buf_clear(&bytes);
        if (strstr(path, ".xml") && file_load(path, &bytes, &err) &&
            is_sound(&bytes))
            cuts += cut_everywhere(buf_cstr(&bytes), bytes.length);
    }
    printf("%zu cuts\n", cuts);
    buf_release(&bytes);
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_made_dump_may_end_anywhere),
        cmocka_unit_test(real_dumps_may_end_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
