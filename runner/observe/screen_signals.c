#include "runner/observe/screen_signals.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/clean_text.h"

#define COMMAND_MAX 1024
#define BAR_MAX 400 /* in pixels; higher bars are not status bars */

/*
 * Android 9 and older report the focus with the windows, later versions with
 * the displays.
 */
#define FOCUS_LINES                                                            \
    " 2>/dev/null | grep -E 'mCurrentFocus=|mFocusedApp=|"                     \
    "InsetsSource .*(STATUS_BAR|statusBars)'"

static const char ask_focus[] = "dumpsys window displays" FOCUS_LINES
                                " || dumpsys window windows" FOCUS_LINES;

static const char *end_of_line(const char *at)
{
    return at + strcspn(at, "\r\n");
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || strchr("._$/-:", c);
}

/*
 * "Window{7a6b78e u0 com.app/com.app.Main}", "ActivityRecord{16812046 u0
 * com.app/.Main t4}", or the latter inside of other braces: the third word
 * behind the innermost, up to a brace or a blank.
 */
static bool name_in(const char *at, char name[SCREEN_SIGNALS_NAME_MAX])
{
    const char *end = end_of_line(at);
    const char *open = memrchr(at, '{', (size_t)(end - at));
    size_t length = 0;

    if (!open)
        return false;
    at = open;
    for (int blanks = 0; at < end && blanks < 2; at++)
        blanks += *at == ' ';
    while (at + length < end && at[length] != '}' &&
           (at[length] != ' ' || !memchr(at, '/', length)))
        length++;
    clean_text_copy(name, SCREEN_SIGNALS_NAME_MAX, at, length);
    return length > 0;
}

/* "com.app/.Main" into both; a class that begins with a dot is completed. */
static bool split(const char *name, struct screen_signals *signals)
{
    const char *slash = strchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) : 0;
    size_t before = 0;

    for (const char *at = name; *at; at++) {
        if (!is_name(*at))
            return false;
    }
    if (!length || !slash[1])
        return false;
    clean_text_copy(signals->package, SCREEN_SIGNALS_NAME_MAX, name, length);
    if (slash[1] == '.') {
        clean_text_copy(signals->activity, SCREEN_SIGNALS_NAME_MAX, name,
                        length);
        before = strlen(signals->activity);
    }
    clean_text_copy(signals->activity + before,
                    SCREEN_SIGNALS_NAME_MAX - before, slash + 1,
                    strlen(slash + 1));
    return true;
}

/* "frame=[0,0][1080,142] visible=true" */
static int bar_height(const char *at)
{
    const char *end = end_of_line(at);
    const char *frame = strstr(at, "frame=[0,0][");
    char *after;
    long height;

    if (!frame || frame > end)
        return 0;
    (void)strtol(frame + strlen("frame=[0,0]["), &after, 10);
    if (*after != ',')
        return 0;
    height = strtol(after + 1, NULL, 10);
    return height > 0 && height <= BAR_MAX ? (int)height : 0;
}

static bool begins(const char *at, const char *word)
{
    return !strncmp(at, word, strlen(word));
}

/* An app may have several windows or processes: add their frames. */
static void parse_line(const char *at, struct screen_signals *signals)
{
    static const char frames[] = "Total frames rendered: ";
    char name[SCREEN_SIGNALS_NAME_MAX];

    at += strspn(at, " \t");
    if (begins(at, "mCurrentFocus=") && !*signals->window &&
        name_in(at, name)) {
        memcpy(signals->window, name, sizeof(name));
        (void)split(name, signals);
    } else if (begins(at, "mFocusedApp=") && !*signals->package &&
               name_in(at, name)) {
        (void)split(name, signals);
    } else if (begins(at, frames)) {
        signals->frames += strtoull(at + strlen(frames), NULL, 10);
        signals->counts = true;
    } else if (!signals->status_bar && (begins(at, "InsetsSource ") ||
                                        begins(at, "mSource=InsetsSource "))) {
        signals->status_bar = bar_height(at);
    }
}

void screen_signals_parse(const char *text, struct screen_signals *signals)
{
    *signals = (struct screen_signals){.counts = false};
    for (const char *at = text; *at;) {
        parse_line(at, signals);
        at = end_of_line(at);
        at += strspn(at, "\r\n");
    }
}

bool screen_signals_read(struct device *device, bool frames, struct deadline by,
                         struct buf *buffer, struct screen_signals *signals,
                         struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done;

    buf_text(&command, ask_focus);
    if (frames && *signals->package) {
        buf_text(&command, "; dumpsys gfxinfo ");
        shell_quote(&command, signals->package);
        buf_text(&command, " 2>/dev/null | grep 'Total frames rendered'");
    }
    buf_clear(buffer);
    done = shell_exec(device, buf_cstr(&command), by, buffer, err);
    if (done)
        screen_signals_parse(buf_cstr(buffer), signals);
    buf_release(&command);
    return done || err_wrap(err, "reading the focused window");
}

bool screen_signals_equal(const struct screen_signals *a,
                          const struct screen_signals *b)
{
    return a->counts == b->counts && a->frames == b->frames &&
           !strcmp(a->package, b->package) && !strcmp(a->window, b->window);
}
