#include "runner/dump.h"

#include <poll.h>
#include <string.h>

#include "adb/shell.h"
#include "base/macros.h"

/*
 * The file goes first, so that what is read was written now: uiautomator may
 * say that it dumped and have written nothing. All in one command, as each
 * costs a round trip.
 */
#define DUMP_TO(file, option)                                                  \
    "rm -f " file "; uiautomator dump " option file " 2>&1; cat " file         \
    " 2>/dev/null; rm -f " file

#define OWN_FILE "/data/local/tmp/proctor-dump.xml"
#define USUAL_FILE "/sdcard/window_dump.xml"

/* In this order. Compressed trees leave out views that hold nothing. */
static const char *const commands[] = {
    DUMP_TO(OWN_FILE, ""),
    DUMP_TO(OWN_FILE, ""),
    DUMP_TO(OWN_FILE, "--compressed "),
    DUMP_TO(USUAL_FILE, ""),
};

/* What waits for the screen to rest takes ten seconds: twice is enough. */
#define NO_IDLE_MAX 2

#define PAUSE_MS 200

static const char *find(const char *text, size_t length, const char *word)
{
    return length ? memmem(text, length, word, strlen(word)) : NULL;
}

/* What it says when it fails; the first that fits. */
static const struct {
    const char *words;
    enum dump_outcome outcome;
} excuses[] = {
    {"null root node", DUMP_NULL_ROOT},
    {"could not get idle state", DUMP_NO_IDLE},
    {"UiAutomationService", DUMP_TAKEN},
    {"already registered", DUMP_TAKEN},
    {"Killed", DUMP_KILLED},
    {"not found", DUMP_MISSING},
    {"inaccessible or", DUMP_MISSING},
};

enum dump_outcome dump_judge(const char *text, size_t length, size_t *xml)
{
    const char *begin = find(text, length, "<?xml");

    *xml = length;
    if (!begin)
        begin = find(text, length, "<hierarchy");
    if (begin) {
        *xml = (size_t)(begin - text);
        return find(begin, length - *xml, "</hierarchy>") ||
                       find(begin, length - *xml, "</displays>")
                   ? DUMP_WHOLE
                   : DUMP_CUT;
    }
    for (size_t i = 0; i < ARRAY_LEN(excuses); i++) {
        if (find(text, length, excuses[i].words))
            return excuses[i].outcome;
    }
    /* It says that it dumped, or nothing at all: its process died. */
    if (!length || find(text, length, "dumped to"))
        return DUMP_KILLED;
    return DUMP_FAILED;
}

const char *dump_outcome_words(enum dump_outcome outcome)
{
    switch (outcome) {
    case DUMP_WHOLE:
        return "it is whole";
    case DUMP_CUT:
        return "uiautomator's tree is cut short";
    case DUMP_NULL_ROOT:
        return "uiautomator saw no window";
    case DUMP_NO_IDLE:
        return "uiautomator waited in vain for the screen to rest";
    case DUMP_TAKEN:
        return "another program keeps uiautomator from working";
    case DUMP_KILLED:
        return "uiautomator died without a tree";
    case DUMP_FAILED:
        return "uiautomator failed";
    case DUMP_MISSING:
        return "the phone has no uiautomator";
    }
    return "";
}

static bool pause_a_little(bool patient, const struct cancel *cancel,
                           struct deadline by, struct err *err)
{
    struct pollfd waited = {.fd = cancel_fd(cancel), .events = POLLIN};
    struct deadline until = deadline_sooner(by, deadline_in_ms(PAUSE_MS));

    if (patient && poll(&waited, 1, deadline_left_ms(until)) > 0)
        return err_set(err, ERR_CANCELLED, "stopped");
    return true;
}

bool dump_take(struct device *device, bool patient, const struct cancel *cancel,
               struct deadline by, struct buf *xml, enum dump_outcome *outcome,
               struct err *err)
{
    int no_idle = 0;
    size_t begin;

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        buf_clear(xml);
        if (!shell_exec(device, commands[i], by, xml, err))
            return err_wrap(err, "reading the tree");
        *outcome = dump_judge(buf_cstr(xml), xml->length, &begin);
        buf_consume(xml, begin);
        no_idle += *outcome == DUMP_NO_IDLE;
        if (*outcome == DUMP_WHOLE || *outcome == DUMP_MISSING ||
            no_idle == NO_IDLE_MAX)
            return true;
        if (i + 1 < ARRAY_LEN(commands) &&
            !pause_a_little(patient, cancel, by, err))
            return false;
    }
    return true;
}
