/*
 * The built-in phone compared with transcripts of real phones: the same
 * commands print the same, and end with the same status.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "base/file.h"
#include "tests/support/adb/shell_helper.h"
#include "tools/phone/phone.h"

#define FOLDER TEST_FIXTURES "/real-android/"
#define TEXT_MAX ((size_t)1 << 20)
#define NAME_SIZE 64
#define COMMAND_SIZE 512
#define STATUS_UNKNOWN (-1)

/* How much of a transcript the phone prints, from most to least. */
enum sameness {
    ALL_SAME,
    NUMBERS_DIFFER,  /* and the widths of columns */
    FIRST_LINE_SAME, /* apart from numbers */
    STATUS_SAME,
    NOTHING_SAME,
};

/* Transcripts that are not ALL_SAME, with blanks between, and why. */
struct exception {
    enum sameness sameness;
    const char *reason;
    const char *names;
};

static const struct exception exceptions_13[] = {
    {NUMBERS_DIFFER, "the size and times of that file", "stat stat-c"},
    {NUMBERS_DIFFER, "the time", "date-s"},
    {STATUS_SAME, "the time", "date"},
    {FIRST_LINE_SAME, "the files of that device", "ls-l ls-la"},
    {STATUS_SAME, "the files of that device", "ls-color"},
    {STATUS_SAME, "it has no SELinux there", "id"},
    {STATUS_SAME, "the variables of that shell", "env"},
    {FIRST_LINE_SAME, "the phone lists the options that it has",
     "ls-help nc-help"},
    {STATUS_SAME, "the phone lists the commands that it has", "toybox"},
    {NOTHING_SAME, "/data can be read there", "ls-ln ls-R find"},
    {NOTHING_SAME, "no libc of the phone's writes about it", "mksh-segv"},
    {NOTHING_SAME, "the framework does not run there", "input-nobinder"},
    {STATUS_SAME, "the framework does not run there", "screencap-help"},
};

static const struct exception exceptions_4_4[] = {
    {NUMBERS_DIFFER, "the time", "date-Y date-plus-s uptime touch monkey-1"},
    {NUMBERS_DIFFER, "the size of that screen", "wm-size wm-density"},
    {NUMBERS_DIFFER, "the sizes, numbers and contents of those files",
     "df-path ls-i ls-l-file ls-s stat wc md5 md5sum sha1sum"},
    {NUMBERS_DIFFER, "the memory and processes of that device", "free ps-name"},
    {FIRST_LINE_SAME, "the files of that device", "df time-ls"},
    {FIRST_LINE_SAME, "the memory, processes and connections of that device",
     "meminfo netstat ps ps-t"},
    {FIRST_LINE_SAME, "the input devices of that device",
     "getevent-i getevent-lp getevent-p"},
    {FIRST_LINE_SAME, "the services and screens of that device",
     "dumpsys-activity-activities dumpsys-battery dumpsys-display "
     "dumpsys-gfxinfo-launcher3 dumpsys-input dumpsys-input_method "
     "dumpsys-list dumpsys-package-calculator2 dumpsys-power "
     "dumpsys-window-policy dumpsys-window-windows "
     "pm-list-features service-list"},
    {FIRST_LINE_SAME, "the variables of that shell", "mksh-export mksh-vars"},
    {FIRST_LINE_SAME, "the app ran there already", "am-start am-start-W"},
    {FIRST_LINE_SAME, "the phone lists the options that it has",
     "uiautomator-usage screencap-usage"},
    {STATUS_SAME, "the phone lists the options that it has",
     "am-usage cp ime-usage monkey-usage pm-usage svc-usage wm-usage"},
    {STATUS_SAME, "the time", "date"},
    {STATUS_SAME, "the kernel of that device",
     "awk cat-version grep head sed tail uname-a"},
    {STATUS_SAME, "the files of that device",
     "ls-l-root ls-la-sdcard ls-ln ls-system-bin ls-system-xbin"},
    {STATUS_SAME, "the apps and keyboards of that device",
     "ime-list-a ime-list-s pm-list-packages-3 pm-list-packages-f "
     "settings-get-default_input_method"},
    {STATUS_SAME, "the settings and properties of that device",
     "content-settings-global content-settings-system getprop "
     "settings-timing"},
    {STATUS_SAME, "the variables of that shell", "env"},
    {STATUS_SAME, "the screen and the log of that device",
     "dumpsys-activity-top dumpsys-window logcat-d-200 logcat-v-time "
     "uiautomator-dump-tty"},
    {STATUS_SAME, "the network and terminal of that device", "ip-addr stty"},
    {STATUS_SAME, "/system can be written there", "mksh-redirect-denied"},
    {STATUS_SAME, "the phone has no busybox", "screencap-raw-head"},
    {STATUS_SAME, "the phone prints what it has of newer Androids",
     "dumpsys-SurfaceFlinger dumpsys-activity dumpsys-package "
     "top-n1"},
    {NOTHING_SAME, "the phone has no such command",
     "busybox mksh-ulimit mount netcfg vmstat"},
};

