/* sed: edits lines with a script. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/sed_script.h"

/* Limit of the pattern space and the hold space. */
#define SPACE_MAX ((size_t)1 << 20)

struct sed {
    struct command_call *call;
    struct sed_script script;
    bool quiet;         /* -n */
    bool separate;      /* -s and -i: line numbers start again in each file */
    bool in_place;      /* -i */
    const char *suffix; /* of -i: suffix of the backup; or NULL */

    char **names;
    size_t name_count;
    size_t name_next;
    struct sh_in *in; /* the current file; or NULL */
    struct command_lines lines;
    struct buf ahead; /* the next line, read ahead to detect the last one */
    bool has_ahead;

    struct sh_out *out; /* of -i; NULL: the command's output */
    struct regex *last; /* the regular expression used last */
    struct buf space;   /* the current line */
    struct buf held;
    struct buf behind; /* text of "a" to print after the line */
    long long number;  /* number of the line */
    bool replaced;     /* a substitution was made, for "t" */
    bool over;         /* q */
    int status;
};

enum sed_end {
    SED_END_LINE, /* end of the script: print the line */
    SED_END_DELETED,
    SED_END_AGAIN, /* restart the script without reading a line */
};

/* ---- output ---- */

static void put(struct sed *sed, const char *data, size_t size)
{
    if (!sed->out)
        call_write(sed->call, data, size);
    else if (size && !sh_out_write(sed->out, data, size))
        sed->call->ended = true;
}

static void put_line(struct sed *sed, const char *data, size_t size)
{
    put(sed, data, size);
    put(sed, "\n", 1);
}

static void flush_behind(struct sed *sed)
{
    put(sed, buf_cstr(&sed->behind), sed->behind.length);
    buf_clear(&sed->behind);
}

/* ---- input ---- */

/* With -i the edited file replaces the original. */
static bool begin_in_place(struct sed *sed, const char *name)
{
    struct buf kept = BUF_INIT(FILES_PATH_MAX);
    char *from = call_path(sed->call, name);
    char *to = NULL;
    int number = ENAMETOOLONG;
    bool done = from != NULL;

    if (done && sed->suffix && *sed->suffix) {
        buf_printf(&kept, "%s%s", from, sed->suffix);
        to = mem_dup(buf_cstr(&kept));
        done = !kept.overflow &&
               files_copy(sed->call->files, from, to,
                          (struct files_copying){.keep = true}, &number);
        if (!done)
            call_fail_path(sed->call, name, number);
    }
    buf_release(&kept);
    free(from);
    free(to);
    return done && call_create(sed->call, name, false, &sed->out);
}

static bool next_file(struct sed *sed)
{
    while (sed->name_next < sed->name_count && !sed->call->ended) {
        const char *name = sed->names[sed->name_next++];

        if (!call_open(sed->call, name, &sed->in)) {
            sed->status = 1;
            continue;
        }
        if (sed->in_place && !begin_in_place(sed, name)) {
            call_close(sed->call, sed->in);
            sed->in = NULL;
            sed->status = 1;
            continue;
        }
        call_lines_init(&sed->lines, sed->call, sed->in);
        return true;
    }
    return false;
}

static void end_file(struct sed *sed)
{
    call_lines_release(&sed->lines);
    call_close(sed->call, sed->in);
    sed->in = NULL;
}

/* Read the next line ahead, if there is one. */
static void look_ahead(struct sed *sed)
{
    const char *line;
    size_t length;

    sed->has_ahead = false;
    while (sed->in || (!sed->separate && next_file(sed))) {
        if (call_lines_next(&sed->lines, &line, &length)) {
            buf_clear(&sed->ahead);
            buf_append(&sed->ahead, line, length);
            sed->has_ahead = true;
            return;
        }
        end_file(sed);
    }
}

