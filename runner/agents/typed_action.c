#include "runner/agents/typed_action.h"

#include <string.h>
#include <strings.h>

#include "base/clean_text.h"
#include "base/macros.h"
#include "base/utf8.h"
#include "runner/agents/agent_reply.h"

#define SHOWN_MAX 2048 /* bytes of one text */
#define LIST_WIDTH 78  /* columns of the list of elements */

void typed_action_put_clean(struct buf *text, const char *untrusted)
{
    char clean[SHOWN_MAX];

    clean_text_copy(clean, sizeof(clean), untrusted, strlen(untrusted));
    buf_text(text, clean);
}

void typed_action_list(const struct element_list *elements, struct buf *text)
{
    size_t column = 0;

    for (size_t i = 0; i < elements->count; i++) {
        const struct screen_element *element = &elements->items[i];
        struct buf entry = BUF_INIT(SHOWN_MAX);
        size_t width;

        if (!element->acts)
            continue;
        buf_printf(&entry, "%zu ", i + 1);
        typed_action_put_clean(&entry, *element->name.text ? element->name.text
                                                           : element->role);
        width = utf8_count(buf_cstr(&entry));
        if (column && column + 3 + width > LIST_WIDTH) {
            buf_text(text, "\n");
            column = 0;
        }
        buf_printf(text, "%s%s", column ? "   " : "  ", buf_cstr(&entry));
        column += (column ? 3 : 2) + width;
        buf_release(&entry);
    }
    if (column)
        buf_text(text, "\n");
}

/* Verbs for touching an element by its name. */
static const struct {
    const char *word;
    enum action_kind kind;
} touches[] = {
    {"tap", ACTION_CLICK},
    {"click", ACTION_CLICK},
    {"press", ACTION_CLICK},
    {"hold", ACTION_LONG_PRESS},
    {"long_press", ACTION_LONG_PRESS},
    {"double_tap", ACTION_DOUBLE_TAP},
};

/* The rest of the line after a verb and a space; NULL: another line. */
static const char *behind(const char *line, const char *verb)
{
    size_t length = strlen(verb);

    if (strncasecmp(line, verb, length) != 0 || line[length] != ' ')
        return NULL;
    return line + length + strspn(line + length, " ");
}

/* "7", "540 1200", "540,1200": not "5 minutes". */
static bool are_numbers(const char *words)
{
    return !words[strspn(words, "0123456789-., ")];
}

/* Parse a touch of an element by its name. False: it is another line. */
static bool read_touch(const char *line, enum action_kind *kind,
                       const char **name)
{
    for (size_t i = 0; i < ARRAY_LEN(touches); i++) {
        const char *words = behind(line, touches[i].word);

        if (!words || strchr("(\"", *words) || are_numbers(words))
            continue;
        *kind = touches[i].kind;
        *name = words;
        return true;
    }
    return false;
}

bool typed_action_parse(const char *line, const struct element_list *elements,
                        struct extent screen, struct agent_reply *reply,
                        struct err *err)
{
    const char *words = behind(line, "type");
    enum action_kind kind;
    int number;

    if (words && *words && !strchr("(\"", *words)) {
        agent_reply_set(ACTION_TYPE, words, reply);
    } else if (elements && read_touch(line, &kind, &words)) {
        if (!element_list_find(elements, words, &number, err))
            return false;
        agent_reply_set(kind, NULL, reply);
        reply->action.has_index = true;
        reply->action.index = number;
    } else {
        agent_reply_parse(line, strlen(line), screen, reply);
        return true;
    }
    buf_clear(&reply->text);
    buf_text(&reply->text, line);
    return true;
}
