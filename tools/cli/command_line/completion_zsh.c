#include "tools/cli/command_line/completion.h"

#include <string.h>

#include "tools/cli/command_line/command.h"

static const char script_begin[] =
    "#compdef proctor\n"
    "\n"
    "# _proctor_words FILES COMMAND...: what the command prints, and files\n"
    "_proctor_words()\n"
    "{\n"
    "    local files=$1\n"
    "    local -a found open\n"
    "    shift\n"
    "    found=(${(f)\"$($@ $words 2>/dev/null)\"})\n"
    "    open=(${(M)found:#*:})\n"
    "    found=(${found:#*:})\n"
    "    compadd -a found\n"
    "    compadd -S '' -a open\n"
    "    [[ -z $files ]] || _files\n"
    "}\n"
    "\n"
    "_proctor()\n"
    "{\n"
    "    local state line\n"
    "    local -a names\n"
    "    _arguments -C \\\n";

static const char script_end[] = "    esac\n"
                                 "}\n"
                                 "\n"
                                 "if [[ $funcstack[1] == _proctor ]]; then\n"
                                 "    _proctor \"$@\"\n"
                                 "else\n"
                                 "    compdef _proctor proctor\n"
                                 "fi\n";

/* Text inside '...[text]...' of _arguments. */
static void explain(struct buf *script, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            buf_text(script, "'\\'");
        else if (strchr("[]:\\", *text))
            buf_byte(script, '\\');
        buf_byte(script, *text);
    }
}

/* What completes a word: files, what a command prints, words, or nothing. */
static void action(struct buf *script, enum option_completes completes,
                   const char *const *choices)
{
    const char *source = completion_source(completes);

    if (source)
        buf_printf(script, "{_proctor_words %s %s}",
                   completion_has_files(completes) ? "files" : "\"\"", source);
    else if (completion_has_files(completes))
        buf_text(script, "_files");
    if (!choices)
        return;
    buf_byte(script, '(');
    for (size_t i = 0; choices[i]; i++)
        buf_printf(script, "%s%s", i ? " " : "", choices[i]);
    buf_byte(script, ')');
}

static void option_spec(struct buf *script, const struct option *option,
                        const char *indent)
{
    const char *equals = option->argument ? "=" : "";

    buf_text(script, indent);
    if (option->letter)
        buf_printf(script, "'(-%c --%s)'{-%c%s,--%s%s}'[", option->letter,
                   option->name, option->letter, option->argument ? "+" : "",
                   option->name, equals);
    else
        buf_printf(script, "'--%s%s[", option->name, equals);
    explain(script, option->help);
    buf_byte(script, ']');
    if (option->argument) {
        buf_printf(script, ":%s:", option->argument);
        action(script, option->completes, option->choices);
    }
    buf_text(script, "' \\\n");
}

static void option_specs(struct buf *script, const struct command *command,
                         const char *indent)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t count = command_groups(command, NULL, NULL, groups);

    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].count; i++)
            option_spec(script, &groups[g].options[i], indent);
    }
}

static void command_branch(struct buf *script, const struct command *command)
{
    buf_printf(script, "        %s)\n            _arguments \\\n",
               command->name);
    option_specs(script, command, "                ");
    for (size_t i = 0; i < command->operand_count; i++) {
        const struct operand *operand = &command->operands[i];

        if (operand->max > 1)
            buf_printf(script, "                '*:%s:", operand->name);
        else
            buf_printf(script, "                '%zu:%s:", i + 1,
                       operand->name);
        action(script, operand->completes, operand->choices);
        buf_text(script, "' \\\n");
        if (operand->max > 1)
            break;
    }
    buf_text(script, "                && return\n            ;;\n");
}

void completion_zsh(struct buf *script)
{
    buf_text(script, script_begin);
    option_specs(script, NULL, "        ");
    buf_text(script, "        '1:command:->command' '*::argument:->argument' "
                     "&& return\n"
                     "    case $state in\n"
                     "    command)\n"
                     "        names=(\n");
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->hidden)
            continue;
        buf_printf(script, "            '%s:", commands[i]->name);
        explain(script, commands[i]->summary);
        buf_text(script, "'\n");
    }
    buf_text(script, "        )\n        _describe command names\n"
                     "        ;;\n    argument)\n        case $line[1] in\n");
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->hidden)
            command_branch(script, commands[i]);
    }
    buf_text(script, "        esac\n        ;;\n");
    buf_text(script, script_end);
}
