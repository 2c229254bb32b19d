#include "runner/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/shell.h"
#include "base/picture.h"
#include "base/text.h"

#define ANSWER_MAX ((size_t)64 * 1024)
#define USUAL_DENSITY 420
#define DENSITY_MIN 60
#define DENSITY_MAX 2000

/* Each value on a line of its own, with its name in front. */
static const char command[] =
    "for p in ro.product.model ro.build.version.release ro.build.fingerprint "
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
                      char value[FACTS_TEXT_MAX])
{
    size_t length;
    const char *found = line_of(text, name, &length);

    if (found && length)
        text_copy_clean(value, FACTS_TEXT_MAX, found, length);
}

/* "1080x2400"; a size that somebody set comes after the panel's. */
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

static void take_density(const char *text, const char *name, int *density)
{
    size_t length;
    const char *found = line_of(text, name, &length);
    long number = found ? strtol(found, NULL, 10) : 0;

    if (number >= DENSITY_MIN && number <= DENSITY_MAX)
        *density = (int)number;
}

void facts_parse(const char *text, struct facts *facts)
{
    char word[FACTS_TEXT_MAX] = "";

    *facts = (struct facts){.density = USUAL_DENSITY};
    take_text(text, "ro.product.model=", facts->model);
    take_text(text, "ro.build.version.release=", facts->android);
    take_text(text, "ro.build.fingerprint=", facts->fingerprint);
    take_text(text, "ro.product.locale=", facts->locale);
    take_text(text, "persist.sys.locale=", facts->locale);
    take_text(text, "ro.hardware=", word);
    facts->builtin = !strcmp(word, "proctor");
    word[0] = '\0';
    take_text(text, "ro.proctor.clock=", word);
    facts->virtual_time = facts->builtin && !strcmp(word, "virtual");
    take_size(text, "Physical size: ", &facts->screen);
    take_size(text, "Override size: ", &facts->screen);
    take_density(text, "Physical density: ", &facts->density);
    take_density(text, "Override density: ", &facts->density);
}

bool facts_read(struct device *device, struct deadline by, struct facts *facts,
                struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, command, ANSWER_MAX, by, &result, err))
        return err_wrap(err, "asking the phone what it is");
    facts_parse(buf_cstr(&result.out), facts);
    shell_result_release(&result);
    return true;
}