/* One Android, and where its transcripts are. */
struct recorded_android {
    enum android_version version;
    const char *folder;
    /*
     * Headings in the table of contents. Streams of events are not compared:
     * the phone is not used meanwhile.
     */
    const char *from, *to;
    bool one_file; /* what it printed, and errors, on a terminal */
    const struct exception *exceptions;
    size_t exception_count;
};

static const struct recorded_android android_13 = {
    .version = ANDROID_13,
    .folder = "13",
    .from = "\n## 13",
    .exceptions = exceptions_13,
    .exception_count = ARRAY_LEN(exceptions_13),
};

static const struct recorded_android android_4_4 = {
    .version = ANDROID_4_4,
    .folder = "4.4.2",
    .from = "\n## 4.4.2",
    .to = "\n### getevent",
    .one_file = true,
    .exceptions = exceptions_4_4,
    .exception_count = ARRAY_LEN(exceptions_4_4),
};

/* A line of the table: a name, a command, and the status it ended with. */
struct transcript {
    char name[NAME_SIZE];
    char command[COMMAND_SIZE];
    int status;
};

/* The text between the next two backquotes; "\\|" is "|". */
static const char *take_cell(const char *at, char *text, size_t size)
{
    size_t length = 0;

    at = strchr(at, '`');
    if (!at)
        return NULL;
    for (at++; *at && *at != '`' && *at != '\n'; at++) {
        if (at[0] == '\\' && at[1] == '|')
            at++;
        if (length + 1 < size)
            text[length++] = *at;
    }
    text[length] = '\0';
    return *at == '`' ? at + 1 : NULL;
}

/* False for any other line. */
static bool read_line(const char *line, struct transcript *transcript)
{
    char *end;

    if (strncmp(line, "| `", 3) != 0)
        return false;
    line = take_cell(line, transcript->name, sizeof(transcript->name));
    line =
        line ? take_cell(line, transcript->command, sizeof(transcript->command))
             : NULL;
    if (!line || strncmp(line, " | ", 3) != 0)
        return false;
    transcript->status = (int)strtol(line + 3, &end, 10);
    if (end == line + 3)
        transcript->status = STATUS_UNKNOWN; /* "?", or a timeout */
    return true;
}

static void read_file(const struct recorded_android *android, const char *name,
                      const char *ending, struct buf *text)
{
    struct err err = ERR_INIT;
    char path[512];

    snprintf(path, sizeof(path), FOLDER "%s/%s%s", android->folder, name,
             ending);
    buf_clear(text);
    if (!file_load(path, text, &err))
        buf_clear(text); /* what was empty was not written */
}

static void read_transcript(const struct recorded_android *android,
                            struct transcript *transcript, struct buf *out,
                            struct buf *errors)
{
    char *ending = strstr(transcript->name, ".txt");

    if (ending)
        *ending = '\0';
    if (android->one_file) {
        read_file(android, transcript->name, ".txt", out);
    } else {
        read_file(android, transcript->name, ".out", out);
        read_file(android, transcript->name, ".err", errors);
    }
}

/* ---- comparing ---- */

struct comparison {
    struct device *device;
    struct buf out, errors; /* of the real one */
    size_t compared, different;
};

/*
 * The text with each number as one "0", without a unit, and each run of blanks
 * as one; only up to the first line that is not empty, if first is set.
 */
static void reduce(const char *text, bool first, struct buf *reduced)
{
    static const char hex[] = "0123456789abcdef";
    size_t length;

    buf_clear(reduced);
    if (first)
        text += strspn(text, "\n");
    for (; *text && !(first && *text == '\n'); text += length) {
        length = strspn(text, hex);
        if (length && strcspn(text, "0123456789") < length) {
            buf_byte(reduced, '0');
            length += strchr("KMG", text[length]) != NULL && text[length];
            continue;
        }
        length = strspn(text, " ");
        if (length) {
            buf_byte(reduced, ' ');
            continue;
        }
        length = 1;
        buf_byte(reduced, *text);
    }
}

static bool is_alike(const char *a, const char *b, bool first)
{
    struct buf reduced[2] = {BUF_INIT(TEXT_MAX), BUF_INIT(TEXT_MAX)};
    bool alike;

    reduce(a, first, &reduced[0]);
    reduce(b, first, &reduced[1]);
    alike = !strcmp(buf_cstr(&reduced[0]), buf_cstr(&reduced[1]));
    buf_release(&reduced[0]);
    buf_release(&reduced[1]);
    return alike;
}

