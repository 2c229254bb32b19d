/* Commands that select and rearrange lines and columns. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"

/* ---- sort ---- */

#define SORT_LINES_MAX ((size_t)1 << 17)
#define SORT_BYTES_MAX ((size_t)8 << 20)

struct sort_line {
    size_t at; /* in the text, in which NULs replace newlines */
    const char *text;
    size_t order; /* position in the input */
};

struct sort {
    const struct command_options *options;
    struct buf text;
    struct sort_line *lines; /* owned */
    size_t count;
    size_t capacity;
    long long key; /* first field of the key, from 1 */
    bool full;
};

static void hold_input(struct command_call *call, const char *name,
                       struct sh_in *in, void *context)
{
    struct sort *sort = context;
    struct command_lines lines;
    const char *line;
    size_t length;

    (void)name;
    call_lines_init(&lines, call, in);
    while (!sort->full && call_lines_next(&lines, &line, &length)) {
        if (sort->count == sort->capacity) {
            sort->capacity = sort->capacity ? 2 * sort->capacity : 256;
            sort->lines =
                mem_resize(sort->lines, sort->capacity, sizeof(*sort->lines));
        }
        sort->lines[sort->count] =
            (struct sort_line){.at = sort->text.length, .order = sort->count};
        buf_append(&sort->text, line, length);
        buf_byte(&sort->text, '\0');
        sort->full = sort->text.overflow || ++sort->count == SORT_LINES_MAX;
    }
    call_lines_release(&lines);
}

static const char *skip_fields(const char *text, long long fields)
{
    while (--fields > 0 && *text) {
        text += strspn(text, " \t");
        text += strcspn(text, " \t");
    }
    return text + strspn(text, " \t");
}

static int compare_keys(const char *a, const char *b, const bool *given)
{
    if (given['n']) {
        double x = strtod(a, NULL);
        double y = strtod(b, NULL);

        if (x < y || x > y)
            return x < y ? -1 : 1;
        return 0;
    }
    return given['f'] ? strcasecmp(a, b) : strcmp(a, b);
}

static int compare_lines(const void *a, const void *b, void *context)
{
    const struct sort *sort = context;
    const struct sort_line *x = a;
    const struct sort_line *y = b;
    const bool *given = sort->options->given;
    int order;

    if (sort->key)
        order = compare_keys(skip_fields(x->text, sort->key),
                             skip_fields(y->text, sort->key), given);
    else
        order = compare_keys(x->text, y->text, given);
    if (!order && !given['u'])
        order = strcmp(x->text, y->text);
    if (!order)
        return x->order < y->order ? -1 : 1;
    return given['r'] ? -order : order;
}

static bool same_key(const struct sort *sort, size_t i)
{
    return i && !compare_keys(sort->lines[i - 1].text, sort->lines[i].text,
                              sort->options->given);
}

static void print_sorted(struct command_call *call, struct sort *sort)
{
    for (size_t i = 0; i < sort->count; i++)
        sort->lines[i].text = buf_cstr(&sort->text) + sort->lines[i].at;
    if (sort->count)
        qsort_r(sort->lines, sort->count, sizeof(*sort->lines), compare_lines,
                sort);
    for (size_t i = 0; i < sort->count; i++) {
        const char *text = sort->lines[i].text;

        if (!sort->options->given['u'] || !same_key(sort, i))
            call_write_line(call, text, strlen(text));
    }
}

static int run_sort(struct command_call *call)
{
    struct command_options options;
    struct sort sort = {.options = &options, .text = BUF_INIT(SORT_BYTES_MAX)};
    int status;

    if (!call_options(call, "nrufk:", &options, &status))
        return status;
    if (options.values['k'])
        sort.key = strtoll(options.values['k'], NULL, 10);
    status = call_each_input(call, options.operands, options.count, hold_input,
                             &sort);
    if (sort.full)
        status = call_fail(call, "too much to sort");
    else
        print_sorted(call, &sort);
    free(sort.lines);
    buf_release(&sort.text);
    call_options_release(&options);
    return status;
}

/* ---- uniq ---- */

struct uniq {
    const bool *given;
    struct buf last;
    unsigned long long times;
};

static void print_last(struct command_call *call, struct uniq *uniq)
{
    if (!uniq->times || (uniq->given['d'] && uniq->times < 2) ||
        (uniq->given['u'] && uniq->times > 1))
        return;
    if (uniq->given['c'])
        call_print(call, "%7llu ", uniq->times);
    call_write_line(call, buf_cstr(&uniq->last), uniq->last.length);
}

static void uniq_input(struct command_call *call, const char *name,
                       struct sh_in *in, void *context)
{
    struct uniq *uniq = context;
    struct command_lines lines;
    const char *line;
    size_t length;