/* Append the next line to the space. */
static bool read_line(struct sed *sed)
{
    if (!sed->has_ahead || !call_step(sed->call))
        return false;
    buf_append(&sed->space, buf_cstr(&sed->ahead), sed->ahead.length);
    if (sed->space.overflow) {
        call_fail(sed->call, "line too long");
        sed->status = 1;
        return false;
    }
    sed->number++;
    look_ahead(sed);
    return true;
}

/* ---- addresses ---- */

static bool matches(struct sed *sed, struct regex *pattern)
{
    size_t begin;
    size_t end;

    if (!pattern)
        pattern = sed->last;
    sed->last = pattern;
    return pattern && regex_find(pattern, buf_cstr(&sed->space),
                                 sed->space.length, &begin, &end);
}

static bool address_fits(struct sed *sed, const struct sed_address *address)
{
    switch (address->kind) {
    case SED_ADDRESS_LINE:
        return sed->number == address->number;
    case SED_ADDRESS_STEP:
        return sed->number >= address->number &&
               (address->step > 0
                    ? (sed->number - address->number) % address->step == 0
                    : sed->number == address->number);
    case SED_ADDRESS_LAST:
        return !sed->has_ahead;
    case SED_ADDRESS_PATTERN:
        return matches(sed, address->pattern);
    case SED_ADDRESS_NONE:
    case SED_ADDRESS_COUNT:
        return true;
    }
    return true;
}

/* Does the range continue after this line? */
static bool range_goes_on(struct sed *sed, const struct sed_command *command)
{
    switch (command->to.kind) {
    case SED_ADDRESS_LINE:
        return sed->number < command->to.number;
    case SED_ADDRESS_COUNT:
        return sed->number < command->until;
    case SED_ADDRESS_NONE:
    case SED_ADDRESS_STEP:
    case SED_ADDRESS_LAST:
    case SED_ADDRESS_PATTERN:
        return !address_fits(sed, &command->to);
    }
    return false;
}

static bool is_meant(struct sed *sed, struct sed_command *command)
{
    if (command->to.kind == SED_ADDRESS_NONE)
        return address_fits(sed, &command->from);
    if (command->inside) {
        command->inside = range_goes_on(sed, command);
        return command->inside || command->to.kind != SED_ADDRESS_LINE ||
               sed->number == command->to.number;
    }
    if (!address_fits(sed, &command->from))
        return false;
    command->until = command->to.number < INT32_MAX
                         ? sed->number + command->to.number
                         : INT64_MAX;
    /*
     * The regular expression that ends a range is tested from the next line on.
     */
    command->inside =
        command->to.kind == SED_ADDRESS_PATTERN || range_goes_on(sed, command);
    return true;
}

/* ---- s and y ---- */

/* The replacement of a match: "&" and "\1" stand for matched text. */
static void put_replacement(const struct sed *sed, const char *text,
                            const struct regex_span spans[REGEX_SPANS],
                            struct buf *out)
{
    for (; *text; text++) {
        const struct regex_span *span = NULL;

        if (*text == '&') {
            span = &spans[0];
        } else if (*text == '\\' && text[1] >= '0' && text[1] <= '9') {
            span = &spans[*++text - '0'];
        } else if (*text == '\\' && text[1]) {
            text++;
            buf_byte(out, *text == 'n' ? '\n' : *text == 't' ? '\t' : *text);
        } else {
            buf_byte(out, *text);
        }
        if (span && span->set)
            buf_append(out, buf_cstr(&sed->space) + span->begin,
                       span->end - span->begin);
    }
}

