#include "tasks/task/task_quote.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tasks/task/task_struct_json.h"

#define PATH_SHOWN 128

/* An escaped character of a pattern stays as it is, brace or not. */
static void quote(enum text_rule_fill fill, const char *text, struct buf *out)
{
    for (; *text; text++) {
        if (fill == TEXT_RULE_PATTERN && text[0] == '\\' && text[1]) {
            buf_byte(out, *text++);
            buf_byte(out, *text);
            /* As in \p{L}. */
            if (text[0] != '\\' && text[0] != '{' && text[1] == '{')
                buf_byte(out, *++text);
            continue;
        }
        if (*text == '{')
            buf_byte(out, fill == TEXT_RULE_PATTERN ? '\\' : '{');
        buf_byte(out, *text);
    }
}

/* Is it a brace that counts, as in {2,3}? */
static bool needs_quotes(enum text_rule_fill fill, const char *text)
{
    const char *brace = strchr(text, '{');

    if (fill == TEXT_RULE_FILL)
        return brace != NULL;
    while (fill == TEXT_RULE_PATTERN && brace) {
        if ((brace[1] >= 'a' && brace[1] <= 'z') || brace[1] == '_')
            return true;
        brace = strchr(brace + 1, '{');
    }
    return false;
}

static bool walk_text(struct struct_json_walk *walk,
                      const struct text_rule *rule, char **text,
                      struct err *err)
{
    struct buf out = BUF_INIT(SIZE_MAX);

    (void)walk, (void)err;
    if (!needs_quotes(rule->fill, *text))
        return true;
    quote(rule->fill, *text, &out);
    free(*text);
    *text = mem_dup(buf_cstr(&out));
    buf_release(&out);
    return true;
}

static bool walk_bilingual(struct struct_json_walk *walk,
                           const struct text_rule *rule,
                           struct bilingual_text *text, struct err *err)
{
    return (!text->any || walk_text(walk, rule, &text->any, err)) &&
           (!text->en || walk_text(walk, rule, &text->en, err)) &&
           (!text->zh || walk_text(walk, rule, &text->zh, err));
}

void task_quote(struct task *task)
{
    struct struct_json_walk walk = {.text = walk_text,
                                    .bilingual_text = walk_bilingual,
                                    .path = BUF_INIT(PATH_SHOWN)};
    struct err ignored;
    bool done = struct_json_walk(&walk, &task_struct_json, task, &ignored);

    /* walk_text does not fail. */
    assert(done);
    (void)done;
    buf_release(&walk.path);
}
