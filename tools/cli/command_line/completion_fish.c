#include "tools/cli/command_line/completion.h"

#include "tools/cli/command_line/command.h"

/* Text as one word of fish. */
static void quoted(struct buf *script, const char *text)
{
    buf_byte(script, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            buf_byte(script, '\\');
        buf_byte(script, *text);
    }
    buf_byte(script, '\'');
}

/* Begin a rule that holds for one command, or (NULL) before any is named. */
static void rule(struct buf *script, const struct command *command)
{
    if (command)
        buf_printf(script,
                   "complete -c proctor -n '__fish_seen_subcommand_from %s'",
                   command->name);
    else
        buf_text(script, "complete -c proctor -n __fish_use_subcommand");
}

static void answers(struct buf *script, const char *const *words)
{
    buf_text(script, " -a '");
    for (size_t i = 0; words[i]; i++)
        buf_printf(script, "%s%s", i ? " " : "", words[i]);
    buf_byte(script, '\'');
}

static void source_answers(struct buf *script, enum option_completes completes)
{
    const char *source = completion_source(completes);

    if (source)
        buf_printf(script, " -a '(%s (commandline -opc) 2>/dev/null)'", source);
}

static void option_rule(struct buf *script, const struct command *command,
                        const struct option *option)
{
    rule(script, command);
    if (option->letter)
        buf_printf(script, " -s %c", option->letter);
    buf_printf(script, " -l %s", option->name);
    if (option->argument)
        buf_text(script,
                 completion_has_files(option->completes) ? " -r -F" : " -x");
    source_answers(script, option->completes);
    if (option->choices)
        answers(script, option->choices);
    buf_text(script, " -d ");
    quoted(script, option->help);
    buf_byte(script, '\n');
}

static void operand_rules(struct buf *script, const struct command *command)
{
    for (size_t i = 0; i < command->operand_count; i++) {
        const struct operand *operand = &command->operands[i];

        if (operand->completes == COMPLETE_NOTHING && !operand->choices)
            continue;
        rule(script, command);
        if (completion_has_files(operand->completes))
            buf_text(script, " -F");
        source_answers(script, operand->completes);
        if (operand->choices)
            answers(script, operand->choices);
        buf_byte(script, '\n');
    }
}

static void option_rules(struct buf *script, const struct command *command)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t count = command_groups(command, NULL, NULL, groups);

    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].count; i++)
            option_rule(script, command, &groups[g].options[i]);
    }
}

void completion_fish(struct buf *script)
{
    buf_text(script, "# Completion of proctor for fish\n"
                     "complete -c proctor -f\n");
    option_rules(script, NULL);
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->hidden)
            continue;
        rule(script, NULL);
        buf_printf(script, " -a %s -d ", commands[i]->name);
        quoted(script, commands[i]->summary);
        buf_byte(script, '\n');
        option_rules(script, commands[i]);
        operand_rules(script, commands[i]);
    }
}
