#include <stdio.h>
#include <string.h>

#include "runner/observe/observer.h"
#include "runner/observe/ui_dump.h"

#define OBSERVATION_PNG_MAX (2 * PICTURE_BYTES_MAX)

void observation_init(struct observation *observation)
{
    *observation = (struct observation){
        .png = BUF_INIT(OBSERVATION_PNG_MAX),
        .xml = BUF_INIT(UI_DUMP_MAX),
        .tree = TREE_INIT,
    };
}

void observation_release(struct observation *observation)
{
    buf_release(&observation->png);
    buf_release(&observation->xml);
    tree_release(&observation->tree);
}

void observation_clear(struct observation *seen)
{
    buf_clear(&seen->png);
    buf_clear(&seen->xml);
    seen->has_tree = false;
    seen->package[0] = '\0';
    seen->activity[0] = '\0';
    seen->doubt[0] = '\0';
    seen->changed = false;
    seen->black = false;
}

static void copy_bytes(const struct buf *from, struct buf *to)
{
    buf_clear(to);
    if (from->length)
        buf_append(to, from->data, from->length);
}

void observation_copy(const struct observation *seen, struct observation *copy)
{
    const struct buf png = copy->png;
    const struct buf xml = copy->xml;
    const struct tree tree = copy->tree;
    struct err ignored; /* it could be read before */

    *copy = *seen;
    copy->png = png;
    copy->xml = xml;
    copy->tree = tree;
    copy_bytes(&seen->png, &copy->png);
    copy_bytes(&seen->xml, &copy->xml);
    copy->has_tree =
        seen->has_tree && tree_read(&copy->tree, buf_cstr(&copy->xml),
                                    copy->xml.length, &ignored);
}

void observation_doubt(struct observation *seen, const char *words)
{
    size_t length = strlen(seen->doubt);

    snprintf(seen->doubt + length, sizeof(seen->doubt) - length, "%s%s",
             length ? "; " : "", words);
}
