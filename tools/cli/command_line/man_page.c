#include "tools/cli/command_line/man_page.h"

#include <string.h>

#include "tools/cli/command_line/command.h"
#include "tools/cli/command_line/help.h"

/* The date of the last change of this text, which mdoc requires. */
#define MAN_DATE "November 16, 2026"

/* A line of the source this long ends at the next space. */
#define LINE_FULL 56

/* One byte of running text; a backslash would begin a request. */
static void man_byte(struct buf *text, char byte)
{
    if (byte == '\\')
        buf_text(text, "\\e");
    else
        buf_byte(text, byte);
}

/* Running text: paragraphs, short lines, and each sentence on a new one. */
static void man_text(struct buf *text, const char *words)
{
    size_t column = 0;

    for (const char *at = words; *at; at++) {
        bool sentence_ends = at > words && strchr(".?!", at[-1]) != NULL;

        if (at[0] == '\n' && at[1] == '\n') {
            buf_text(text, "\n.Pp\n");
            at++;
            column = 0;
        } else if (*at == '\n' ||
                   (*at == ' ' && (sentence_ends || column > LINE_FULL))) {
            buf_byte(text, '\n');
            column = 0;
        } else {
            if (!column && strchr(".'", *at))
                buf_text(text, "\\&");
            man_byte(text, *at);
            column++;
        }
    }
    buf_byte(text, '\n');
}

static void man_options(struct buf *text, const struct option_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct option *option = &group->options[i];

        buf_text(text, ".It ");
        if (option->letter)
            buf_printf(text, "Fl %c , ", option->letter);
        buf_printf(text, "Fl -%s", option->name);
        if (option->argument)
            buf_printf(text, " Ns = Ns Ar %s", option->argument);
        buf_byte(text, '\n');
        man_text(text, option->help);
        for (size_t c = 0; option->choices && option->choices[c]; c++)
            buf_printf(text, "%s.Cm %s%s", c ? "" : "One of\n",
                       option->choices[c],
                       option->choices[c + 1] ? " ,\n" : " .\n");
    }
}

static void man_operands(struct buf *text, const struct command *command)
{
    for (size_t i = 0; i < command->operand_count; i++) {
        buf_printf(text, ".It Ar %s\n", command->operands[i].name);
        man_text(text, command->operands[i].help);
    }
}

static void man_synopsis(struct buf *text, const struct command *command)
{
    buf_printf(text, ".Nm Cm %s Oo Ar OPTION ... Oc", command->name);
    for (size_t i = 0; i < command->operand_count; i++) {
        const struct operand *operand = &command->operands[i];

        buf_printf(text, operand->min ? " Ar %s%s" : " Oo Ar %s%s Oc",
                   operand->name, operand->max > 1 ? " ..." : "");
    }
    buf_byte(text, '\n');
}

static void man_examples(struct buf *text, const struct command *command)
{
    for (size_t i = 0; i < command->example_count; i++) {
        buf_text(text, ".Pp\n");
        man_text(text, command->examples[i].meaning);
        buf_text(text, ".Dl ");
        for (const char *at = command->examples[i].line; *at; at++)
            man_byte(text, *at);
        buf_byte(text, '\n');
    }
}

static void man_command(struct buf *text, const struct command *command)
{
    buf_printf(text, ".Ss %s\n", command->name);
    man_synopsis(text, command);
    buf_text(text, ".Pp\n");
    man_text(text, command->description);
    if (command->operand_count || command->option_count) {
        struct option_group own = {command->options, command->option_count,
                                   NULL};

        buf_text(text, ".Bl -tag -width Ds\n");
        man_operands(text, command);
        man_options(text, &own);
        buf_text(text, ".El\n");
    }
    man_examples(text, command);
}

static void man_shared_options(struct buf *text)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t count = command_groups(NULL, NULL, NULL, groups);

    buf_text(text, ".Pp\nMost commands also take these options:\n"
                   ".Bl -tag -width Ds\n");
    for (size_t g = 0; g < count; g++)
        man_options(text, &groups[g]);
    buf_text(text, ".El\n");
}

static void man_rows(struct buf *text, const char *macro,
                     const struct example *rows, size_t count)
{
    buf_text(text, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < count; i++) {
        buf_printf(text, ".It %s%s\n", macro, rows[i].line);
        man_text(text, rows[i].meaning);
    }
    buf_text(text, ".El\n");
}

void man_page(struct buf *text)
{
    buf_text(text,
             ".Dd " MAN_DATE "\n.Dt PROCTOR 1\n.Os\n"
             ".Sh NAME\n.Nm proctor\n.Nd benchmark agents that operate phones\n"
             ".Sh SYNOPSIS\n.Nm proctor\n.Op Ar OPTION ...\n"
             ".Ar COMMAND\n.Op Ar ARGUMENT ...\n"
             ".Sh DESCRIPTION\n.Nm\n");
    man_text(
        text,
        "benchmarks agents that operate an Android phone, and judges how they "
        "did it. It lets an agent do the tasks of a suite, records every step, "
        "says in words what each step did, and lets judges decide from those "
        "words.\n\nIt speaks to a phone itself, over USB or TCP, or uses an "
        "adb server that is already running; it never starts or stops one. "
        "Without a phone, the built-in one can be used.\n\nResults go to "
        "standard output, everything else to standard error.");
    man_shared_options(text);
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->hidden)
            man_command(text, commands[i]);
    }
    buf_text(text, ".Sh ENVIRONMENT\n");
    man_rows(text, "Ev ", help_environment, help_environment_count);
    buf_text(text, ".Sh EXIT STATUS\n");
    man_rows(text, "", help_exit_codes, help_exit_code_count);
}
