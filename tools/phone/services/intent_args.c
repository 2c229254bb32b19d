#include "tools/phone/services/intent_args.h"

#include <stdlib.h>
#include <string.h>

/* The values that follow an option. */
enum intent_value_kind {
    ACTION,
    DATA,
    TYPE,
    CATEGORY,
    PACKAGE,
    COMPONENT,
    FLAGS,
    EXTRA,    /* a name and a value */
    NULLED,   /* a name without a value */
    IGNORED,  /* nothing follows */
    IGNORED_1 /* one word follows */
};

static const struct {
    const char *name;
    enum intent_value_kind kind;
} options[] = {
    {"-a", ACTION},   {"-d", DATA},      {"-t", TYPE},      {"-c", CATEGORY},
    {"-p", PACKAGE},  {"-n", COMPONENT}, {"-f", FLAGS},     {"-i", IGNORED_1},
    {"-e", EXTRA},    {"--es", EXTRA},   {"--esn", NULLED}, {"--ez", EXTRA},
    {"--ei", EXTRA},  {"--el", EXTRA},   {"--ef", EXTRA},   {"--ed", EXTRA},
    {"--eu", EXTRA},  {"--ecn", EXTRA},  {"--eia", EXTRA},  {"--eial", EXTRA},
    {"--ela", EXTRA}, {"--elal", EXTRA}, {"--efa", EXTRA},  {"--efal", EXTRA},
    {"--esa", EXTRA}, {"--esal", EXTRA},
};

/* Names of flags, and their bits. */
static const struct {
    const char *name;
    uint32_t bits;
} flags[] = {
    {"--grant-read-uri-permission", 0x00000001},
    {"--grant-write-uri-permission", 0x00000002},
    {"--debug-log-resolution", 0x00000008},
    {"--exclude-stopped-packages", 0x00000010},
    {"--include-stopped-packages", 0x00000020},
    {"--activity-brought-to-front", 0x00400000},
    {"--activity-clear-top", 0x04000000},
    {"--activity-clear-when-task-reset", 0x00080000},
    {"--activity-exclude-from-recents", 0x00800000},
    {"--activity-launched-from-history", 0x00100000},
    {"--activity-multiple-task", 0x08000000},
    {"--activity-no-animation", 0x00010000},
    {"--activity-no-history", 0x40000000},
    {"--activity-no-user-action", 0x00040000},
    {"--activity-previous-is-top", 0x01000000},
    {"--activity-reorder-to-front", 0x00020000},
    {"--activity-reset-task-if-needed", INTENT_RESET_TASK},
    {"--activity-single-top", 0x20000000},
    {"--activity-clear-task", 0x00008000},
    {"--activity-task-on-home", 0x00004000},
    {"--receiver-registered-only", 0x40000000},
    {"--receiver-replace-pending", 0x20000000},
    {"--receiver-foreground", 0x10000000},
    {"--receiver-no-abort", 0x08000000},
    {"--receiver-include-background", 0x01000000},
};

static bool take_flag(const char *option, struct phone_intent *intent)
{
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (!strcmp(flags[i].name, option)) {
            intent->flags |= flags[i].bits;
            return true;
        }
    }
    return false;
}

static bool take_extra(struct subcommand_call *subcommand, const char *name,
                       struct phone_intent *intent, int *status)
{
    const char *value;

    if (!subcommand_need(subcommand, &value, status))
        return false;
    if (intent->extra_count < INTENT_EXTRAS_MAX)
        intent->extras[intent->extra_count++] =
            (struct intent_extra){name, value};
    return true;
}

static bool take_component(struct subcommand_call *subcommand, const char *word,
                           struct phone_intent *intent, int *status)
{
    if (component_parse(word, &intent->component))
        return true;
    *status = subcommand_throw(subcommand, SUBCOMMAND_ILLEGAL,
                               "Bad component name: %.200s", word);
    return false;
}

static bool take_value(struct subcommand_call *subcommand,
                       enum intent_value_kind kind, struct phone_intent *intent,
                       int *status)
{
    const char *word = NULL;

    if (kind != IGNORED && !subcommand_need(subcommand, &word, status))
        return false;
    switch (kind) {
    case ACTION:
        intent->action = word;
        break;
    case DATA:
        intent->data = word;
        break;
    case TYPE:
        intent->type = word;
        break;
    case PACKAGE:
        intent->package = word;
        break;
    case CATEGORY:
        if (intent->category_count < INTENT_CATEGORIES_MAX)
            intent->categories[intent->category_count++] = word;
        break;
    case COMPONENT:
        return take_component(subcommand, word, intent, status);
    case FLAGS:
        intent->flags |= (uint32_t)strtoul(word, NULL, 0);
        break;
    case EXTRA:
        return take_extra(subcommand, word, intent, status);
    case NULLED:
    case IGNORED:
    case IGNORED_1:
        break;
    }
    return true;
}

static bool take_option(struct subcommand_call *subcommand, const char *option,
                        struct phone_intent *intent, bool *known, int *status)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        if (!strcmp(options[i].name, option)) {
            *known = true;
            return take_value(subcommand, options[i].kind, intent, status);
        }
    }
    *known = take_flag(option, intent);
    return true;
}

/* A single operand: a URI, a component, or a package. */
static bool take_operand(struct subcommand_call *subcommand, const char *word,
                         struct phone_intent *intent, int *status)
{
    if (strchr(word, ':')) {
        intent->data = word;
        if (!intent->action)
            intent->action = INTENT_VIEW;
        return true;
    }
    if (!intent->action)
        intent->action = INTENT_MAIN;
    if (!intent->category_count)
        intent->categories[intent->category_count++] = INTENT_LAUNCHER;
    if (strchr(word, '/'))
        return take_component(subcommand, word, intent, status);
    intent->package = word;
    return true;
}

bool intent_words(struct subcommand_call *subcommand, intent_option_fn *other,
                  void *context, struct phone_intent *intent, int *status)
{
    size_t first = subcommand->next;
    const char *word;

    *intent = (struct phone_intent){.flags = 0};
    while ((word = subcommand_option(subcommand))) {
        bool known;

        if (other && other(subcommand, word, context))
            continue;
        if (!take_option(subcommand, word, intent, &known, status))
            return false;
        if (!known) {
            *status = subcommand_throw(subcommand, SUBCOMMAND_ILLEGAL,
                                       "Unknown option: %.100s", word);
            return false;
        }
    }
    word = subcommand_next(subcommand);
    if (word)
        return take_operand(subcommand, word, intent, status);
    if (subcommand->next == first || first == subcommand->call->argc) {
        *status = subcommand_throw(subcommand, SUBCOMMAND_ILLEGAL,
                                   "No intent supplied");
        return false;
    }
    return true;
}