    (void)name;
    call_lines_init(&lines, call, in);
    while (call_lines_next(&lines, &line, &length)) {
        if (uniq->times && length == uniq->last.length &&
            !memcmp(line, buf_cstr(&uniq->last), length)) {
            uniq->times++;
            continue;
        }
        print_last(call, uniq);
        buf_clear(&uniq->last);
        buf_append(&uniq->last, line, length);
        uniq->times = 1;
    }
    print_last(call, uniq);
    call_lines_release(&lines);
}

static int run_uniq(struct command_call *call)
{
    struct command_options options;
    struct uniq uniq = {.given = options.given,
                        .last = BUF_INIT(2 * CALL_LINE_MAX)};
    int status;

    if (!call_options(call, "cdu", &options, &status))
        return status;
    status = call_each_input(call, options.operands, options.count, uniq_input,
                             &uniq);
    buf_release(&uniq.last);
    call_options_release(&options);
    return status;
}

/* ---- cut ---- */

#define RANGES_MAX 64U

struct range {
    long first;
    long last;
};

struct cut {
    struct range ranges[RANGES_MAX];
    size_t count;
    char delimiter; /* 0: columns are characters */
    bool only_delimited;
};

/* "1,3-5,7-": false if it is invalid. */
static bool read_ranges(const char *text, struct cut *cut)
{
    while (*text && cut->count < RANGES_MAX) {
        struct range *range = &cut->ranges[cut->count++];
        char *end;

        range->first = *text == '-' ? 1 : strtol(text, &end, 10);
        if (*text != '-')
            text = end;
        range->last = range->first;
        if (*text == '-') {
            range->last = strtol(text + 1, &end, 10);
            if (end == text + 1)
                range->last = INT32_MAX;
            text = end;
        }
        if (range->first < 1 || range->last < range->first ||
            (*text && *text != ','))
            return false;
        text += *text == ',';
    }
    return cut->count && !*text;
}

static bool is_chosen(const struct cut *cut, long index)
{
    for (size_t i = 0; i < cut->count; i++) {
        if (cut->ranges[i].first <= index && index <= cut->ranges[i].last)
            return true;
    }
    return false;
}

static void cut_fields(const struct cut *cut, const char *line, size_t length,
                       struct buf *out)
{
    const char *end = line + length;
    bool later = false;

    for (long index = 1; line <= end; index++) {
        const char *stop = memchr(line, cut->delimiter, (size_t)(end - line));

        if (!stop)
            stop = end;
        if (is_chosen(cut, index)) {
            if (later)
                buf_byte(out, cut->delimiter);
            buf_append(out, line, (size_t)(stop - line));
            later = true;
        }
        line = stop + 1;
    }
}

static void cut_line(const struct cut *cut, const char *line, size_t length,
                     struct buf *out)
{
    if (cut->delimiter && !memchr(line, cut->delimiter, length)) {
        buf_append(out, line, length);
    } else if (cut->delimiter) {
        cut_fields(cut, line, length, out);
    } else {
        for (size_t i = 0; i < length; i++) {
            if (is_chosen(cut, (long)i + 1))
                buf_byte(out, line[i]);
        }
    }
}

static void cut_input(struct command_call *call, const char *name,
                      struct sh_in *in, void *context)
{
    const struct cut *cut = context;
    struct buf out = BUF_INIT(2 * CALL_LINE_MAX);
    struct command_lines lines;
    const char *line;
    size_t length;

    (void)name;
    call_lines_init(&lines, call, in);
    while (call_lines_next(&lines, &line, &length)) {
        if (cut->only_delimited && !memchr(line, cut->delimiter, length))
            continue;
        buf_clear(&out);
        cut_line(cut, line, length, &out);
        call_write_line(call, buf_cstr(&out), out.length);
    }
    call_lines_release(&lines);
    buf_release(&out);
}

static int run_cut(struct command_call *call)
{
    struct command_options options;
    struct cut cut = {.count = 0};
    const char *list;
    int status;

    if (!call_options(call, "b:c:f:d:s", &options, &status))
        return status;
    list = options.values['f']   ? options.values['f']
           : options.values['c'] ? options.values['c']
                                 : options.values['b'];
    if (options.values['f'])
        cut.delimiter = options.values['d'] ? *options.values['d'] : '\t';
    cut.only_delimited = options.given['s'] && options.values['f'];
    if (!list || !read_ranges(list, &cut))
        status = call_fail(call, "bad range");
    else
        status = call_each_input(call, options.operands, options.count,
                                 cut_input, &cut);
    call_options_release(&options);
    return status;
}

/* ---- tr ---- */

#define SET_MAX 512U

static char unescape(const char **at)
{
    static const char letters[] = "nrt\\0";
    static const char meanings[] = "\n\r\t\\";
    const char *found;
    char c = *(*at)++;

    if (c != '\\' || !**at)
        return c;
    found = strchr(letters, **at);
    c = found ? meanings[found - letters] : **at;
    (*at)++;
    return c;
}

