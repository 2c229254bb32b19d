/* The commands of a sed script. */
#include <stdio.h>
#include <string.h>

#include "tools/phone/toybox/sed_private.h"

enum sed_end {
    SED_END_LINE, /* end of the script: print the line */
    SED_END_DELETED,
    SED_END_AGAIN, /* restart the script without reading a line */
};

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
        sed_put_line(sed, buf_cstr(&sed->space), sed->space.length);
        break;
    case 'P':
        sed_put_line(sed, buf_cstr(&sed->space), first_line(sed));
        break;
    case '=':
        snprintf(number, sizeof(number), "%lld", sed->number);
        sed_put_line(sed, number, strlen(number));
        break;
    case 'i':
        sed_put(sed, command->text, strlen(command->text));
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
        sed_put_line(sed, buf_cstr(&sed->space), sed->space.length);
    sed_flush_behind(sed);
    if (!sed->has_ahead) {
        /* N at the end prints the space; n has printed it already. */
        if (append && !sed->quiet)
            sed_put_line(sed, buf_cstr(&sed->space), sed->space.length);
        return false;
    }
    if (append)
        buf_byte(&sed->space, '\n');
    else
        buf_clear(&sed->space);
    return sed_read_line(sed);
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
            sed_put(sed, command->text, strlen(command->text));
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
                sed_put_line(sed, buf_cstr(&sed->space), sed->space.length);
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

    sed_look_ahead(sed);
    while (!sed->over && !sed->call->ended) {
        if (end != SED_END_AGAIN) {
            buf_clear(&sed->space);
            if (!sed_read_line(sed))
                break;
        } else if (!call_step(sed->call)) {
            break;
        }
        sed->replaced = false;
        end = run_script(sed);
        if (end == SED_END_LINE && !sed->quiet)
            sed_put_line(sed, buf_cstr(&sed->space), sed->space.length);
        sed_flush_behind(sed);
    }
}

/* With -s or -i, each file is edited separately. */
void sed_run_files(struct sed *sed)
{
    if (!sed->separate) {
        run_lines(sed);
        return;
    }
    while (!sed->over && sed_next_file(sed)) {
        sed->number = 0;
        run_lines(sed);
        if (sed->in)
            sed_end_file(sed);
        if (!call_finish(sed->call, sed->out))
            sed->status = 1;
        sed->out = NULL;
    }
}
