#include "process_provider/tree/tree_attribute.h"

#include <string.h>

/* Names. */

/* By length, as most names differ in it. */
static const struct tree_attribute attributes[] = {
    {"id", ATTRIBUTE_TEXT, TEXT_ID},
    {"text", ATTRIBUTE_TEXT, TEXT_TEXT},
    {"hint", ATTRIBUTE_TEXT, TEXT_HINT},
    {"class", ATTRIBUTE_TEXT, TEXT_CLASS},
    {"bounds", ATTRIBUTE_BOUNDS, 0},
    {"enabled", ATTRIBUTE_NOT_FLAG, NODE_DISABLED},
    {"focused", ATTRIBUTE_FLAG, NODE_FOCUSED},
    {"checked", ATTRIBUTE_FLAG, NODE_CHECKED},
    {"package", ATTRIBUTE_TEXT, TEXT_PACKAGE},
    {"password", ATTRIBUTE_FLAG, NODE_PASSWORD},
    {"selected", ATTRIBUTE_FLAG, NODE_SELECTED},
    {"checkable", ATTRIBUTE_FLAG, NODE_CHECKABLE},
    {"clickable", ATTRIBUTE_FLAG, NODE_CLICKABLE},
    {"focusable", ATTRIBUTE_FLAG, NODE_FOCUSABLE},
    {"displayed", ATTRIBUTE_NOT_FLAG, NODE_INVISIBLE},
    {"scrollable", ATTRIBUTE_FLAG, NODE_SCROLLABLE},
    {"description", ATTRIBUTE_TEXT, TEXT_DESCRIPTION},
    {"resource-id", ATTRIBUTE_TEXT, TEXT_ID},
    {"content-desc", ATTRIBUTE_TEXT, TEXT_DESCRIPTION},
    {"drawing-order", ATTRIBUTE_ORDER, 0},
    {"long-clickable", ATTRIBUTE_FLAG, NODE_LONG_CLICKABLE},
    {"visible-to-user", ATTRIBUTE_NOT_FLAG, NODE_INVISIBLE},
};

#define NAME_LENGTH_MAX 15

/* Where names of each length begin in the table. */
static const uint8_t first_of_length[NAME_LENGTH_MAX + 2] = {
    0, 0, 0, 1, 1, 3, 4, 5, 9, 11, 15, 16, 18, 19, 20, 21, 22,
};

const struct tree_attribute *tree_attribute_find(const char *name)
{
    size_t length = strlen(name);

    if (length > NAME_LENGTH_MAX)
        return NULL;
    for (size_t i = first_of_length[length]; i < first_of_length[length + 1];
         i++) {
        if (!memcmp(attributes[i].name, name, length))
            return &attributes[i];
    }
    return NULL;
}

/* Values. */

/* A number at *text, which is moved behind it. Large ones are cut. */
static bool read_int(const char **text, const char *end, int32_t *number)
{
    const char *at = *text;
    bool negative = at < end && *at == '-';
    int32_t value = 0;

    at += negative;
    if (at == end || *at < '0' || *at > '9')
        return false;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (value < 100000000)
            value = value * 10 + (*at - '0');
    }
    *number = negative ? -value : value;
    *text = at;
    return true;
}

static bool read_byte(const char **text, const char *end, char byte)
{
    if (*text == end || **text != byte)
        return false;
    ++*text;
    return true;
}

struct tree_rect tree_value_bounds(struct tree_value value)
{
    const char *at = value.text;
    const char *end = at + value.length;
    struct tree_rect rect;

    if (read_byte(&at, end, '[') && read_int(&at, end, &rect.left) &&
        read_byte(&at, end, ',') && read_int(&at, end, &rect.top) &&
        read_byte(&at, end, ']') && read_byte(&at, end, '[') &&
        read_int(&at, end, &rect.right) && read_byte(&at, end, ',') &&
        read_int(&at, end, &rect.bottom) && read_byte(&at, end, ']'))
        return rect;
    return (struct tree_rect){0, 0, 0, 0};
}

int32_t tree_value_int(struct tree_value value, int32_t otherwise)
{
    const char *at = value.text;
    int32_t number;

    return read_int(&at, value.text + value.length, &number) ? number
                                                             : otherwise;
}