static bool substitute(struct sed *sed, const struct sed_command *command)
{
    struct regex *pattern = command->pattern ? command->pattern : sed->last;
    const char *text = buf_cstr(&sed->space);
    size_t length = sed->space.length;
    struct regex_span spans[REGEX_SPANS];
    struct buf out = BUF_INIT(SPACE_MAX);
    long long found = 0;
    size_t at = 0;
    size_t behind = SIZE_MAX; /* end of the last non-empty match */
    bool changed = false;

    sed->last = pattern;
    while (pattern && at <= length && call_step(sed->call) &&
           regex_find_spans(pattern, text, length, at, spans)) {
        bool empty = spans[0].begin == spans[0].end;
        bool counts = !empty || spans[0].begin != behind;
        bool meant = counts && ++found >= command->nth;

        buf_append(&out, text + at, spans[0].begin - at);
        if (meant)
            put_replacement(sed, command->text, spans, &out);
        else
            buf_append(&out, text + spans[0].begin,
                       spans[0].end - spans[0].begin);
        changed = changed || meant;
        at = spans[0].end;
        behind = empty ? behind : at;
        if (empty) {
            if (at < length)
                buf_byte(&out, text[at]);
            at++;
        }
        if (meant && !command->global)
            break;
    }
    if (changed) {
        if (at < length)
            buf_append(&out, text + at, length - at);
        if (out.overflow) {
            call_fail(sed->call, "line too long");
            sed->status = 1;
            sed->over = true;
        }
        buf_clear(&sed->space);
        buf_append(&sed->space, buf_cstr(&out), out.length);
    }
    buf_release(&out);
    return changed;
}

static void exchange(struct sed *sed, const struct sed_command *command)
{
    for (size_t i = 0; i < sed->space.length; i++) {
        char *byte = &sed->space.data[i];
        const char *found = *byte ? strchr(command->text, *byte) : NULL;

        if (found)
            *byte = command->other[found - command->text];
    }
}

/* ---- commands ---- */

static void swap(struct sed *sed)
{
    struct buf space = sed->space;

    sed->space = sed->held;
    sed->held = space;
}

static void append_line(struct buf *to, const struct buf *from)
{
    buf_byte(to, '\n');
    buf_append(to, buf_cstr(from), from->length);
}

/* The length of the space up to its first newline. */
static size_t first_line(const struct sed *sed)
{
    const char *text = buf_cstr(&sed->space);
    const char *newline = memchr(text, '\n', sed->space.length);

    return newline ? (size_t)(newline - text) : sed->space.length;
}

/* Commands that only use the line's text. */
static void change(struct sed *sed, const struct sed_command *command)
{
    switch (command->name) {
    case 'y':
        exchange(sed, command);
        break;
    case 'h':
        buf_clear(&sed->held);
        buf_append(&sed->held, buf_cstr(&sed->space), sed->space.length);
        break;
    case 'H':
        append_line(&sed->held, &sed->space);
        break;
    case 'g':
        buf_clear(&sed->space);
        buf_append(&sed->space, buf_cstr(&sed->held), sed->held.length);
        break;
    case 'G':
        append_line(&sed->space, &sed->held);
        break;
    case 'x':
        swap(sed);
        break;
    default:
        break;
    }
}

static void print(struct sed *sed, const struct sed_command *command)
{
    char number[32];

    switch (command->name) {
    case 'p':
    case 'l':
        put_line(sed, buf_cstr(&sed->space), sed->space.length);
        break;
    case 'P':
        put_line(sed, buf_cstr(&sed->space), first_line(sed));
        break;
    case '=':
        snprintf(number, sizeof(number), "%lld", sed->number);
        put_line(sed, number, strlen(number));
        break;
    case 'i':
        put(sed, command->text, strlen(command->text));
        break;
    case 'a':
        buf_text(&sed->behind, command->text);
        break;
    default:
        break;
    }
}

/* n and N; false at the end of the input, which ends the script. */
static bool next_line(struct sed *sed, bool append)
{
    if (!append && !sed->quiet)
        put_line(sed, buf_cstr(&sed->space), sed->space.length);
    flush_behind(sed);
    if (!sed->has_ahead) {
        /* N at the end prints the space; n has printed it already. */
        if (append && !sed->quiet)
            put_line(sed, buf_cstr(&sed->space), sed->space.length);
        return false;
    }
    if (append)
        buf_byte(&sed->space, '\n');
    else
        buf_clear(&sed->space);
    return read_line(sed);
}

static bool jumps(struct sed *sed, const struct sed_command *command)
{
    bool replaced = sed->replaced;

    if (command->name == 'b')
        return true;
    sed->replaced = false;
    return replaced == (command->name == 't');
}

