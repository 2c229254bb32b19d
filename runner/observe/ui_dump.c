#include "runner/observe/ui_dump.h"

#include <string.h>

#include "adb/services/shell.h"
#include "base/macros.h"

/*
 * The file is deleted first, so that no old dump is read: uiautomator may
 * report success and write nothing. One command, as each costs a round trip.
 */
#define UI_DUMP_TO(file, option)                                               \
    "rm -f " file "; uiautomator dump " option file " 2>&1; cat " file         \
    " 2>/dev/null; rm -f " file

#define OWN_FILE "/data/local/tmp/proctor-dump.xml"
#define DEFAULT_FILE "/sdcard/window_dump.xml"

/* Tried in this order. Compressed trees omit empty views. */
static const char *const commands[] = {
    UI_DUMP_TO(OWN_FILE, ""),
    UI_DUMP_TO(OWN_FILE, ""),
    UI_DUMP_TO(OWN_FILE, "--compressed "),
    UI_DUMP_TO(DEFAULT_FILE, ""),
};

/* Waiting for an idle screen takes ten seconds: do it at most twice. */
#define NO_IDLE_MAX 2

#define PAUSE_MS 200

static const char *find(const char *text, size_t length, const char *word)
{
    return length ? memmem(text, length, word, strlen(word)) : NULL;
}

/* Its messages; the first that matches. */
static const struct {
    const char *words;
    enum ui_dump_outcome outcome;
} excuses[] = {
    {"null root node", UI_DUMP_NULL_ROOT},
    {"could not get idle state", UI_DUMP_NOT_IDLE},
    {"UiAutomationService", UI_DUMP_SERVICE_BUSY},
    {"already registered", UI_DUMP_SERVICE_BUSY},
    {"Killed", UI_DUMP_KILLED},
    {"not found", UI_DUMP_MISSING},
    {"inaccessible or", UI_DUMP_MISSING},
};

enum ui_dump_outcome ui_dump_classify(const char *text, size_t length,
                                      size_t *xml)
{
    const char *begin = find(text, length, "<?xml");

    *xml = length;
    if (!begin)
        begin = find(text, length, "<hierarchy");
    if (begin) {
        *xml = (size_t)(begin - text);
        return find(begin, length - *xml, "</hierarchy>") ||
                       find(begin, length - *xml, "</displays>")
                   ? UI_DUMP_WHOLE
                   : UI_DUMP_TRUNCATED;
    }
    for (size_t i = 0; i < ARRAY_LEN(excuses); i++) {
        if (find(text, length, excuses[i].words))
            return excuses[i].outcome;
    }
    /* It reports success, or nothing: the process was killed. */
    if (!length || find(text, length, "dumped to"))
        return UI_DUMP_KILLED;
    return UI_DUMP_FAILED;
}

const char *ui_dump_outcome_text(enum ui_dump_outcome outcome)
{
    switch (outcome) {
    case UI_DUMP_WHOLE:
        return "it is whole";
    case UI_DUMP_TRUNCATED:
        return "uiautomator's tree is truncated";
    case UI_DUMP_NULL_ROOT:
        return "uiautomator saw no window";
    case UI_DUMP_NOT_IDLE:
        return "uiautomator found the screen never idle";
    case UI_DUMP_SERVICE_BUSY:
        return "another program uses the accessibility service";
    case UI_DUMP_KILLED:
        return "uiautomator ended without a tree";
    case UI_DUMP_FAILED:
        return "uiautomator failed";
    case UI_DUMP_MISSING:
        return "the phone has no uiautomator";
    }
    return "";
}

bool ui_dump_take(struct device *device, const struct phone_clock *clock,
                  const struct cancel *cancel, struct deadline by,
                  struct buf *xml, enum ui_dump_outcome *outcome,
                  struct err *err)
{
    int no_idle = 0;
    size_t begin;

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        buf_clear(xml);
        if (!shell_exec(device, commands[i], by, xml, err))
            return err_wrap(err, "reading the tree");
        *outcome = ui_dump_classify(buf_cstr(xml), xml->length, &begin);
        buf_consume(xml, begin);
        no_idle += *outcome == UI_DUMP_NOT_IDLE;
        if (*outcome == UI_DUMP_WHOLE || *outcome == UI_DUMP_MISSING ||
            no_idle == NO_IDLE_MAX)
            return true;
        if (i + 1 < ARRAY_LEN(commands) &&
            !phone_clock_pause(clock, PAUSE_MS, by, cancel, err))
            return false;
    }
    return true;
}
