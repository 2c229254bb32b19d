/*
 * Fills in the placeholders of a task's texts:
 *
 *     {today}  {today+30d}  {today-1w:%B %-d}  {price}
 *
 * Checking a task is the same walk with the result thrown away.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest_word.h"
#include "tasks/task/dates.h"
#include "tasks/task/task_private.h"
#include "tasks/task/task_struct_json.h"

#define FILLED_MAX ((size_t)128 * 1024)
#define BLANK_MAX 128
#define COUNT_MAX 999
#define PATH_SHOWN 128
#define NAME_FIRST "abcdefghijklmnopqrstuvwxyz_"
#define NAME_LETTERS NAME_FIRST "0123456789"

struct filler {
    const struct task *task;          /* the facts of this task may be used */
    const struct task_values *values; /* NULL: only check that all are known */
    struct date today;
};

/* ---- one blank ---- */

static const char *locale_of(const struct filler *filler)
{
    return filler->values ? filler->values->locale : NULL;
}

static bool fail_blank(const struct filler *filler, const char *blank,
                       struct err *err)
{
    const struct text_list *facts = &filler->task->facts;
    struct nearest_word nearest;

    nearest_word_init(&nearest, blank);
    nearest_word_offer(&nearest, "today");
    for (size_t i = 0; i < facts->count; i++)
        nearest_word_offer(&nearest, facts->items[i]);
    if (nearest.best)
        return err_set(err, ERR_INVALID,
                       "nothing is known of {%s}; did you mean {%s}?", blank,
                       nearest.best);
    return err_set(err, ERR_INVALID,
                   "nothing is known of {%s}: it is not among the facts; {{ "
                   "stands for a mere {",
                   blank);
}

static bool put_fact(const struct filler *filler, const char *name,
                     struct buf *out, struct err *err)
{
    const struct cJSON *value;

    if (!text_list_have(&filler->task->facts, name))
        return fail_blank(filler, name, err);
    if (!filler->values)
        return true;
    value = cJSON_GetObjectItemCaseSensitive(filler->values->facts, name);
    if (!cJSON_IsString(value))
        return err_set(err, ERR_INVALID, "the phone does not tell {%s}", name);
    buf_text(out, value->valuestring);
    return true;
}

/* "today", "today+3d", "today-1w:%d %B"; text is what follows "today". */
static bool put_date(const struct filler *filler, const char *text,
                     struct buf *out, struct err *err)
{
    struct date date = filler->today;
    const char *at = text;

    if (*at == '+' || *at == '-') {
        char *end;
        long count = strtol(at + 1, &end, 10);

        if (end == at + 1 || at[1] < '0' || at[1] > '9' || count > COUNT_MAX ||
            !*end || !strchr("dwmy", *end))
            return err_set(err, ERR_INVALID,
                           "{today%s}: expected up to %d days, weeks, months "
                           "or years, such as {today+30d}",
                           text, COUNT_MAX);
        date = date_plus(date, (int)(*at == '-' ? -count : count), *end);
        at = end + 1;
    }
    if (*at && *at != ':')
        return err_set(err, ERR_INVALID,
                       "{today%s}: expected such as {today+30d:%%d %%B}", text);
    return date_format(date, *at ? at + 1 : NULL, locale_of(filler), out, err);
}

static bool is_date(const char *blank)
{
    return !strncmp(blank, "today", 5) &&
           (!blank[5] || !strchr(NAME_LETTERS, blank[5]));
}

static bool put_blank(const struct filler *filler, const char *blank,
                      struct buf *out, struct err *err)
{
    return is_date(blank) ? put_date(filler, blank + 5, out, err)
                          : put_fact(filler, blank, out, err);
}

/* ---- a text ---- */

/* Escape the inserted text: no character of it is an operator. */
static void put_literally(const char *text, struct buf *out)
{
    for (; *text; text++) {
        if (strchr("\\^$.[]|()?*+{}-#&~", *text) || *text == ' ')
            buf_byte(out, '\\');
        buf_byte(out, *text);
    }
}

/*
 * at points to the brace; returns what follows the placeholder, NULL on
 * failure.
 */
static const char *fill_blank(const struct filler *filler,
                              enum text_rule_fill fill, const char *at,
                              struct buf *out, struct err *err)
{
    const char *end = strchr(at, '}');
    struct buf value = BUF_INIT(FILLED_MAX);
    char blank[BLANK_MAX];
    bool done;

    if (!end || (size_t)(end - at) > sizeof(blank)) {
        err_set(err, ERR_INVALID,
                "\"%.20s\" does not end; {{ stands for a mere {", at);
        return NULL;
    }
    memcpy(blank, at + 1, (size_t)(end - at - 1));
    blank[end - at - 1] = '\0';
    done = put_blank(filler, blank, &value, err);
    if (done && fill == TEXT_RULE_PATTERN)
        put_literally(buf_cstr(&value), out);
    else if (done)
        buf_append(out, buf_cstr(&value), value.length);
    buf_release(&value);
    return done ? end + 1 : NULL;
}

