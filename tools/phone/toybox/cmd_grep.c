/* grep: prints lines that match a pattern. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/grep_pattern.h"

#define CONTEXT_MAX 1000
#define CONTEXT_BYTES_MAX ((size_t)1 << 20)

struct grep {
    const struct command_options *options;
    struct regex *pattern;
    bool names; /* print the file name before each line */
    bool found;
    int status;

    long long before; /* lines of context */
    long long after;

    /* State of the current file. */
    const char *label;
    long long number;
    long long matches;
    long long due;     /* lines still to be printed as context after a match */
    long long printed; /* number of the last printed line */
    struct buf kept;   /* the last lines not printed, each with a newline */
    long long kept_count;
};

static bool given(const struct grep *grep, char letter)
{
    return grep->options->given[(unsigned char)letter];
}

/* ---- one line ---- */

/* mark: ':' for a match, '-' for context. */
static void print_line(struct command_call *call, struct grep *grep, char mark,
                       long long number, const char *line, size_t length)
{
    if (grep->names)
        call_print(call, "%s%c", grep->label, mark);
    if (given(grep, 'n'))
        call_print(call, "%lld%c", number, mark);
    call_write_line(call, line, length);
    grep->printed = number;
}

/* -o: print only the matched parts. */
static void print_parts(struct command_call *call, struct grep *grep,
                        const char *line, size_t length)
{
    struct regex_span spans[REGEX_SPANS];
    size_t at = 0;

    while (at < length && call_step(call) &&
           regex_find_spans(grep->pattern, line, length, at, spans)) {
        if (spans[0].end > spans[0].begin)
            print_line(call, grep, ':', grep->number, line + spans[0].begin,
                       spans[0].end - spans[0].begin);
        at = spans[0].end + (spans[0].end == spans[0].begin);
    }
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* -w: a match of whole words. */
static bool has_word(struct command_call *call, struct grep *grep,
                     const char *line, size_t length)
{
    struct regex_span spans[REGEX_SPANS];

    for (size_t at = 0;
         at <= length && call_step(call) &&
         regex_find_spans(grep->pattern, line, length, at, spans);
         at = spans[0].begin + 1) {
        size_t begin = spans[0].begin;
        size_t end = spans[0].end;

        if ((!begin || !is_word(line[begin - 1])) &&
            (end == length || !is_word(line[end])) && end > begin)
            return true;
    }
    return false;
}

static bool fits(struct command_call *call, struct grep *grep, const char *line,
                 size_t length)
{
    size_t begin;
    size_t end;

    if (given(grep, 'w'))
        return has_word(call, grep, line, length) != given(grep, 'v');
    if (!regex_find(grep->pattern, line, length, &begin, &end))
        return given(grep, 'v');
    if (given(grep, 'x') && (begin || end != length))
        return given(grep, 'v');
    return !given(grep, 'v');
}

/* ---- context ---- */

static void drop_oldest(struct grep *grep)
{
    const char *text = buf_cstr(&grep->kept);

    buf_consume(&grep->kept, strcspn(text, "\n") + 1);
    grep->kept_count--;
}

static void keep(struct grep *grep, const char *line, size_t length)
{
    if (!grep->before || length > CONTEXT_BYTES_MAX / 2)
        return;
    while (grep->kept_count &&
           (grep->kept_count >= grep->before ||
            grep->kept.length + length + 1 > CONTEXT_BYTES_MAX))
        drop_oldest(grep);
    for (size_t i = 0; i < length; i++)
        buf_byte(&grep->kept, line[i] ? line[i] : ' ');
    buf_byte(&grep->kept, '\n');
    grep->kept_count++;
}

/* Print the context before a match, and "--" after a gap. */
static void print_before(struct command_call *call, struct grep *grep)
{
    long long first = grep->number - grep->kept_count;

    if ((grep->before || grep->after) && grep->printed &&
        first > grep->printed + 1)
        call_print(call, "--\n");
    while (grep->kept_count) {
        const char *text = buf_cstr(&grep->kept);

        print_line(call, grep, '-', grep->number - grep->kept_count, text,
                   strcspn(text, "\n"));
        drop_oldest(grep);
    }
}

/* ---- files ---- */

/* One line; false when no more lines are needed. */
static bool grep_line(struct command_call *call, struct grep *grep,
                      const char *line, size_t length)
{
    if (!fits(call, grep, line, length)) {
        if (grep->due > 0) {
            grep->due--;
            print_line(call, grep, '-', grep->number, line, length);
        } else {
            keep(grep, line, length);
        }
        return true;
    }
    grep->matches++;
    grep->found = true;
    if (given(grep, 'q') || given(grep, 'l') || given(grep, 'L'))
        return false;
    if (given(grep, 'c'))
        return true;
    print_before(call, grep);
    if (given(grep, 'o') && !given(grep, 'v'))
        print_parts(call, grep, line, length);
    else
        print_line(call, grep, ':', grep->number, line, length);
    grep->due = grep->after;
    return true;
}

static void grep_input(struct command_call *call, struct grep *grep,
                       const char *label, struct sh_in *in)
{
    struct command_lines lines;
    const char *line;
    size_t length;
    long long most = INT64_MAX;

    if (grep->options->values['m'] &&
        !call_number(call, grep->options->values['m'], 0, INT32_MAX, &most))
        return;
    grep->label = label;
    grep->number = grep->matches = grep->due = grep->printed = 0;
    grep->kept_count = 0;
    buf_clear(&grep->kept);
    call_lines_init(&lines, call, in);
    while (grep->matches < most && call_lines_next(&lines, &line, &length)) {
        grep->number++;
        if (!grep_line(call, grep, line, length))
            break;
    }
    call_lines_release(&lines);
    if (given(grep, 'q'))
        return;
    if ((given(grep, 'l') && grep->matches) ||
        (given(grep, 'L') && !grep->matches))
        call_print(call, "%s\n", label);
    else if (given(grep, 'c'))
        call_print(call, "%s%s%lld\n", grep->names ? label : "",
                   grep->names ? ":" : "", grep->matches);
}

static void grep_name(struct command_call *call, struct grep *grep,
                      const char *name);

/* -r: search everything in a directory. */
static void grep_directory(struct command_call *call, struct grep *grep,
                           const char *path, const char *name)
{
    struct files_list list = FILES_LIST_INIT;
    int number;

    if (!files_list(call->files, path, &list, &number)) {
        if (!given(grep, 's'))
            call_fail_path(call, name, number);
        grep->status = 2;
        return;
    }
    for (size_t i = 0; i < list.count && call_step(call); i++) {
        char *inner;

        if (S_ISLNK(list.entries[i].stat.mode) && !given(grep, 'R'))
            continue;
        inner = cmd_join_path(name, list.entries[i].name);
        if (strlen(inner) < FILES_PATH_MAX)
            grep_name(call, grep, inner);
        free(inner);
    }
    files_list_release(&list);
}

/* -s: unreadable files are not reported. */
static void grep_file(struct command_call *call, struct grep *grep,
                      const char *name)
{
    struct command_call quiet = *call;
    struct sh_in *in;
    bool done;

    if (given(grep, 's'))
        quiet.ports.errors = sh_out_nothing();
    done = call_open(&quiet, name, &in);
    if (given(grep, 's'))
        (void)!sh_out_close(quiet.ports.errors, &(int){0});
    if (!done) {
        grep->status = 2;
        return;
    }
    grep_input(call, grep, name, in);
    call_close(call, in);
}

static void grep_name(struct command_call *call, struct grep *grep,
                      const char *name)
{
    char *path = call_path(call, name);
    struct files_stat stat;
    bool recursive = given(grep, 'r') || given(grep, 'R');
    int number = ENAMETOOLONG;

    if (!strcmp(name, "-"))
        grep_input(call, grep, "(standard input)", call->ports.in);
    else if (path && recursive &&
             files_stat(call->files, path, true, &stat, &number) &&
             S_ISDIR(stat.mode))
        grep_directory(call, grep, path, name);
    else
        grep_file(call, grep, name);
    free(path);
}

/* ---- the command ---- */

static int grep_names(struct command_call *call, struct grep *grep,
                      char **names, size_t count)
{
    bool recursive = given(grep, 'r') || given(grep, 'R');

    grep->names =
        (count > 1 || recursive || given(grep, 'H')) && !given(grep, 'h');
    if (!count)
        grep_name(call, grep, recursive ? "." : "-");
    for (size_t i = 0; i < count && !call->ended; i++) {
        grep_name(call, grep, names[i]);
        if (grep->found && given(grep, 'q'))
            break;
    }
    if (grep->found && given(grep, 'q'))
        return 0;
    if (grep->status)
        return grep->status;
    return grep->found ? 0 : 1;
}

static bool read_context(struct command_call *call, struct grep *grep)
{
    const char *const *values = grep->options->values;
    const char *before = values['B'] ? values['B'] : values['C'];
    const char *after = values['A'] ? values['A'] : values['C'];

    return (!before ||
            call_number(call, before, 0, CONTEXT_MAX, &grep->before)) &&
           (!after || call_number(call, after, 0, CONTEXT_MAX, &grep->after));
}

static int run(struct command_call *call, struct grep *grep,
               enum grep_pattern_kind kind)
{
    const struct command_options *options = grep->options;
    const char *text = options->values['e'];
    size_t used = text ? 0 : 1;
    struct err err = ERR_INIT;

    if (!text && !options->count) {
        call_fail(call, "no REGEX");
        return 2;
    }
    if (!text)
        text = options->operands[0];
    if (!read_context(call, grep))
        return 2;
    if (!grep_pattern_open(text, kind, given(grep, 'i'), &grep->pattern,
                           &err)) {
        call_fail(call, "%s '%.100s'", err.text, text);
        return 2;
    }
    return grep_names(call, grep, options->operands + used,
                      options->count - used);
}

static int grep_as(struct command_call *call, enum grep_pattern_kind kind)
{
    struct command_options options;
    struct grep grep = {.options = &options,
                        .kept = BUF_INIT(CONTEXT_BYTES_MAX)};
    int status;

    if (!call_options(call, "A:B:C:EFHLRabce:hilm:noqrsvwxz", &options,
                      &status))
        return status ? 2 : 0;
    if (options.given['E'])
        kind = GREP_PATTERN_EXTENDED;
    if (options.given['F'])
        kind = GREP_PATTERN_FIXED;
    status = run(call, &grep, kind);
    regex_close(grep.pattern);
    buf_release(&grep.kept);
    call_options_release(&options);
    return status;
}

int do_grep(struct command_call *call)
{
    return grep_as(call, GREP_PATTERN_BASIC);
}

int do_egrep(struct command_call *call)
{
    return grep_as(call, GREP_PATTERN_EXTENDED);
}

int do_fgrep(struct command_call *call)
{
    return grep_as(call, GREP_PATTERN_FIXED);
}
