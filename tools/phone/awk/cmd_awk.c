/* awk: runs a program on the lines of files. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/awk/awk_lex.h"
#include "tools/phone/awk/awk_run.h"

#define STATUS_BAD 2

/* The arguments of the command. */
struct awk_words {
    struct buf text; /* of all -f */
    const char *separator;
    char **settings; /* owned; each is borrowed: NAME=VALUE of -v */
    size_t setting_count;
    size_t first; /* the first operand */
    bool scripted;
};

static bool add_file(struct command_call *call, struct awk_words *words,
                     const char *name)
{
    struct command_lines lines;
    struct sh_in *in;
    const char *line;
    size_t length;

    if (!call_open(call, name, &in))
        return false;
    call_lines_init(&lines, call, in);
    while (call_lines_next(&lines, &line, &length)) {
        buf_append(&words->text, line, length);
        buf_byte(&words->text, '\n');
    }
    call_lines_release(&lines);
    call_close(call, in);
    words->scripted = true;
    return true;
}

static bool read_words(struct command_call *call, struct awk_words *words)
{
    size_t i = 1;

    words->settings = mem_new(call->argc, sizeof(*words->settings));
    for (; i < call->argc && call->argv[i][0] == '-' && call->argv[i][1]; i++) {
        char letter = call->argv[i][1];
        char *value = call->argv[i][2] ? call->argv[i] + 2 : call->argv[i + 1];

        if (!strcmp(call->argv[i], "--")) {
            i++;
            break;
        }
        if (!strchr("Ffv", letter) || !value) {
            call_fail(call, "unknown option %.20s", call->argv[i]);
            return false;
        }
        i += !call->argv[i][2];
        if (letter == 'F')
            words->separator = value;
        else if (letter == 'v')
            words->settings[words->setting_count++] = value;
        else if (!add_file(call, words, value))
            return false;
    }
    words->first = i;
    return true;
}

/*
 * An operand NAME=VALUE, with the escapes of a string. False if it is another
 * operand.
 */