/* How many bytes stand for themselves, whatever is in them: \p{L}, \{. */
static size_t escape_length(enum text_rule_fill fill, const char *at)
{
    if (fill != TEXT_RULE_PATTERN || at[0] != '\\' || !at[1])
        return 0;
    return at[2] == '{' && at[1] != '\\' && at[1] != '{' ? 3 : 2;
}

static bool begins_blank(enum text_rule_fill fill, const char *at)
{
    return at[0] == '{' && at[1] && strchr(NAME_FIRST, at[1]) &&
           (fill != TEXT_RULE_COMMAND || is_date(at + 1));
}

static bool fill_text(const struct filler *filler, enum text_rule_fill fill,
                      const char *text, struct buf *out, struct err *err)
{
    const char *at = text;

    while (*at) {
        size_t escaped = escape_length(fill, at);

        if (escaped) {
            buf_append(out, at, escaped);
            at += escaped;
        } else if (begins_blank(fill, at)) {
            at = fill_blank(filler, fill, at, out, err);
            if (!at)
                return false;
        } else {
            buf_byte(out, *at);
            at +=
                fill == TEXT_RULE_FILL && at[0] == '{' && at[1] == '{' ? 2 : 1;
        }
    }
    return !out->overflow ||
           err_set(err, ERR_LIMIT, "longer than %zu bytes", FILLED_MAX);
}

/* ---- a task ---- */

static bool walk_text(struct struct_json_walk *walk,
                      const struct text_rule *rule, char **text,
                      struct err *err)
{
    const struct filler *filler = walk->context;
    struct buf out = BUF_INIT(FILLED_MAX);
    bool done;

    if (rule->fill == TEXT_RULE_AS_IT_IS)
        return true;
    done = fill_text(filler, rule->fill, *text, &out, err) &&
           (!filler->values || text_rule_check(rule, buf_cstr(&out), err));
    if (done && filler->values) {
        free(*text);
        *text = mem_dup(buf_cstr(&out));
    }
    buf_release(&out);
    return done;
}

static bool walk_phrasing(struct struct_json_walk *walk,
                          const struct text_rule *rule,
                          struct bilingual_text *bilingual_text,
                          struct err *err)
{
    const struct filler *filler = walk->context;

    if (filler->values) {
        const char *chosen =
            bilingual_text_in(bilingual_text, filler->values->locale);
        char *text = chosen ? mem_dup(chosen) : NULL;

        bilingual_text_release(bilingual_text);
        bilingual_text->any = text;
    }
    return (!bilingual_text->any ||
            walk_text(walk, rule, &bilingual_text->any, err)) &&
           (!bilingual_text->en ||
            walk_text(walk, rule, &bilingual_text->en, err)) &&
           (!bilingual_text->zh ||
            walk_text(walk, rule, &bilingual_text->zh, err));
}

static bool walk_task(struct filler *filler, struct task *task, struct err *err)
{
    struct struct_json_walk walk = {
        .text = walk_text,
        .bilingual_text = walk_phrasing,
        .context = filler,
        .path = BUF_INIT(PATH_SHOWN),
    };

    return struct_json_walk(&walk, &task_struct_json, task, err);
}

bool task_validate_placeholders(struct task *task, struct err *err)
{
    struct filler filler = {.task = task, .today = date_of(0)};

    return walk_task(&filler, task, err);
}

/* A fact is a text, and this answer a number. */
static bool resolve_number(struct task_answer *answer, struct err *err)
{
    char *end;

    if (!answer->number_from)
        return true;
    answer->number = strtod(answer->number_from, &end);
    if (end == answer->number_from || *end || !isfinite(answer->number))
        return err_set(err, ERR_INVALID, "answer: \"%.40s\" is no number",
                       answer->number_from);
    free(answer->number_from);
    answer->number_from = NULL;
    return true;
}

static bool copy(const struct task *task, struct task *made, struct err *err)
{
    struct cJSON *tree = task_to_json(task);
    const struct json root = JSON_ROOT(tree);
    bool done = struct_json_read(&task_struct_json, &root, made, err);

    cJSON_Delete(tree);
    return done;
}

bool task_resolve(const struct task *task, const struct task_values *values,
                  struct task *resolved, struct err *err)
{
    struct filler filler = {
        .task = task,
        .values = values,
        .today = date_of(values->today_s),
    };
    struct task made;

    if (!copy(task, &made, err))
        return err_wrap(err, "task \"%s\"", task->id);
    if (!walk_task(&filler, &made, err) || !resolve_number(&made.answer, err)) {
        task_release(&made);
        return err_wrap(err, "task \"%s\"", task->id);
    }
    text_list_release(&made.facts);
    *resolved = made;
    return true;
}