static enum sameness compare_results(const struct comparison *comparison,
                                     const struct transcript *transcript,
                                     const struct shell_result *result)
{
    const char *out = buf_cstr(&comparison->out);
    const char *errors = buf_cstr(&comparison->errors);
    bool same_errors = !strcmp(buf_cstr(&result->errors), errors);

    if (transcript->status != STATUS_UNKNOWN &&
        result->status != transcript->status)
        return NOTHING_SAME;
    if (same_errors && !strcmp(buf_cstr(&result->out), out))
        return ALL_SAME;
    if (same_errors && is_alike(buf_cstr(&result->out), out, false))
        return NUMBERS_DIFFER;
    if (same_errors && is_alike(buf_cstr(&result->out), out, true))
        return FIRST_LINE_SAME;
    return STATUS_SAME;
}

static void tell(const struct comparison *comparison,
                 const struct transcript *transcript,
                 const struct shell_result *result)
{
    fprintf(stderr,
            "%s: %s\n  status %d, not %d\n  prints \"%s\"\n     not \"%s\"\n"
            "  says \"%s\"\n   not \"%s\"\n",
            transcript->name, transcript->command, result->status,
            transcript->status, buf_cstr(&result->out),
            buf_cstr(&comparison->out), buf_cstr(&result->errors),
            buf_cstr(&comparison->errors));
}

/* Is the name one of those? */
static bool is_listed(const char *names, const char *name)
{
    size_t length = strlen(name);

    for (; *names; names += strspn(names, " ")) {
        if (strcspn(names, " ") == length && !strncmp(names, name, length))
            return true;
        names += strcspn(names, " ");
    }
    return false;
}

static enum sameness expected(const struct recorded_android *android,
                              const char *name)
{
    for (size_t i = 0; i < android->exception_count; i++) {
        if (is_listed(android->exceptions[i].names, name))
            return android->exceptions[i].sameness;
    }
    return ALL_SAME;
}

/* A transcript that is more similar than listed is an error, too. */
static void compare(struct comparison *comparison,
                    const struct transcript *transcript,
                    enum sameness expected_sameness)
{
    static const char *const names[] = {"ALL_SAME", "NUMBERS_DIFFER",
                                        "FIRST_LINE_SAME", "STATUS_SAME",
                                        "NOTHING_SAME"};
    struct shell_result result;
    enum sameness found;

    shell_helper_run(comparison->device, transcript->command, &result);
    found = compare_results(comparison, transcript, &result);
    if (found != expected_sameness) {
        fprintf(stderr, "%s: %s, not %s\n", transcript->name, names[found],
                names[expected_sameness]);
        if (found > expected_sameness)
            tell(comparison, transcript, &result);
        comparison->different++;
    }
    comparison->compared++;
    shell_result_release(&result);
}

/* Compare every line between two headings of the table of contents. */
static void compare_all(const struct recorded_android *android, size_t count)
{
    const struct phone_options options = {.android = android->version};
    struct comparison comparison = {.out = BUF_INIT(TEXT_MAX),
                                    .errors = BUF_INIT(TEXT_MAX)};
    struct buf table = BUF_INIT(TEXT_MAX);
    struct transcript transcript;
    struct phone *phone = NULL;
    struct err err = ERR_INIT;
    const char *at, *end;

    if (!file_load(FOLDER "README.md", &table, &err)) {
        buf_release(&table);
        skip();
    }
    assert_true(phone_start(&options, &phone, &err));
    comparison.device = shell_helper_connect(phone_port(phone));
    at = strstr(buf_cstr(&table), android->from);
    assert_non_null(at);
    end = android->to ? strstr(at, android->to) : NULL;
    for (; at && (!end || at < end); at = strchr(at + 1, '\n')) {
        if (!read_line(at + (*at == '\n'), &transcript))
            continue;
        read_transcript(android, &transcript, &comparison.out,
                        &comparison.errors);
        compare(&comparison, &transcript, expected(android, transcript.name));
    }
    device_close(comparison.device);
    phone_stop(phone);
    buf_release(&comparison.out);
    buf_release(&comparison.errors);
    buf_release(&table);
    assert_int_equal(comparison.compared, count);
    assert_int_equal(comparison.different, 0);
}

static void commands_print_what_android_13_prints(void **state)
{
    (void)state;
    compare_all(&android_13, 75);
}

static void old_tools_print_what_android_4_4_prints(void **state)
{
    (void)state;
    compare_all(&android_4_4, 187);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_print_what_android_13_prints),
        cmocka_unit_test(old_tools_print_what_android_4_4_prints),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
