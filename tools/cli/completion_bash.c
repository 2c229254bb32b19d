#include "tools/cli/completion.h"

#include "tools/cli/command.h"

/*
 * The line is split here and not by COMP_WORDBREAKS, which would cut a serial
 * such as 10.0.0.7:5555 in two; what readline has before its last break is
 * then taken off the answers.
 */
static const char script_begin[] =
    "# Completion of proctor for bash\n"
    "_proctor()\n"
    "{\n"
    "    local line=${COMP_LINE:0:COMP_POINT} command= options= answers=\n"
    "    local files= cur prev i words\n"
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

static const char script_end[] =
    "    esac\n"
    "    if [[ $cur == -* ]]; then\n"
    "        answers=$options\n"
    "    elif [[ $files ]]; then\n"
    "        compopt -o default\n"
    "        return\n"
    "    fi\n"
    "    COMPREPLY=($(compgen -W \"$answers\" -- \"$cur\"))\n"
    "    COMPREPLY=(\"${COMPREPLY[@]#\"${cur%\"${cur##*:}\"}\"}\")\n"
    "}\n"
    "complete -F _proctor proctor\n";

static void list_words(struct buf *script, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        buf_printf(script, "%s%s", i ? " " : "", words[i]);
}

/* What may stand after an option, as a branch of: case $prev in */
static void value_branch(struct buf *script, const struct option *option)
{
    buf_text(script, "        ");
    if (option->letter)
        buf_printf(script, "-%c | ", option->letter);
    buf_printf(script, "--%s) ", option->name);
    if (option->completes == COMPLETE_FILE) {
        buf_text(script, "files=1 ;;\n");
        return;
    }
    buf_text(script, "options= answers='");
    if (option->choices)
        list_words(script, option->choices);
    if (option->completes == COMPLETE_DEVICE)
        buf_text(script, "'$(proctor devices -q 2>/dev/null)'");
    buf_text(script, "' ;;\n");
}

static void operand_answers(struct buf *script, const struct command *command)
{
    for (size_t i = 0; i < command->operand_count; i++) {
        const struct operand *operand = &command->operands[i];

        if (operand->completes == COMPLETE_FILE)
            buf_text(script, " files=1");
        if (!operand->choices)
            continue;
        buf_text(script, " answers='");
        list_words(script, operand->choices);
        buf_byte(script, '\'');
    }
}

static void options_of(struct buf *script, const struct command *command)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t count = command_groups(command, NULL, NULL, groups);

    buf_text(script, "        options='");
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].count; i++)
            buf_printf(script, "--%s ", groups[g].options[i].name);
    }
    buf_byte(script, '\'');
    if (command)
        operand_answers(script, command);
    buf_text(script, "\n        case $prev in\n");
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