/* Commands that may end the script for this line. True: it has ended. */
static bool ends(struct sed *sed, const struct sed_command *command,
                 enum sed_end *end)
{
    *end = SED_END_DELETED;
    switch (command->name) {
    case 'd':
        return true;
    case 'D':
        if (first_line(sed) == sed->space.length)
            return true;
        buf_consume(&sed->space, first_line(sed) + 1);
        *end = SED_END_AGAIN;
        return true;
    case 'c':
        if (command->to.kind == SED_ADDRESS_NONE || !command->inside)
            put(sed, command->text, strlen(command->text));
        return true;
    case 'q':
    case 'Q':
        sed->over = true;
        sed->status = (int)(command->nth & 0xff);
        *end = command->name == 'q' ? SED_END_LINE : SED_END_DELETED;
        return true;
    case 'n':
    case 'N':
        return !next_line(sed, command->name == 'N');
    default:
        return false;
    }
}

static enum sed_end run_script(struct sed *sed)
{
    struct sed_script *script = &sed->script;
    enum sed_end end;
    size_t at = 0;

    while (at < script->count && call_step(sed->call) &&
           call_spend(sed->call, sed->space.length + sed->held.length) &&
           !sed->over) {
        struct sed_command *command = &script->commands[at++];
        bool meant = is_meant(sed, command) != command->negated;

        if (command->name == '{' && !meant)
            at = command->jump;
        if (!meant)
            continue;
        if (ends(sed, command, &end))
            return end;
        if (command->name == 's' && substitute(sed, command)) {
            sed->replaced = true;
            if (command->prints)
                put_line(sed, buf_cstr(&sed->space), sed->space.length);
        } else if (strchr("btT", command->name) && jumps(sed, command)) {
            at = command->jump;
        }
        change(sed, command);
        print(sed, command);
    }
    return SED_END_LINE;
}

static void run_lines(struct sed *sed)
{
    enum sed_end end = SED_END_LINE;

    look_ahead(sed);
    while (!sed->over && !sed->call->ended) {
        if (end != SED_END_AGAIN) {
            buf_clear(&sed->space);
            if (!read_line(sed))
                break;
        } else if (!call_step(sed->call)) {
            break;
        }
        sed->replaced = false;
        end = run_script(sed);
        if (end == SED_END_LINE && !sed->quiet)
            put_line(sed, buf_cstr(&sed->space), sed->space.length);
        flush_behind(sed);
    }
}

/* With -s or -i, each file is edited separately. */
static void run_files(struct sed *sed)
{
    if (!sed->separate) {
        run_lines(sed);
        return;
    }
    while (!sed->over && next_file(sed)) {
        sed->number = 0;
        run_lines(sed);
        if (sed->in)
            end_file(sed);
        if (!call_finish(sed->call, sed->out))
            sed->status = 1;
        sed->out = NULL;
    }
}

/* ---- the command ---- */

/* The script of all -e and -f, or of the first operand. */
struct sed_words {
    struct buf text;
    char **operands; /* owned; each is borrowed */
    size_t count;
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
    static char input[] = "-";
    static char *none[] = {input};
    struct err err = ERR_INIT;
    size_t used = words->scripted ? 0 : 1;

    if (!words->scripted && !words->count)
        return call_fail(sed->call, "no pattern");
    if (!words->scripted)
        buf_text(&words->text, words->operands[0]);
    if (words->text.overflow)
        return call_fail(sed->call, "script too long");
    if (!sed_script_parse(&sed->script, buf_cstr(&words->text), words->extended,
                          &err))
        return call_fail(sed->call, "%s", err.text);
    sed->names = words->count > used ? words->operands + used : none;
    sed->name_count = words->count > used ? words->count - used : 1;
    run_files(sed);
    if (sed->in)
        end_file(sed);
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
    struct sed_words words = {.text = BUF_INIT(SED_SCRIPT_MAX)};
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
