#include "runner/device/device_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "base/picture/picture.h"

#define ANSWER_MAX ((size_t)64 * 1024)
#define DEFAULT_DENSITY 420
#define DENSITY_MIN 60
#define DENSITY_MAX 2000
#define SDK_MAX 1000

/* Prints each value on its own line, after its name. */
static const char command[] =
    "for p in ro.product.model ro.build.version.release "
    "ro.build.version.sdk ro.build.fingerprint "
    "persist.sys.locale ro.product.locale ro.hardware ro.proctor.clock; do "
    "echo \"$p=$(getprop $p)\"; done; wm size; wm density";

/* The rest of the first line that begins with name; NULL if there is none. */
static const char *line_of(const char *text, const char *name, size_t *length)
{
    for (const char *at = text; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!strncmp(at, name, strlen(name))) {
            at += strlen(name);
            *length = strcspn(at, "\r\n");
            return at;
        }
    }
    return NULL;
}

static void take_text(const char *text, const char *name,
                      char value[DEVICE_INFO_TEXT_MAX])
{
    size_t length;
    const char *found = line_of(text, name, &length);

    if (found && length)
        clean_text_copy(value, DEVICE_INFO_TEXT_MAX, found, length);
}

/* "1080x2400"; an override comes after the physical size. */
static void take_size(const char *text, const char *name, struct extent *screen)
{
    size_t length;
    const char *found = line_of(text, name, &length);
    char *end;
    long width, height;

    if (!found)
        return;
    width = strtol(found, &end, 10);
    if (*end != 'x')
        return;
    height = strtol(end + 1, &end, 10);
    if (width > 0 && height > 0 && width <= PICTURE_SIDE_MAX &&
        height <= PICTURE_SIDE_MAX)
        *screen = (struct extent){(int)width, (int)height};
}

static void take_number(const char *text, const char *name, int min, int max,
                        int *value)
{
    size_t length;
    const char *found = line_of(text, name, &length);
    long number = found ? strtol(found, NULL, 10) : min - 1L;

    if (number >= min && number <= max)
        *value = (int)number;
}

void device_info_parse(const char *text, struct device_info *facts)
{
    char word[DEVICE_INFO_TEXT_MAX] = "";

    *facts = (struct device_info){.density = DEFAULT_DENSITY};
    take_text(text, "ro.product.model=", facts->model);
    take_text(text, "ro.build.version.release=", facts->android);
    take_number(text, "ro.build.version.sdk=", 1, SDK_MAX, &facts->sdk);
    take_text(text, "ro.build.fingerprint=", facts->fingerprint);
    take_text(text, "ro.product.locale=", facts->locale);
    take_text(text, "persist.sys.locale=", facts->locale);
    take_text(text, "ro.hardware=", word);
    facts->builtin = !strcmp(word, "proctor");
    word[0] = '\0';
    take_text(text, "ro.proctor.clock=", word);
    facts->virtual_time = facts->builtin && !strcmp(word, "virtual");
    take_size(text, "Physical size: ", &facts->panel);
    facts->screen = facts->panel;
    take_size(text, "Override size: ", &facts->screen);
    take_number(text, "Physical density: ", DENSITY_MIN, DENSITY_MAX,
                &facts->density);
    take_number(text, "Override density: ", DENSITY_MIN, DENSITY_MAX,
                &facts->density);
}

bool device_info_read(struct device *device, struct deadline by,
                      struct device_info *facts, struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, command, ANSWER_MAX, by, &result, err))
        return err_wrap(err, "reading the phone's properties");
    device_info_parse(buf_cstr(&result.out), facts);
    shell_result_release(&result);
    return true;
}
