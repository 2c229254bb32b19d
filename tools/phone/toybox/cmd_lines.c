/* Commands that print, copy or count lines. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"

/* Limit of what tail keeps in memory. */
#define HELD_MAX ((size_t)8 << 20)
#define PIECE_SIZE ((size_t)64 * 1024)

/* ---- cat and tee ---- */

/* Copy an input to its end. */
static void copy_input(struct command_call *call, const char *name,
                       struct sh_in *in, void *context)
{
    char *piece = mem_new(1, PIECE_SIZE);
    size_t got;

    (void)name, (void)context;
    while (call_read(call, in, piece, PIECE_SIZE, &got) && got)
        call_write(call, piece, got);
    free(piece);
}

static int run_cat(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "u", &options, &status))
        return status;
    status = call_each_input(call, options.operands, options.count, copy_input,
                             NULL);
    call_options_release(&options);
    return status;
}

/* Copy to the output and one file. */
static int run_tee(struct command_call *call)
{
    struct command_options options;
    char *piece;
    size_t got;
    struct sh_out *file = NULL;
    int status;

    if (!call_options(call, "ai", &options, &status))
        return status;
    if (options.count > 1)
        status = call_fail(call, "Max 1 argument");
    else
        status = options.count && !call_create(call, options.operands[0],
                                               options.given['a'], &file);
    call_options_release(&options);
    if (status)
        return status;
    piece = mem_new(1, PIECE_SIZE);
    while (call_read(call, call->ports.in, piece, PIECE_SIZE, &got) && got) {
        call_write(call, piece, got);
        if (file && !sh_out_write(file, piece, got))
            break;
    }
    free(piece);
    return call_finish(call, file) ? 0 : 1;
}

/* ---- head and tail ---- */

struct ends {
    bool bytes;
    bool from; /* tail -n +N: from line N on */
    long long count;
    bool titles;
    bool later; /* print an empty line before the next title */
};

static void print_title(struct command_call *call, struct ends *ends,
                        const char *name)
{
    if (ends->titles)
        call_print(call, "%s==> %s <==\n", ends->later ? "\n" : "", name);
    ends->later = true;
}

static void head_bytes(struct command_call *call, struct sh_in *in,
                       long long left)
{
    char piece[4096];
    size_t got;

    while (left > 0) {
        size_t most = (unsigned long long)left < sizeof(piece) ? (size_t)left
                                                               : sizeof(piece);

        if (!call_read(call, in, piece, most, &got) || !got)
            return;
        call_write(call, piece, got);
        left -= (long long)got;
    }
}

static void head_input(struct command_call *call, const char *name,
                       struct sh_in *in, void *context)
{
    struct ends *ends = context;
    struct command_lines lines;
    const char *line;
    size_t length;

    print_title(call, ends, name);
    if (ends->bytes) {
        head_bytes(call, in, ends->count);
        return;
    }
    call_lines_init(&lines, call, in);
    for (long long i = 0;
         i < ends->count && call_lines_next(&lines, &line, &length); i++)
        call_write_line(call, line, length);
    call_lines_release(&lines);
}

/* The start of the last count lines or bytes. */
static size_t last_part(const struct buf *held, const struct ends *ends)
{
    size_t at = held->length;
    long long lines = 0;

    if (ends->bytes)
        return (unsigned long long)ends->count < at ? at - (size_t)ends->count
                                                    : 0;
    if (at && held->data[at - 1] == '\n')
        at--;
    while (at && (held->data[at - 1] != '\n' || ++lines < ends->count))
        at--;
    return ends->count ? at : held->length;
}

static void tail_from(struct command_call *call, struct sh_in *in,
                      const struct ends *ends)
{
    struct command_lines lines;
    const char *line;
    size_t length;

    call_lines_init(&lines, call, in);
    for (long long i = 1; call_lines_next(&lines, &line, &length); i++) {
        if (i >= ends->count)
            call_write_line(call, line, length);
    }
    call_lines_release(&lines);
}

/* Keep the end of the input, and print it at the end. */
static void tail_input(struct command_call *call, const char *name,
                       struct sh_in *in, void *context)
{
    struct ends *ends = context;
    struct buf held = BUF_INIT(HELD_MAX);
    char *room;
    size_t got;
    size_t at;

