/* logcat: prints the phone's log, and follows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_table.h"
#include "tools/phone/core/date_text.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/grep_pattern.h"

/* How often a followed log is polled. */
#define LOOK_EVERY_MS 50

#define FILTERS_MAX 64U

static const char levels[] = "VDIWEFS";

/*
 * An entry in binary form: size of its header, and Android's numbers of levels.
 */
#define ENTRY_HEADER_SIZE 28U
#define ENTRY_VERBOSE 2U
#define ENTRY_UID 1000U

/* "TAG:LEVEL", and a level for all other tags. */
struct filter {
    const char *tag;
    size_t length;
    size_t level; /* an index into levels */
};

/* Buffers of Android's log. */
enum log_buffer {
    LOG_MAIN,
    LOG_SYSTEM,
    LOG_CRASH,
    LOG_BUFFERS,
};

static const char *const buffer_names[LOG_BUFFERS] = {"main", "system",
                                                      "crash"};

struct logcat {
    struct command_call *call;
    char format[24];
    bool year; /* extra fields of a time, from -v */
    bool microseconds;
    bool zone;
    bool epoch;
    bool buffers[LOG_BUFFERS];
    bool begun[LOG_BUFFERS]; /* its title was printed */
    struct regex *pattern;   /* -e; or NULL */
    long long pid;           /* --pid; 0: any */
    long long most;          /* -m: number of lines still to print */
    bool binary;
    struct filter filters[FILTERS_MAX];
    size_t count;
    size_t others; /* the level for tags that are not named */
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

static enum log_buffer buffer_of(const struct logs_line *line)
{
    if (line->level == 'F' || !strcmp(line->tag, "AndroidRuntime"))
        return LOG_CRASH;
    return line->pid == PROCESS_SERVER ? LOG_SYSTEM : LOG_MAIN;
}

static bool passes_filters(const struct logcat *logcat,
                           const struct logs_line *line)
{
    for (size_t i = 0; i < logcat->count; i++) {
        const struct filter *filter = &logcat->filters[i];

        if (strlen(line->tag) == filter->length &&
            !memcmp(line->tag, filter->tag, filter->length))
            return level_of(line->level) >= filter->level;
    }
    return level_of(line->level) >= logcat->others;
}

static bool is_wanted(const struct logcat *logcat, const struct logs_line *line)
{
    size_t begin;
    size_t end;

    return logcat->buffers[buffer_of(line)] &&
           (!logcat->pid || logcat->pid == (long long)line->pid) &&
           (!logcat->pattern || regex_find(logcat->pattern, line->text,
                                           strlen(line->text), &begin, &end)) &&
           passes_filters(logcat, line);
}

/* Such as "01-06 09:00:00.000", with the extra fields. */
static void put_time(const struct logcat *logcat, int64_t time,
                     struct buf *text)
{
    const char *day = logcat->year ? "%Y-%m-%d %H:%M:%S" : "%m-%d %H:%M:%S";
    long long fraction = time % PHONE_SECOND;

