/* sed: edits lines with a script. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/toybox/sed_private.h"

/* The script of all -e and -f, or of the first operand. */
struct sed_words {
    struct buf text;
    char **operands; /* owned; each is borrowed */
    size_t count;
    char *input; /* the only name if there are no operands; borrowed */
    bool extended;
    bool scripted;
};

static bool add_file(struct sed *sed, struct sed_words *words, const char *name)
{
    struct command_lines lines;
    struct sh_in *in;
    const char *line;
    size_t length;

    if (!call_open(sed->call, name, &in))
        return false;
    call_lines_init(&lines, sed->call, in);
    while (call_lines_next(&lines, &line, &length)) {
        buf_append(&words->text, line, length);
        buf_byte(&words->text, '\n');
    }
    call_lines_release(&lines);
    call_close(sed->call, in);
    return true;
}

/* Parse an argument with options; moves *at to its last argument. */
static bool read_option(struct sed *sed, struct sed_words *words, size_t *at)
{
    struct command_call *call = sed->call;

    for (const char *letter = call->argv[*at] + 1; *letter; letter++) {
        const char *value = letter[1] ? letter + 1 : call->argv[*at + 1];

        switch (*letter) {
        case 'n':
            sed->quiet = true;
            continue;
        case 'E':
        case 'r':
            words->extended = true;
            continue;
        case 's':
            sed->separate = true;
            continue;
        case 'i':
            sed->in_place = sed->separate = true;
            sed->suffix = letter + 1;
            return true;
        case 'e':
        case 'f':
            if (!value) {
                call_fail(call, "Missing argument to '%c'", *letter);
                return false;
            }
            *at += !letter[1];
            words->scripted = true;
            if (*letter == 'f')
                return add_file(sed, words, value);
            buf_text(&words->text, value);
            buf_byte(&words->text, '\n');
            return true;
        default:
            call_fail(call, "Unknown option '%c' (see \"sed --help\")",
                      *letter);
            return false;
        }
    }
    return true;
}

static bool read_words(struct sed *sed, struct sed_words *words)
{
    struct command_call *call = sed->call;
    bool options = true;

    words->operands = mem_new(call->argc, sizeof(*words->operands));
    for (size_t i = 1; i < call->argc; i++) {
        if (options && !strcmp(call->argv[i], "--"))
            options = false;
        else if (!options || call->argv[i][0] != '-' || !call->argv[i][1])
            words->operands[words->count++] = call->argv[i];
        else if (!read_option(sed, words, &i))
            return false;
    }
    return true;
}

static int run(struct sed *sed, struct sed_words *words)
{
    struct err err = ERR_INIT;
    size_t used = words->scripted ? 0 : 1;
    bool named = words->count > used;

    if (!words->scripted && !words->count)
        return call_fail(sed->call, "no pattern");
    if (!words->scripted)
        buf_text(&words->text, words->operands[0]);
    if (words->text.overflow)
        return call_fail(sed->call, "script too long");
    if (!sed_script_parse(&sed->script, buf_cstr(&words->text), words->extended,
                          &err))
        return call_fail(sed->call, "%s", err.text);
    sed->names = named ? words->operands + used : &words->input;
    sed->name_count = named ? words->count - used : 1;
    sed_run_files(sed);
    if (sed->in)
        sed_end_file(sed);
    return sed->status;
}

int do_sed(struct command_call *call)
{
    struct sed sed = {
        .call = call,
        .ahead = BUF_INIT(SPACE_MAX),
        .space = BUF_INIT(SPACE_MAX),
        .held = BUF_INIT(SPACE_MAX),
        .behind = BUF_INIT(SPACE_MAX),
    };
    char input[] = "-";
    struct sed_words words = {.text = BUF_INIT(SED_SCRIPT_MAX), .input = input};
    int status = 1;

    if (call->argc < 2)
        status = call_fail(call, "no pattern");
    else if (read_words(&sed, &words))
        status = run(&sed, &words);
    sed_script_release(&sed.script);
    buf_release(&words.text);
    free(words.operands);
    buf_release(&sed.ahead);
    buf_release(&sed.space);
    buf_release(&sed.held);
    buf_release(&sed.behind);
    return status;
}
