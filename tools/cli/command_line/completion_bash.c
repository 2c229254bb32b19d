#include "tools/cli/command_line/completion.h"

#include "tools/cli/command_line/command.h"

/*
 * The line is split here and not by COMP_WORDBREAKS, which would cut a serial
 * such as 10.0.0.7:5555 in two; what readline has before its last break is
 * then taken off the answers.
 */
static const char script_begin[] =
    "# Completion of proctor for bash\n"
    "# How many words stand behind the command that are no options or values.\n"
    "_proctor_position()\n"
    "{\n"
    "    position=0\n"
    "    for ((i++; i < ${#words[@]} - 1; i++)); do\n"
    "        if [[ $valued == *\" ${words[i]} \"* ]]; then\n"
    "            ((i++))\n"
    "        elif [[ ${words[i]} != -* ]]; then\n"
    "            ((position++))\n"
    "        fi\n"
    "    done\n"
    "}\n"
    "_proctor()\n"
    "{\n"
    "    local line=${COMP_LINE:0:COMP_POINT} command= options= answers=\n"
    "    local files= valued= position=0 cur prev i words\n"
    "    read -ra words <<<\"$line\"\n"
    "    [[ $line == *' ' ]] && words+=('')\n"
    "    cur=${words[-1]} prev=${words[-2]}\n"
    "    for ((i = 1; i < ${#words[@]} - 1; i++)); do\n"
    "        case ${words[i]} in\n"
    "        -s | --device | --timeout) ((i++)) ;;\n"
    "        -*) ;;\n"
    "        *) command=${words[i]}; break ;;\n"
    "        esac\n"
    "    done\n"
    "    case $command in\n";

/* Names come before files, which bash itself completes. */
static const char script_end[] =
    "    esac\n"
    "    [[ $cur != -* ]] || answers=$options files=\n"
    "    COMPREPLY=($(compgen -W \"$answers\" -- \"$cur\"))\n"
    "    if [[ $files && ! ${COMPREPLY[*]} ]]; then\n"
    "        compopt -o default 2>/dev/null\n"
    "        return\n"
    "    fi\n"
    "    [[ ${COMPREPLY[*]} != *: ]] || compopt -o nospace 2>/dev/null\n"
    "    COMPREPLY=(\"${COMPREPLY[@]#\"${cur%\"${cur##*:}\"}\"}\")\n"
    "}\n"
    "complete -F _proctor proctor\n";

static void list_words(struct buf *script, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        buf_printf(script, "%s%s", i ? " " : "", words[i]);
}

/* Set what is offered: words, what a command prints, files. */
static void offer(struct buf *script, enum option_completes completes,
                  const char *const *choices)
{
    const char *source = completion_source(completes);

    buf_text(script, "answers='");
    if (choices)
        list_words(script, choices);
    if (source)
        buf_printf(script, "'$(%s \"${words[@]}\" 2>/dev/null)'", source);
    buf_printf(script, "' files=%s",
               completion_has_files(completes) ? "1" : "");
}

/* The values of an option, as a branch of: case $prev in */
static void value_branch(struct buf *script, const struct option *option)
{
    buf_text(script, "        ");
    if (option->letter)
        buf_printf(script, "-%c | ", option->letter);
    buf_printf(script, "--%s) options= ", option->name);
    offer(script, option->completes, option->choices);
    buf_text(script, " ;;\n");
}

/* The operands by position; the last one may repeat. */
static void operand_branches(struct buf *script, const struct command *command)
{
    if (!command->operand_count)
        return;
    buf_text(script, "        case $position in\n");
    for (size_t i = 0; i < command->operand_count; i++) {
        const struct operand *operand = &command->operands[i];

        if (operand->max > 1)
            buf_text(script, "        *) ");
        else
            buf_printf(script, "        %zu) ", i);
        offer(script, operand->completes, operand->choices);
        buf_text(script, " ;;\n");
        if (operand->max > 1)
            break;
    }
    buf_text(script, "        esac\n");
}

static void list_options(struct buf *script, const struct option_group *groups,
                         size_t count)
{
    buf_text(script, "        options='");
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].count; i++)
            buf_printf(script, "--%s ", groups[g].options[i].name);
    }
    buf_text(script, "' valued=' ");
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].count; i++) {
            const struct option *option = &groups[g].options[i];

            if (option->argument && option->letter)
                buf_printf(script, "-%c ", option->letter);
            if (option->argument)
                buf_printf(script, "--%s ", option->name);
        }
    }
    buf_text(script, "'\n");
}

static void options_of(struct buf *script, const struct command *command)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t count = command_groups(command, NULL, NULL, groups);

    list_options(script, groups, count);
    if (command) {
        buf_text(script, "        _proctor_position\n");
        operand_branches(script, command);
    }
    buf_text(script, "        case $prev in\n");
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].count; i++) {
            if (groups[g].options[i].argument)
                value_branch(script, &groups[g].options[i]);
        }
    }
    buf_text(script, "        esac\n        ;;\n");
}

void completion_bash(struct buf *script)
{
    buf_text(script, script_begin);
    buf_text(script, "    '')\n        answers='");
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->hidden)
            buf_printf(script, "%s ", commands[i]->name);
    }
    buf_text(script, "'\n");
    options_of(script, NULL);
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->hidden)
            continue;
        buf_printf(script, "    %s)\n", commands[i]->name);
        options_of(script, commands[i]);
    }
    buf_text(script, script_end);
}