    date_text_format(time, logcat->epoch ? "%s" : day, text);
    if (logcat->microseconds)
        buf_printf(text, ".%06lld", fraction / 1000);
    else
        buf_printf(text, ".%03lld", fraction / 1000000);
    if (logcat->zone && !logcat->epoch)
        buf_text(text, " +0000");
}

static void print_line(struct logcat *logcat, const struct logs_line *line)
{
    struct command_call *call = logcat->call;
    struct buf time = BUF_INIT(64);

    put_time(logcat, line->time, &time);
    if (!strcmp(logcat->format, "raw"))
        call_print(call, "%s\n", line->text);
    else if (!strcmp(logcat->format, "tag"))
        call_print(call, "%c/%-8s: %s\n", line->level, line->tag, line->text);
    else if (!strcmp(logcat->format, "brief"))
        call_print(call, "%c/%-8s(%5u): %s\n", line->level, line->tag,
                   line->pid, line->text);
    else if (!strcmp(logcat->format, "time"))
        call_print(call, "%s %c/%-8s(%5u): %s\n", buf_cstr(&time), line->level,
                   line->tag, line->pid, line->text);
    else if (!strcmp(logcat->format, "process"))
        call_print(call, "%c(%5u) %s  (%s)\n", line->level, line->pid,
                   line->text, line->tag);
    else if (!strcmp(logcat->format, "thread"))
        call_print(call, "%c(%5u:%5u) %s\n", line->level, line->pid, line->tid,
                   line->text);
    else if (!strcmp(logcat->format, "long"))
        call_print(call, "[ %s %5u:%5u %c/%-8s ]\n%s\n\n", buf_cstr(&time),
                   line->pid, line->tid, line->level, line->tag, line->text);
    else
        call_print(call, "%s %5u %5u %c %-8s: %s\n", buf_cstr(&time), line->pid,
                   line->tid, line->level, line->tag, line->text);
    buf_release(&time);
}

static void put_u16le(struct buf *buf, size_t value)
{
    buf_byte(buf, (char)(value & 0xff));
    buf_byte(buf, (char)(value >> 8));
}

/* Android's struct logger_entry, for programs. */
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

static void print_beginning(const struct logcat *logcat, const char *name)
{
    const struct handset *handset = logcat->call->context;
    const char *folder = handset->android->log_folder;

    call_print(logcat->call, "--------- beginning of %s%s\n",
               folder ? folder : "", name);
}

/* Print a line, after the title of its buffer if it is the first one. */
static void show(struct logcat *logcat, const struct logs_line *line)
{
    enum log_buffer buffer = buffer_of(line);

    if (logcat->binary) {
        write_entry(logcat, line);
        return;
    }
    if (!logcat->begun[buffer])
        print_beginning(logcat, buffer_names[buffer]);
    logcat->begun[buffer] = true;
    print_line(logcat, line);
}

/* Print all current lines from that one on. */
static void print_from(struct logcat *logcat, uint64_t *next)
{
    struct handset *handset = logcat->call->context;
    struct logs_line line;

    while (!logcat->call->ended && logcat->most > 0 &&
           logs_read(&handset->logs, next, &line)) {
        if (is_wanted(logcat, &line)) {
            show(logcat, &line);
            logcat->most--;
        }
        ++*next;
    }
}

/* The index of the first of the last count lines. */
static uint64_t find_last(struct logcat *logcat, long long count)
{
    struct handset *handset = logcat->call->context;
    uint64_t end = logs_end(&handset->logs);
    uint64_t at = end > LOGS_LINES_MAX ? end - LOGS_LINES_MAX : 0;
    uint64_t found = end;

    while (end > at && count > 0) {
        struct logs_line line;
        uint64_t number = --end;

        if (logs_read(&handset->logs, &number, &line) && number == end &&
            is_wanted(logcat, &line)) {
            found = end;
            count--;
        }
    }
    return found;
}

static int print_log(struct logcat *logcat, bool dump, long long count)
{
    uint64_t next = count >= 0 ? find_last(logcat, count) : 0;

    print_from(logcat, &next);
    while (!dump && logcat->most > 0 &&
           call_wait(logcat->call, deadline_in_ms(LOOK_EVERY_MS)))
        print_from(logcat, &next);
    return 0;
}

/* -g: sizes of the buffers. */
static int print_sizes(const struct logcat *logcat)
{
    for (size_t i = 0; i < LOG_BUFFERS; i++) {
        if (logcat->buffers[i])
            call_print(logcat->call,
                       "%s: ring buffer is 256 KiB (8 KiB consumed, 16 KiB "
                       "readable), max entry is 5120 B, max payload is 4068 "
                       "B\n",
                       buffer_names[i]);
    }
    return 0;
}

/* ---- options ---- */

/* The next item of a list separated by commas; false at its end. */
static bool take_word(const char **list, char word[24])
{
    size_t length = strcspn(*list, ",");

    if (!**list)
        return false;
    snprintf(word, 24, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

/* -v: a format, or an extra field. False, with a message, if it is invalid. */
static bool take_formats(struct logcat *logcat, const char *list)
{
    static const char *const formats[] = {"brief", "long",      "process",
                                          "raw",   "tag",       "thread",
                                          "time",  "threadtime"};
    static const char *const others[] = {
        "color", "descriptive", "monotonic", "printable", "uid", "UTC", "nsec"};
    char word[24];

    while (take_word(&list, word)) {
        if (NAME_TABLE_HAS(formats, word))
            snprintf(logcat->format, sizeof(logcat->format), "%s", word);
        else if (!strcmp(word, "year"))
            logcat->year = true;
        else if (!strcmp(word, "usec"))
            logcat->microseconds = true;
        else if (!strcmp(word, "zone"))
            logcat->zone = true;
        else if (!strcmp(word, "epoch"))
            logcat->epoch = true;
        else if (!NAME_TABLE_HAS(others, word)) {
            call_error(logcat->call, "Invalid parameter \"%s\" to -v\n", word);
            return false;
        }
    }
    return true;
}

/* -b: buffers by name; those without any writer are empty. */
static bool take_buffers(struct logcat *logcat, const char *list)
{
    static const char *const empty[] = {"radio", "events", "security", "stats",
                                        "kernel"};
    char word[24];

    while (take_word(&list, word)) {
        bool all = !strcmp(word, "all") || !strcmp(word, "default");
        bool known = all || NAME_TABLE_HAS(empty, word);

        for (size_t i = 0; i < LOG_BUFFERS; i++) {
            bool named = !strcmp(word, buffer_names[i]);

            known = known || named;
            logcat->buffers[i] = logcat->buffers[i] || all || named;
        }
        if (!known) {
            call_error(logcat->call, "Unknown -b buffer '%s'\n", word);
            return false;
        }
    }
    return true;
}

/* Options that may be repeated, or have long names. */
static bool take_repeated(struct logcat *logcat)
{
    struct command_call *call = logcat->call;
    bool chosen = false;

    for (size_t i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];
        const char *value = word[0] == '-' && word[1] ? word + 2 : "";

        if (!*value && i + 1 < call->argc)
            value = call->argv[i + 1];
        if (!strncmp(word, "-b", 2) || !strncmp(word, "--buffer=", 9))
            chosen = true;
        if ((!strncmp(word, "-b", 2) && !take_buffers(logcat, value)) ||
            (!strncmp(word, "-v", 2) && !take_formats(logcat, value)))
            return false;
        if ((!strncmp(word, "--buffer=", 9) &&
             !take_buffers(logcat, word + 9)) ||
            (!strncmp(word, "--format=", 9) && !take_formats(logcat, word + 9)))
            return false;
        if (!strncmp(word, "--pid=", 6))
            logcat->pid = strtoll(word + 6, NULL, 10);
    }
    for (size_t i = 0; !chosen && i < LOG_BUFFERS; i++)
        logcat->buffers[i] = true;
    return true;
}

/* The arguments without long options, which were handled before. */
static void drop_long_options(struct command_call *call)
{
    size_t kept = 1;

    for (size_t i = 1; i < call->argc; i++) {
        if (strncmp(call->argv[i], "--", 2) != 0 || !call->argv[i][2])
            call->argv[kept++] = call->argv[i];
    }
    call->argv[kept] = NULL;
    call->argc = kept;
}

static int run_with(struct logcat *logcat,
                    const struct command_options *options)
{
    struct handset *handset = logcat->call->context;
    const char *count =
        options->values['t'] ? options->values['t'] : options->values['T'];
    long long last = -1;
    struct err err = ERR_INIT;

    if (options->given['c']) {
        logs_clear(&handset->logs);
        return 0;
    }
    if (options->given['g'] || options->given['G'])
        return options->given['g'] ? print_sizes(logcat) : 0;
    /* A time is accepted in place of a count: then everything is printed. */
    if (count && !strchr(count, ':') &&
        !call_number(logcat->call, count, 0, LOGS_LINES_MAX, &last))
        return 1;
    if (options->values['m'] && !call_number(logcat->call, options->values['m'],
                                             0, INT32_MAX, &logcat->most))
        return 1;
    if (options->values['e'] &&
        !grep_pattern_open(options->values['e'], GREP_PATTERN_EXTENDED, false,
                           &logcat->pattern, &err))
        return call_fail(logcat->call, "%s", err.text);
    logcat->binary = options->given['B'];
    if (options->given['s'])
        logcat->others = level_of('S');
    for (size_t i = 0; i < options->count; i++)
        add_filter(logcat, options->operands[i]);
    return print_log(logcat, options->given['d'] || options->given['t'], last);
}

int do_logcat(struct command_call *call)
{
    struct logcat logcat = {
        .call = call, .format = "threadtime", .most = INT64_MAX};
    struct command_options options;
    int status;

    if (!take_repeated(&logcat))
        return 1;
    drop_long_options(call);
    if (!call_options(call, "BDG:LSb:cde:gm:st:T:v:", &options, &status))
        return status;
    status = run_with(&logcat, &options);
    regex_close(logcat.pattern);
    call_options_release(&options);
    return status;
}

/* ---- log ---- */

int do_log(struct command_call *call)
{
    struct handset *handset = call->context;
    struct buf text = BUF_INIT(4096);
    struct command_options options;
    const char *tag;
    char level = 'I';
    int status;

    if (!call_options(call, "p:t:", &options, &status))
        return status;
    tag = options.values['t'] ? options.values['t'] : "log";
    if (options.values['p'])
        level = (char)(options.values['p'][0] & ~0x20);
    for (size_t i = 0; i < options.count; i++)
        buf_printf(&text, "%s%s", i ? " " : "", options.operands[i]);
    if (!options.count)
        status = call_needs(call, 1, 1);
    else if (!level || !strchr("VDIWEF", level))
        status = call_fail(call, "bad -p '%.20s'", options.values['p']);
    else
        logs_write(&handset->logs, virtual_clock_now(&handset->clock),
                   call_pid(call) + 1, level, tag, "%s", buf_cstr(&text));
    buf_release(&text);
    call_options_release(&options);
    return status;
}
