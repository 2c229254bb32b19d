#include "runner/replay/replay_texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#define PART_MAX 4096

/* ---- values of one text ---- */

/* Read up to the next {name}, or the end, with "{{" as "{". */
static const char *read_literal(const char *text, struct buf *literal)
{
    while (*text && (*text != '{' || text[1] == '{')) {
        text += *text == '{';
        buf_byte(literal, *text++);
    }
    return text;
}

/* Read "{name}"; NULL: there is no end. */
static const char *read_name(const char *text, struct buf *name)
{
    const char *end = strchr(text, '}');

    if (!end)
        return NULL;
    buf_append(name, text + 1, (size_t)(end - text - 1));
    return end + 1;
}

static void add(struct text_list *list, const char *text, size_t length)
{
    char *copy = mem_dup_n(text, length);

    text_list_add(list, copy);
    free(copy);
}

/*
 * Take the value of the {…} at *text from *filled: it ends where the literal
 * text behind it begins.
 */
static bool take_value(const char **text, const char **filled,
                       struct text_list *names, struct text_list *values)
{
    struct buf name = BUF_INIT(PART_MAX), literal = BUF_INIT(PART_MAX);
    const char *end = NULL;
    bool done;

    *text = read_name(*text, &name);
    if (*text)
        *text = read_literal(*text, &literal);
    done = *text && !name.overflow && !literal.overflow &&
           (literal.length || !**text);
    if (done)
        end = literal.length ? strstr(*filled, buf_cstr(&literal))
                             : *filled + strlen(*filled);
    /* the last literal text ends the whole */
    if (end && !**text && literal.length)
        end = *filled + strlen(*filled) - literal.length;
    done = done && end && end > *filled &&
           !strncmp(end, buf_cstr(&literal), literal.length);
    if (done) {
        text_list_add(names, buf_cstr(&name));
        add(values, *filled, (size_t)(end - *filled));
        *filled = end + literal.length;
    }
    buf_release(&name);
    buf_release(&literal);
    return done;
}

bool replay_texts_values(const char *blank, const char *filled,
                         struct text_list *names, struct text_list *values)
{
    struct buf literal = BUF_INIT(PART_MAX);
    bool fits;

    blank = read_literal(blank, &literal);
    fits = !literal.overflow &&
           !strncmp(filled, buf_cstr(&literal), literal.length);
    if (fits)
        filled += literal.length;
    buf_release(&literal);
    while (fits && *blank)
        fits = take_value(&blank, &filled, names, values);
    return fits && !*filled;
}

/* ---- pairs ---- */

static void pair_values(const struct text_list *names_was,
                        const struct text_list *was,
                        const struct text_list *names_is,
                        const struct text_list *is, struct carried_texts *texts)
{
    for (size_t i = 0; i < was->count; i++) {
        for (size_t j = 0; j < is->count; j++) {
            if (!strcmp(names_was->items[i], names_is->items[j]))
                carried_texts_add(texts, was->items[i], is->items[j]);
        }
    }
}

static void pair_instructions(const struct task *task,
                              const struct replay_texts_side *was,
                              const struct replay_texts_side *is,
                              struct carried_texts *texts)
{
    const char *blank_was = bilingual_text_in(&task->instruction, was->locale);
    const char *blank_is = bilingual_text_in(&task->instruction, is->locale);
    struct text_list names_was = {0}, values_was = {0};
    struct text_list names_is = {0}, values_is = {0};

    if (blank_was && blank_is && was->instruction && is->instruction &&
        replay_texts_values(blank_was, was->instruction, &names_was,
                            &values_was) &&
        replay_texts_values(blank_is, is->instruction, &names_is, &values_is))
        pair_values(&names_was, &values_was, &names_is, &values_is, texts);
    text_list_release(&names_was);
    text_list_release(&values_was);
    text_list_release(&names_is);
    text_list_release(&values_is);
}

/* The same steps of gold, in two languages. */
static void pair_gold(const struct task_gold *was, const struct task_gold *is,
                      struct carried_texts *texts)
{
    if (was->count != is->count)
        return;
    for (size_t i = 0; i < was->count; i++) {
        const struct action *a = &was->steps[i].action;
        const struct action *b = &is->steps[i].action;

        if (a->kind == b->kind && a->text && b->text)
            carried_texts_add(texts, a->text, b->text);
    }
}

void replay_texts_collect(const struct task *task,
                          const struct replay_texts_side *was,
                          const struct replay_texts_side *is,
                          struct carried_texts *texts)
{
    *texts = (struct carried_texts){.was = {0}};
    pair_instructions(task, was, is, texts);
    if (was->task && is->task)
        pair_gold(&was->task->gold, &is->task->gold, texts);
}
