/* logcat: the phone's log, as it is and as it goes on. */
#include <stdlib.h>
#include <string.h>

#include "tools/phone/cmd.h"
#include "tools/phone/dates.h"
#include "tools/phone/handset.h"

/* How often a log that is followed is looked at. */
#define LOOK_EVERY_MS 50

#define FILTERS_MAX 64U

static const char levels[] = "VDIWEFS";

/* Of an entry in binary form: its header, and how Android counts levels. */
#define ENTRY_HEADER_SIZE 28U
#define ENTRY_VERBOSE 2U
#define ENTRY_UID 1000U

/* "TAG:LEVEL", and a level for all other tags. */
struct filter {
    const char *tag;
    size_t length;
    size_t level; /* an index into levels */
};

struct logcat {
    struct call *call;
    const char *format;
    bool binary;
    struct filter filters[FILTERS_MAX];
    size_t count;
    size_t others; /* the level of tags that are not named */
};

static size_t level_of(char letter)
{
    const char *found = letter ? strchr(levels, letter & ~0x20) : NULL;

    return found ? (size_t)(found - levels) : 0;
}

static void add_filter(struct logcat *logcat, const char *word)
{
    const char *colon = strrchr(word, ':');
    size_t length = colon ? (size_t)(colon - word) : strlen(word);
    size_t level = colon ? level_of(colon[1]) : 0;

    if (length == 1 && *word == '*')
        logcat->others = level;
    else if (logcat->count < FILTERS_MAX)
        logcat->filters[logcat->count++] = (struct filter){word, length, level};
}

static bool is_wanted(const struct logcat *logcat, const struct logs_line *line)
{
    for (size_t i = 0; i < logcat->count; i++) {
        const struct filter *filter = &logcat->filters[i];

        if (strlen(line->tag) == filter->length &&
            !memcmp(line->tag, filter->tag, filter->length))
            return level_of(line->level) >= filter->level;
    }
    return level_of(line->level) >= logcat->others;
}

static void print_line(struct logcat *logcat, const struct logs_line *line)
{
    struct call *call = logcat->call;
    struct buf time = BUF_INIT(64);
    unsigned ms = (unsigned)(line->time / 1000000 % 1000);

    dates_format(line->time, "%m-%d %H:%M:%S", &time);
    if (!strcmp(logcat->format, "raw"))
        call_print(call, "%s\n", line->text);
    else if (!strcmp(logcat->format, "tag"))
        call_print(call, "%c/%-8s: %s\n", line->level, line->tag, line->text);
    else if (!strcmp(logcat->format, "brief"))
        call_print(call, "%c/%-8s(%5u): %s\n", line->level, line->tag,
                   line->pid, line->text);
    else if (!strcmp(logcat->format, "time"))
        call_print(call, "%s.%03u %c/%-8s(%5u): %s\n", buf_cstr(&time), ms,
                   line->level, line->tag, line->pid, line->text);
    else
        call_print(call, "%s.%03u %5u %5u %c %-8s: %s\n", buf_cstr(&time), ms,
                   line->pid, line->tid, line->level, line->tag, line->text);
    buf_release(&time);
}

static void put_u16le(struct buf *buf, size_t value)
{
    buf_byte(buf, (char)(value & 0xff));
    buf_byte(buf, (char)(value >> 8));
}

/* A struct logger_entry of Android's, for programs. */
static void write_entry(struct logcat *logcat, const struct logs_line *line)
{
    size_t tag = strlen(line->tag) + 1;
    size_t text = strlen(line->text) + 1;
    struct buf entry = BUF_INIT(ENTRY_HEADER_SIZE + 1 + sizeof(*line));

    put_u16le(&entry, 1 + tag + text);
    put_u16le(&entry, ENTRY_HEADER_SIZE);
    buf_u32le(&entry, line->pid);
    buf_u32le(&entry, line->tid);
    buf_u32le(&entry, (uint32_t)(line->time / PHONE_SECOND));
    buf_u32le(&entry, (uint32_t)(line->time % PHONE_SECOND));
    buf_u32le(&entry, 0); /* the main log */
    buf_u32le(&entry, ENTRY_UID);
    buf_byte(&entry, (char)(level_of(line->level) + ENTRY_VERBOSE));
    buf_append(&entry, line->tag, tag);
    buf_append(&entry, line->text, text);
    call_write(logcat->call, entry.data, entry.length);
    buf_release(&entry);
}

/* Everything from that line on that is there now. */
static void print_from(struct logcat *logcat, uint64_t *next)
{
    struct handset *handset = logcat->call->context;
    struct logs_line line;

    while (!logcat->call->ended && logs_read(&handset->logs, next, &line)) {
        if (is_wanted(logcat, &line) && logcat->binary)
            write_entry(logcat, &line);
        else if (is_wanted(logcat, &line))
            print_line(logcat, &line);
        ++*next;
    }
}

static int print_log(struct logcat *logcat, bool dump, long long most)
{
    struct call *call = logcat->call;
    struct handset *handset = call->context;
    uint64_t end = logs_end(&handset->logs);
    uint64_t next =
        most >= 0 && (uint64_t)most < end ? end - (uint64_t)most : 0;

    if (!logcat->binary)
        call_print(call, "--------- beginning of main\n");
    print_from(logcat, &next);
    while (!dump && call_wait(call, deadline_in_ms(LOOK_EVERY_MS)))
        print_from(logcat, &next);
    return 0;
}

static int run_with(struct logcat *logcat, const struct call_options *options)
{
    struct handset *handset = logcat->call->context;
    const char *count =
        options->values['t'] ? options->values['t'] : options->values['T'];
    long long most = -1;

    if (options->given['c']) {
        logs_clear(&handset->logs);
        return 0;
    }
    if (count && !call_number(logcat->call, count, 0, LOGS_LINES_MAX, &most))
        return 1;
    if (options->values['v'])
        logcat->format = options->values['v'];
    logcat->binary = options->given['B'];
    if (options->given['s'])
        logcat->others = level_of('S');
    for (size_t i = 0; i < options->count; i++)
        add_filter(logcat, options->operands[i]);
    return print_log(logcat, options->given['d'] || options->given['t'], most);
}

int do_logcat(struct call *call)
{
    struct logcat logcat = {.call = call, .format = "threadtime"};
    struct call_options options;
    int status;

    if (!call_options(call, "Bb:cdst:T:v:", &options, &status))
        return status;
    status = run_with(&logcat, &options);
    call_options_release(&options);
    return status;
}
