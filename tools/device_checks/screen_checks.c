/*
 * The screen by every method that a phone offers. Its content is not kept: only
 * sizes and times are reported.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/framebuffer.h"
#include "adb/services/screenshot.h"
#include "base/macros.h"
#include "base/picture/png.h"
#include "tools/device_checks/device_check.h"

#define DUMP_LIMIT (64 * MIB)

/* "Physical size: 1080x2400" among other lines. */
static bool parse_size(const char *text, unsigned long *width,
                       unsigned long *height)
{
    static const char label[] = "Physical size: ";
    const char *number = strstr(text, label);
    char *end;

    if (!number)
        return false;
    *width = strtoul(number + sizeof(label) - 1, &end, 10);
    if (*end != 'x')
        return false;
    *height = strtoul(end + 1, NULL, 10);
    return *width && *height;
}

static bool check_size(struct device_check_context *test, struct err *err)
{
    struct shell_result result;
    unsigned long width;
    unsigned long height;
    bool known;

    if (!device_check_run_well(test, "wm", "size", &result, err))
        return false;
    known = parse_size(buf_cstr(&result.out), &width, &height);
    if (known)
        device_check_say(
            test, "%lu x %lu%s", width, height,
            strstr(buf_cstr(&result.out), "Override") ? ", overridden" : "");
    else
        device_check_fail_with_words(&result, "wm", err);
    shell_result_release(&result);
    return known;
}

/* If the phone has the program, it must work: otherwise the check fails. */
static bool take(struct device_check_context *test, enum screenshot_way way,
                 struct screenshot *shot, int64_t *took_ns, struct err *err)
{
    int64_t start;

    if (!device_check_need(test, "screencap", err))
        return false;
    start = clock_ns();
    if (!screenshot_take(test->device, way, test->by, shot, err)) {
        if (err->code == ERR_UNSUPPORTED)
            err->code = ERR_REMOTE;
        return false;
    }
    *took_ns = clock_ns() - start;
    return true;
}

static void say_picture(struct device_check_context *test,
                        const struct picture *picture, size_t bytes,
                        int64_t took_ns)
{
    device_check_say(test, "%u x %u, %.1f MiB in %.0f ms", picture->width,
                     picture->height, (double)bytes / (double)MIB,
                     (double)took_ns / 1e6);
}

static bool check_png(struct device_check_context *test, struct err *err)
{
    struct screenshot shot = SCREENSHOT_INIT;
    int64_t took_ns;
    bool done =
        take(test, SCREENSHOT_PNG, &shot, &took_ns, err) &&
        png_decode(shot.bytes.data, shot.bytes.length, &shot.picture, err);

    if (done)
        say_picture(test, &shot.picture, shot.bytes.length, took_ns);
    screenshot_release(&shot);
    return done;
}

static bool check_raw(struct device_check_context *test, struct err *err)
{
    struct screenshot shot = SCREENSHOT_INIT;
    int64_t took_ns;
    bool done = take(test, SCREENSHOT_RAW, &shot, &took_ns, err);

    if (done)
        say_picture(test, &shot.picture, shot.bytes.length, took_ns);
    screenshot_release(&shot);
    return done;
}

static bool check_framebuffer(struct device_check_context *test,
                              struct err *err)
{
    struct picture picture = PICTURE_INIT;
    struct buf bytes = BUF_INIT(PICTURE_BYTES_MAX);
    int64_t start = clock_ns();
    bool done = framebuffer_read(test->device, test->by, &bytes, &picture, err);

    if (done)
        say_picture(test, &picture, bytes.length, clock_ns() - start);
    picture_release(&picture);
    buf_release(&bytes);
    return done;
}

static size_t count_nodes(const struct buf *dump)
{
    size_t count = 0;

    for (const char *at = buf_cstr(dump); (at = strstr(at, "<node")); at++)
        count++;
    return count;
}

/* Is it a whole tree? uiautomator may write half of one and say nothing. */
static bool look_at_dump(struct device_check_context *test,
                         const struct buf *dump, struct err *err)
{
    if (!strstr(buf_cstr(dump), "<hierarchy"))
        return err_set(err, ERR_REMOTE, "uiautomator wrote no tree");
    if (!strstr(buf_cstr(dump), "</hierarchy>"))
        return err_set(err, ERR_REMOTE, "the tree ends early, after %zu bytes",
                       dump->length);
    device_check_say(test, "%zu nodes, %zu KiB", count_nodes(dump),
                     dump->length / KIB);
    return true;
}

/* Into our own directory; failures are reported with uiautomator's message. */
static bool dump(struct device_check_context *test, const char *path,
                 struct err *err)
{
    struct buf arguments = BUF_INIT(2 * CLEANUP_LIST_PATH_MAX);
    struct shell_result result;
    bool done;

    buf_text(&arguments, "dump ");
    shell_quote(&arguments, path);
    done = device_check_run_well(test, "uiautomator", buf_cstr(&arguments),
                                 &result, err);
    buf_release(&arguments);
    if (!done)
        return false;
    /* Its status is 0 also when it failed. */
    done = !strstr(buf_cstr(&result.out), "ERROR") &&
           !strstr(buf_cstr(&result.errors), "ERROR");
    if (!done)
        device_check_fail_with_words(&result, "uiautomator", err);
    shell_result_release(&result);
    return done;
}

static bool read_dump(struct device_check_context *test, const char *path,
                      struct err *err)
{
    struct buf command = BUF_INIT(2 * CLEANUP_LIST_PATH_MAX);
    struct buf tree = BUF_INIT(DUMP_LIMIT);
    bool done;

    buf_text(&command, "cat ");
    shell_quote(&command, path);
    done = shell_exec(test->device, buf_cstr(&command), test->by, &tree, err) &&
           look_at_dump(test, &tree, err);
    buf_release(&command);
    buf_release(&tree);
    return done;
}

static bool check_dump(struct device_check_context *test, struct err *err)
{
    char path[CLEANUP_LIST_PATH_MAX + 16];

    if (!device_check_need(test, "uiautomator", err))
        return false;
    if (!test->cleanup_list->directory[0])
        return err_set(err, ERR_REMOTE, "there is no directory for it");
    snprintf(path, sizeof(path), "%s/window.xml",
             test->cleanup_list->directory);
    return dump(test, path, err) && read_dump(test, path, err);
}

static const struct device_check checks[] = {
    {"size", check_size, false},
    {"screencap -p", check_png, false},
    {"screencap", check_raw, false},
    {"framebuffer:", check_framebuffer, false},
    {"uiautomator dump", check_dump, false},
};

const struct device_check_group screen_checks = {"Screen", checks,
                                                 ARRAY_LEN(checks)};