static bool set(struct awk *awk, const char *word)
{
    const char *equals = strchr(word, '=');
    struct awk_lex lex;
    struct awk_value value;
    struct buf quoted = BUF_INIT(AWK_TEXT_MAX);
    struct err err;
    char *name;
    size_t slot;
    bool done;

    if (!equals || equals == word)
        return false;
    name = mem_dup_n(word, (size_t)(equals - word));
    done = name[strspn(name, "abcdefghijklmnopqrstuvwxyz_"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")] == '\0' &&
           awk_program_slot(awk->program, name, &slot);
    if (done) {
        buf_byte(&quoted, '"');
        for (const char *at = equals + 1; *at; at++) {
            if (*at == '"')
                buf_byte(&quoted, '\\');
            buf_byte(&quoted, *at);
        }
        buf_byte(&quoted, '"');
        awk_lex_init(&lex, buf_cstr(&quoted));
        if (awk_lex_next(&lex, &err) && lex.token == AWK_STRING)
            value = awk_value_input(buf_cstr(&lex.text), lex.text.length);
        else
            value = awk_value_input(equals + 1, strlen(equals + 1));
        awk_set_variable(awk, slot, &value);
        awk_value_release(&value);
        awk_lex_release(&lex);
    }
    buf_release(&quoted);
    free(name);
    return done;
}

static void count_up(struct awk *awk, size_t slot)
{
    double before = awk_value_to_number(&awk->variables[slot]);
    const struct awk_value after = awk_value_number(before + 1);

    awk_set_variable(awk, slot, &after);
}

static void run_input(struct awk *awk, const char *name, struct sh_in *in)
{
    const struct awk_value zero = awk_value_number(0);
    struct awk_value file = awk_value_text(name, strlen(name));
    struct command_lines lines;
    const char *line;
    size_t length;

    awk_set_variable(awk, AWK_SLOT_FILENAME, &file);
    awk_set_variable(awk, AWK_SLOT_FNR, &zero);
    awk_value_release(&file);
    call_lines_init(&lines, awk->call, in);
    while (awk->flow != AWK_FLOW_EXIT &&
           call_lines_next(&lines, &line, &length)) {
        count_up(awk, AWK_SLOT_NR);
        count_up(awk, AWK_SLOT_FNR);
        awk_set_record(awk, line, length);
        awk_run_rules(awk, AWK_WHEN_ALWAYS);
    }
    call_lines_release(&lines);
}

/* Read files, and apply assignments between them; without files, the input. */
static void run_operands(struct awk *awk, char **words, size_t count)
{
    bool any = false;

    for (size_t i = 0; i < count && awk->flow != AWK_FLOW_EXIT; i++) {
        struct sh_in *in;

        if (set(awk, words[i]))
            continue;
        any = true;
        if (!call_open(awk->call, words[i], &in)) {
            awk->status = STATUS_BAD;
            return;
        }
        run_input(awk, words[i], in);
        call_close(awk->call, in);
    }
    if (!any && awk->flow != AWK_FLOW_EXIT)
        run_input(awk, "", awk->call->ports.in);
}

/* Does any rule need input? */
static bool wants_lines(const struct awk_program *program)
{
    for (const struct awk_rule *rule = program->rules; rule;
         rule = rule->next) {
        if (rule->when != AWK_WHEN_BEGIN)
            return true;
    }
    return false;
}

static int run(struct command_call *call, struct awk_words *words,
               struct awk_program *program)
{
    char **operands = call->argv + words->first + !words->scripted;
    size_t count = call->argc - words->first - !words->scripted;
    struct awk awk;
    int status;

    awk_init(&awk, call, program);
    if (words->separator) {
        struct buf setting = BUF_INIT(AWK_TEXT_MAX);

        buf_printf(&setting, "FS=%s",
                   strcmp(words->separator, "t") ? words->separator : "\t");
        (void)!set(&awk, buf_cstr(&setting));
        buf_release(&setting);
    }
    for (size_t i = 0; i < words->setting_count; i++) {
        if (!set(&awk, words->settings[i]))
            awk_break(&awk, "-v wants NAME=VALUE");
    }
    if (awk.flow != AWK_FLOW_EXIT)
        awk_run_rules(&awk, AWK_WHEN_BEGIN);
    if (awk.flow != AWK_FLOW_EXIT && wants_lines(program))
        run_operands(&awk, operands, count);
    if (!awk.broken && !call->ended) {
        awk.flow = AWK_FLOW_ON;
        awk_run_rules(&awk, AWK_WHEN_END);
    }
    status = awk.status;
    awk_release(&awk);
    return status;
}

static int run_awk(struct command_call *call)
{
    struct awk_words words = {.text = BUF_INIT(AWK_TEXT_MAX)};
    struct awk_program *program = mem_new(1, sizeof(*program));
    struct err err = ERR_INIT;
    int status = STATUS_BAD;

    if (!read_words(call, &words)) {
        status = STATUS_BAD;
    } else if (!words.scripted && words.first >= call->argc) {
        call_error(call, "usage: awk [-F fs][-v var=value][prog | -f progfile]"
                         "[file ...]\n");
    } else if (words.text.overflow ||
               !awk_program_parse(program,
                                  words.scripted ? buf_cstr(&words.text)
                                                 : call->argv[words.first],
                                  call_memory(call), &err)) {
        call_fail(call, "%s",
                  words.text.overflow ? "program too large" : err.text);
    } else {
        status = run(call, &words, program);
    }
    awk_program_release(program);
    free(program);
    free(words.settings);
    buf_release(&words.text);
    return status;
}

static const struct phone_command commands[] = {
    {"awk", run_awk, "[-F SEPARATOR] [-v NAME=VALUE] PROGRAM [FILE...]"},
};

const struct command_set awk_commands = {commands, ARRAY_LEN(commands)};
