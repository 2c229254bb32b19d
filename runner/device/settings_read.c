#include "runner/device/settings_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/mem.h"

#define OUTPUT_MAX ((size_t)4 << 20)
#define SPACE_SIZE 16

/* ---- output of the commands ---- */

static char *copy_value(const char *value, size_t length)
{
    if (length == strlen("null") && !memcmp(value, "null", length))
        return NULL;
    return mem_dup_n(value, length);
}

char *settings_find_in_list(const char *output, const char *key)
{
    size_t key_length = strlen(key);

    for (const char *line = output; *line; line += strspn(line, "\r\n")) {
        size_t length = strcspn(line, "\r\n");

        if (length > key_length && line[key_length] == '=' &&
            !strncmp(line, key, key_length))
            return copy_value(line + key_length + 1, length - key_length - 1);
        line += length;
    }
    return NULL;
}

/* "Row: 6 _id=7, name=stay_on_while_plugged_in, value=0" */
char *settings_find_in_query(const char *output, const char *key)
{
    static const char value_mark[] = ", value=";
    char name_mark[160];
    int mark_length = snprintf(name_mark, sizeof(name_mark), " name=%.120s%s",
                               key, value_mark);

    for (const char *line = output; *line; line += strspn(line, "\r\n")) {
        size_t length = strcspn(line, "\r\n");
        const char *found =
            memmem(line, length, name_mark, (size_t)mark_length);

        if (found && !strncmp(line, "Row: ", 5)) {
            found += mark_length;
            return copy_value(found, (size_t)(line + length - found));
        }
        line += length;
    }
    return NULL;
}

/* ---- reading ---- */

/* How the settings of a namespace can be read; the first that works. */
static const struct {
    const char *command; /* followed by the namespace */
    const char *mark;    /* in the output of a phone that has the command */
    char *(*find)(const char *output, const char *key);
} methods[] = {
    {"settings list ", "=", settings_find_in_list},
    {"content query --uri content://settings/",
     "Row: ", settings_find_in_query},
};

static bool same_space(const char *a, const char *b)
{
    size_t length = strcspn(a, " ") + 1;

    return !strncmp(a, b, length);
}

static const char *key_of(const char *name)
{
    const char *space = strchr(name, ' ');

    return space ? space + 1 : name;
}

static bool is_usage(const char *output)
{
    return !strncmp(output, "usage:", 6) || !strncmp(output, "Usage:", 6);
}

/* *method is the one that worked, ARRAY_LEN(methods) for none. */
static bool read_space(struct device *device, const char *name,
                       struct deadline by, struct shell_result *result,
                       size_t *method, struct err *err)
{
    char space[SPACE_SIZE], command[80];

    snprintf(space, sizeof(space), "%.*s", (int)strcspn(name, " "), name);
    for (*method = 0; *method < ARRAY_LEN(methods); ++*method) {
        snprintf(command, sizeof(command), "%s%s", methods[*method].command,
                 space);
        if (!shell_run(device, command, OUTPUT_MAX, by, result, err))
            return false;
        if (result->status <= 0 && !is_usage(buf_cstr(&result->out)) &&
            strstr(buf_cstr(&result->out), methods[*method].mark))
            return true;
        shell_result_release(result);
    }
    return true;
}

/* Is it the one line of a value? A phone without a status may print reasons. */
static bool is_one_value(const char *output)
{
    size_t length = strcspn(output, "\r\n");
    const char *rest = output + length;

    rest += strspn(rest, "\r\n");
    return rest != output && !*rest && !is_usage(output) &&
           !strstr(output, "Exception") && strncmp(output, "Error", 5) != 0;
}

static bool read_one(struct device *device, const char *name,
                     struct deadline by, char **value, bool *known,
                     struct err *err)
{
    struct shell_result result;
    char command[160];

    snprintf(command, sizeof(command), "settings get %.120s", name);
    if (!shell_run(device, command, OUTPUT_MAX, by, &result, err))
        return false;
    *known = result.status <= 0 && is_one_value(buf_cstr(&result.out));
    if (*known)
        *value = copy_value(buf_cstr(&result.out),
                            strcspn(buf_cstr(&result.out), "\r\n"));
    shell_result_release(&result);
    return true;
}

/* Fill the values of all names that share the namespace of names[first]. */
static bool read_group(struct device *device, const char *const *names,
                       size_t count, size_t first, struct deadline by,
                       char **values, bool *known, struct err *err)
{
    struct shell_result result;
    size_t method;
    bool done = true;

    if (!read_space(device, names[first], by, &result, &method, err))
        return false;
    for (size_t i = first; done && i < count; i++) {
        bool worked = true;

        if (!same_space(names[first], names[i]))
            continue;
        if (method < ARRAY_LEN(methods))
            values[i] =
                methods[method].find(buf_cstr(&result.out), key_of(names[i]));
        else
            done = read_one(device, names[i], by, &values[i], &worked, err);
        known[i] = worked;
    }
    if (method < ARRAY_LEN(methods))
        shell_result_release(&result);
    return done;
}

static bool is_first_of_space(const char *const *names, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (same_space(names[j], names[i]))
            return false;
    }
    return true;
}

bool settings_read(struct device *device, const char *const *names,
                   size_t count, struct deadline by, char **values, bool *known,
                   struct err *err)
{
    memset(values, 0, count * sizeof(*values));
    for (size_t i = 0; i < count; i++) {
        if (!is_first_of_space(names, i) ||
            read_group(device, names, count, i, by, values, known, err))
            continue;
        for (size_t j = 0; j < count; j++) {
            free(values[j]);
            values[j] = NULL;
        }
        return err_wrap(err, "reading the phone's settings");
    }
    return true;
}
