#include "runner/app_start.h"

#include <string.h>

#include "adb/shell.h"
#include "base/text.h"

#define ANSWER_MAX ((size_t)256 * 1024)
#define COMMAND_MAX 4096
#define NAME_SIZE 512

#define LAUNCH                                                                 \
    "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER"

/* As the launcher: a new task, or the old one brought to the front. */
#define LAUNCH_FLAGS "-f 0x10200000"

/* Run a command with a word of somebody else in it. */
static bool run_with(struct device *device, const char *before,
                     const char *word, const char *after, struct deadline by,
                     struct shell_result *result, struct err *err)
{
    struct buf text = BUF_INIT(COMMAND_MAX);
    bool done;

    buf_text(&text, before);
    shell_quote(&text, word);
    buf_text(&text, after);
    done = shell_run(device, buf_cstr(&text), ANSWER_MAX, by, result, err);
    buf_release(&text);
    return done;
}

/* The last line that names a component: "org.app/.Main". */
static bool find_component(const char *text, const char *package,
                           char component[NAME_SIZE])
{
    size_t own = strlen(package);
    bool found = false;

    while (*text) {
        size_t length = strcspn(text, "\r\n");

        if (length > own && length < NAME_SIZE && text[own] == '/' &&
            !strncmp(text, package, own)) {
            text_copy_clean(component, NAME_SIZE, text, length);
            found = true;
        }
        text += length;
        text += strspn(text, "\r\n");
    }
    return found;
}

/* Since Android 7; older phones do not know, and that is no failure. */
static bool resolve(struct device *device, const char *package,
                    struct deadline by, char component[NAME_SIZE],
                    struct err *err)
{
    struct shell_result result;

    component[0] = '\0';
    if (!run_with(device, "cmd package resolve-activity --brief " LAUNCH " ",
                  package, "", by, &result, err))
        return false;
    (void)!find_component(buf_cstr(&result.out), package, component);
    shell_result_release(&result);
    return true;
}

bool app_start(struct device *device, const char *package, struct deadline by,
               struct err *err)
{
    char component[NAME_SIZE], words[120];
    struct shell_result result;
    bool done;

    if (!resolve(device, package, by, component, err))
        return false;
    if (*component) {
        if (!run_with(device, "am start " LAUNCH " " LAUNCH_FLAGS " -n ",
                      component, "", by, &result, err))
            return false;
        done = !strstr(buf_cstr(&result.out), "Error") &&
               !strstr(buf_cstr(&result.errors), "Error");
    } else {
        if (!run_with(device, "monkey -p ", package,
                      " -c android.intent.category.LAUNCHER 1", by, &result,
                      err))
            return false;
        done = strstr(buf_cstr(&result.out), "Events injected: 1") != NULL;
    }
    shell_result_words(&result, words, sizeof(words));
    shell_result_release(&result);
    return done || err_set(err, ERR_INVALID, "%.80s cannot be started: %s",
                           package, words);
}

bool app_stop(struct device *device, const char *package, struct deadline by,
              struct err *err)
{
    struct shell_result result;

    if (!run_with(device, "am force-stop ", package, "", by, &result, err))
        return false;
    shell_result_release(&result);
    return true;
}

bool app_clear(struct device *device, const char *package, struct deadline by,
               struct err *err)
{
    struct shell_result result;
    char words[120];
    bool done;

    if (!run_with(device, "pm clear ", package, "", by, &result, err))
        return false;
    done = strstr(buf_cstr(&result.out), "Success") != NULL;
    shell_result_words(&result, words, sizeof(words));
    shell_result_release(&result);
    return done || err_set(err, ERR_REMOTE, "the data of %.80s stays: %s",
                           package, words);
}
