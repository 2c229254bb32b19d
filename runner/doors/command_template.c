#include "runner/doors/command_template.h"

#include <string.h>

/* clang-format off */
static const struct template_place {
    const char *name;
    const char *variable;
} places[] = {
    {"{instruction}", "PROCTOR_INSTRUCTION"},
    {"{serial}",      "ANDROID_SERIAL"},
    {"{task}",        "PROCTOR_TASK"},
    {"{language}",    "PROCTOR_LANGUAGE"},
    {"{task_file}",   "PROCTOR_TASK_FILE"},
    {"{answer_file}", "PROCTOR_ANSWER"},
};
/* clang-format on */

enum quote {
    QUOTE_NONE,
    QUOTE_SINGLE,
    QUOTE_DOUBLE,
};

static const struct template_place *find_place(const char *text)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        if (!strncmp(text, places[i].name, strlen(places[i].name)))
            return &places[i];
    }
    return NULL;
}

static void put_variable(struct buf *command, const char *variable,
                         enum quote quote)
{
    static const char *const before[] = {
        [QUOTE_NONE] = "\"", [QUOTE_SINGLE] = "'\"", [QUOTE_DOUBLE] = ""};
    static const char *const after[] = {
        [QUOTE_NONE] = "\"", [QUOTE_SINGLE] = "\"'", [QUOTE_DOUBLE] = ""};

    buf_printf(command, "%s${%s}%s", before[quote], variable, after[quote]);
}

/* The quoting after this character. */
static enum quote quote_after(enum quote quote, char c)
{
    if (c == '\'' && quote != QUOTE_DOUBLE)
        return quote == QUOTE_SINGLE ? QUOTE_NONE : QUOTE_SINGLE;
    if (c == '"' && quote != QUOTE_SINGLE)
        return quote == QUOTE_DOUBLE ? QUOTE_NONE : QUOTE_DOUBLE;
    return quote;
}

void command_template_expand(const char *template, struct buf *command)
{
    enum quote quote = QUOTE_NONE;

    while (*template) {
        const struct template_place *place = find_place(template);

        if (place) {
            put_variable(command, place->variable, quote);
            template += strlen(place->name);
        } else if (*template == '\\' && quote != QUOTE_SINGLE && template[1]) {
            buf_append(command, template, 2);
            template += 2;
        } else {
            quote = quote_after(quote, *template);
            buf_byte(command, *template ++);
        }
    }
}