static void put_class(struct buf *set, int (*is)(int))
{
    for (int c = 0; c < 256; c++) {
        if (c < 128 && is(c))
            buf_byte(set, (char)c);
    }
}

static bool take_class(struct buf *set, const char **at)
{
    static const struct {
        const char *name;
        int (*is)(int);
    } classes[] = {
        {"[:upper:]", isupper}, {"[:lower:]", islower}, {"[:digit:]", isdigit},
        {"[:alpha:]", isalpha}, {"[:alnum:]", isalnum}, {"[:space:]", isspace},
        {"[:punct:]", ispunct}, {"[:cntrl:]", iscntrl}, {"[:print:]", isprint},
    };

    for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
        size_t length = strlen(classes[i].name);

        if (strncmp(*at, classes[i].name, length) != 0)
            continue;
        put_class(set, classes[i].is);
        *at += length;
        return true;
    }
    return false;
}

/*
 * Expand "a-z0-9
 * " and similar sets.
 */
static void read_set(const char *text, struct buf *set)
{
    while (*text) {
        unsigned char first;
        unsigned char last;

        if (take_class(set, &text))
            continue;
        first = last = (unsigned char)unescape(&text);
        if (*text == '-' && text[1]) {
            text++;
            last = (unsigned char)unescape(&text);
        }
        for (unsigned c = first; c <= last; c++)
            buf_byte(set, (char)c);
    }
}

struct translation {
    short to[256]; /* -1: delete */
    bool squeezed[256];
};

static void plan(const struct command_options *options,
                 struct translation *plan)
{
    struct buf from = BUF_INIT(SET_MAX);
    struct buf to = BUF_INIT(SET_MAX);
    bool chosen[256] = {false};

    read_set(options->operands[0], &from);
    if (options->count > 1)
        read_set(options->operands[1], &to);
    for (size_t i = 0; i < from.length; i++)
        chosen[(unsigned char)from.data[i]] = true;
    for (size_t c = 0, used = 0; c < 256; c++) {
        bool is = chosen[c] != (options->given['c'] || options->given['C']);
        const char *at =
            from.length ? memchr(from.data, (int)c, from.length) : NULL;
        size_t index = at ? (size_t)(at - from.data) : used++;

        plan->to[c] = (short)c;
        if (is && options->given['d'])
            plan->to[c] = -1;
        else if (is && to.length)
            plan->to[c] =
                (unsigned char)
                    to.data[index < to.length ? index : to.length - 1];
        if (plan->to[c] >= 0 && is && options->given['s'])
            plan->squeezed[plan->to[c]] = true;
    }
    buf_release(&from);
    buf_release(&to);
}

static void translate(struct command_call *call, const struct translation *plan)
{
    char piece[4096];
    char out[4096];
    int last = -1;
    size_t got;

    while (call_read(call, call->ports.in, piece, sizeof(piece), &got) && got) {
        size_t length = 0;

        for (size_t i = 0; i < got; i++) {
            short to = plan->to[(unsigned char)piece[i]];

            if (to < 0 || (to == last && plan->squeezed[to]))
                continue;
            out[length++] = (char)to;
            last = to;
        }
        call_write(call, out, length);
    }
}

static int run_tr(struct command_call *call)
{
    struct translation translation = {.to = {0}};
    struct command_options options;
    int status;

    if (!call_options(call, "cCds", &options, &status))
        return status;
    if (options.count < 1 || options.count > 2) {
        status = call_fail(call, "Need 1 or 2 arguments");
    } else {
        plan(&options, &translation);
        translate(call, &translation);
        status = 0;
    }
    call_options_release(&options);
    return status;
}

static const struct phone_command commands[] = {
    {"cut", run_cut, "-b|-c|-f LIST [-d DELIMITER] [-s] [FILE...]"},
    {"egrep", do_egrep, "[-FHabchilnoqrsvwx] [-ABC LINES] PATTERN [FILE...]"},
    {"expr", do_expr, "EXPRESSION..."},
    {"fgrep", do_fgrep, "[-FHabchilnoqrsvwx] [-ABC LINES] TEXT [FILE...]"},
    {"grep", do_grep,
     "[-EFHabchilnoqrsvwx] [-ABC LINES] [-m MAX] [-e] PATTERN [FILE...]"},
    {"sed", do_sed, "[-Einrs] [-e SCRIPT] [-f FILE] [SCRIPT] [FILE...]"},
    {"sort", run_sort, "[-fnru] [-k FIELD] [FILE...]"},
    {"tr", run_tr, "[-cds] SET [SET]"},
    {"uniq", run_uniq, "[-cdu] [FILE]"},
};

const struct command_set filter_commands = {commands, ARRAY_LEN(commands)};
