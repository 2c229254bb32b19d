#include "process_provider/text/masked_text.h"

#include <string.h>

static const char dot[] = "•";

bool masked_text_is_one(const char *text)
{
    const char *at = text;

    while (!strncmp(at, dot, sizeof(dot) - 1))
        at += sizeof(dot) - 1;
    return at > text && !*at;
}