    print_title(call, ends, name);
    if (ends->from) {
        tail_from(call, in, ends);
        return;
    }
    for (;;) {
        if (held.length + PIECE_SIZE > HELD_MAX)
            buf_consume(&held, HELD_MAX / 2);
        room = buf_reserve(&held, PIECE_SIZE);
        if (!room || !call_read(call, in, room, PIECE_SIZE, &got) || !got)
            break;
        buf_commit(&held, got);
    }
    at = last_part(&held, ends);
    call_write(call, buf_cstr(&held) + at, held.length - at);
    buf_release(&held);
}

/* "-5" is the same as "-n 5". */
static bool is_count(const char *word)
{
    return word[0] == '-' && word[1] &&
           !word[1 + strspn(word + 1, "0123456789")];
}

static int run_ends(struct command_call *call, call_input_fn *use)
{
    struct ends ends = {.count = 10};
    struct command_options options;
    const char *count = NULL;
    int status;

    if (call->argc > 1 && is_count(call->argv[1])) {
        count = call->argv[1] + 1;
        call->argv++;
        call->argc--;
    }
    if (!call_options(call, "n:c:qvf", &options, &status))
        return status;
    ends.bytes = options.given['c'];
    if (options.values['n'])
        count = options.values['n'];
    if (ends.bytes)
        count = options.values['c'];
    ends.from = count && *count == '+' && use == tail_input;
    ends.titles = options.count > 1 && !options.given['q'];
    status = 1;
    if (!count || call_number(call, count, 0, INT32_MAX, &ends.count))
        status =
            call_each_input(call, options.operands, options.count, use, &ends);
    call_options_release(&options);
    return status;
}

static int run_head(struct command_call *call)
{
    return run_ends(call, head_input);
}

static int run_tail(struct command_call *call)
{
    return run_ends(call, tail_input);
}

/* ---- wc ---- */

struct wc_counts {
    unsigned long long lines, words, bytes;
};

struct wc {
    const struct command_options *options;
    struct wc_counts total;
};

static void print_counts(struct command_call *call,
                         const struct command_options *options,
                         const struct wc_counts *counts, const char *name)
{
    const bool *given = options->given;
    bool all = !given['l'] && !given['w'] && !given['c'];
    int width = given['l'] + given['w'] + given['c'] == 1 ? 0 : 7;
    const char *blank = "";

    if (all || given['l']) {
        call_print(call, "%*llu", width, counts->lines);
        blank = " ";
    }
    if (all || given['w']) {
        call_print(call, "%s%*llu", blank, width, counts->words);
        blank = " ";
    }
    if (all || given['c'])
        call_print(call, "%s%*llu", blank, width, counts->bytes);
    if (strcmp(name, "-"))
        call_print(call, " %s", name);
    call_write(call, "\n", 1);
}

static void count_input(struct command_call *call, const char *name,
                        struct sh_in *in, void *context)
{
    struct wc *wc = context;
    struct wc_counts counts = {0};
    char piece[4096];
    bool in_word = false;
    size_t got;

    while (call_read(call, in, piece, sizeof(piece), &got) && got) {
        for (size_t i = 0; i < got; i++) {
            bool blank = isspace((unsigned char)piece[i]);

            counts.lines += piece[i] == '\n';
            counts.words += !blank && !in_word;
            in_word = !blank;
        }
        counts.bytes += got;
    }
    wc->total.lines += counts.lines;
    wc->total.words += counts.words;
    wc->total.bytes += counts.bytes;
    print_counts(call, wc->options, &counts, name);
}

static int run_wc(struct command_call *call)
{
    struct command_options options;
    struct wc wc = {.options = &options};
    int status;

    if (!call_options(call, "lwc", &options, &status))
        return status;
    status = call_each_input(call, options.operands, options.count, count_input,
                             &wc);
    if (options.count > 1)
        print_counts(call, &options, &wc.total, "total");
    call_options_release(&options);
    return status;
}

static const struct phone_command commands[] = {
    {"cat", run_cat, "[-u] [FILE...]"},
    {"head", run_head, "[-n COUNT] [-c BYTES] [-q] [FILE...]"},
    {"tail", run_tail, "[-n [+]COUNT] [-c BYTES] [-q] [FILE...]"},
    {"tee", run_tee, "[-a] [FILE]"},
    {"wc", run_wc, "[-lwc] [FILE...]"},
};

const struct command_set lines_commands = {commands, ARRAY_LEN(commands)};
