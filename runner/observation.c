#include <stdio.h>
#include <string.h>

#include "runner/dump.h"
#include "runner/observe.h"

#define OBSERVATION_PNG_MAX (2 * PICTURE_BYTES_MAX)

void observation_init(struct observation *observation)
{
    *observation = (struct observation){
        .png = BUF_INIT(OBSERVATION_PNG_MAX),
        .xml = BUF_INIT(DUMP_MAX),
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

void observation_doubt(struct observation *seen, const char *words)
{
    size_t length = strlen(seen->doubt);

    snprintf(seen->doubt + length, sizeof(seen->doubt) - length, "%s%s",
             length ? "; " : "", words);
}
