#include "runner/device/app_start.h"

#include <string.h>

#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "base/macros.h"

#define ANSWER_MAX ((size_t)256 * 1024)
#define COMMAND_MAX 4096
#define NAME_SIZE 512

#define WORDS_SIZE 120

/*
 * As a launcher starts an app: a new task, or the old one brought to the front.
 * `monkey` is not used for it: it switches the phone's auto-rotation on.
 */
#define INTENT(category)                                                       \
    "-a android.intent.action.MAIN -c android.intent.category." category " "
#define FLAGS "-f 0x10200000 "

struct launch {
    const char *resolve;         /* followed by the package */
    const char *start_component; /* followed by the component */
    const char *start;           /* followed by the package */
};

#define LAUNCH_BY(category)                                                    \
    {                                                                          \
        "cmd package resolve-activity --brief " INTENT(category),              \
            "am start " INTENT(category) FLAGS "-n ",                          \
            "am start " INTENT(category) FLAGS,                                \
    }

/* A launcher may have only HOME. */
static const struct launch launches[] = {
    LAUNCH_BY("LAUNCHER"),
    LAUNCH_BY("HOME"),
};

/* Run a command with an untrusted word, quoted. */
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
            clean_text_copy(component, NAME_SIZE, text, length);
            found = true;
        }
        text += length;
        text += strspn(text, "\r\n");
    }
    return found;
}

/* `cmd package` exists since Android 7; without it component is "". */
static bool resolve(struct device *device, const char *package,
                    const struct launch *launch, struct deadline by,
                    char component[NAME_SIZE], struct err *err)
{
    struct shell_result result;

    component[0] = '\0';
    if (!run_with(device, launch->resolve, package, "", by, &result, err))
        return false;
    (void)!find_component(buf_cstr(&result.out), package, component);
    shell_result_release(&result);
    return true;
}

/* Start the package's activity of one category; *started: there is one. */
static bool start_by(struct device *device, const char *package,
                     const struct launch *launch, struct deadline by,
                     bool *started, char words[WORDS_SIZE], struct err *err)
{
    char component[NAME_SIZE];
    struct shell_result result;

    if (!resolve(device, package, launch, by, component, err) ||
        !(*component
              ? run_with(device, launch->start_component, component, "", by,
                         &result, err)
              : run_with(device, launch->start, package, "", by, &result, err)))
        return false;
    *started = !strstr(buf_cstr(&result.out), "Error") &&
               !strstr(buf_cstr(&result.errors), "Error");
    shell_result_words(&result, words, WORDS_SIZE);
    shell_result_release(&result);
    return true;
}

bool app_start(struct device *device, const char *package, struct deadline by,
               struct err *err)
{
    char words[ARRAY_LEN(launches)][WORDS_SIZE];
    bool started = false;

    for (size_t i = 0; !started && i < ARRAY_LEN(launches); i++) {
        if (!start_by(device, package, &launches[i], by, &started, words[i],
                      err))
            return false;
    }
    return started || err_set(err, ERR_INVALID, "%.80s cannot be started: %s",
                              package, words[0]);
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
    return done ||
           err_set(err, ERR_REMOTE, "cannot delete the data of %.80s: %s",
                   package, words);
}
