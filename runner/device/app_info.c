#include "runner/device/app_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "base/mem.h"

#define ANSWER_MAX ((size_t)4 << 20)
#define PERMISSIONS_MAX 512
#define NAME_SIZE 256

void app_info_release(struct app_info *facts)
{
    text_list_release(&facts->asks);
    text_list_release(&facts->granted);
    *facts = (struct app_info){.installed = false};
}

/* The next line without surrounding white space; false after the last. */
static bool next_line(const char **text, char line[NAME_SIZE])
{
    size_t length = strcspn(*text, "\r\n");
    const char *at = *text;

    if (!*at)
        return false;
    *text += length;
    *text += strspn(*text, "\r\n");
    while (length && *at == ' ') {
        at++;
        length--;
    }
    clean_text_copy(line, NAME_SIZE, at, length);
    return true;
}

static void add(struct text_list *texts, const char *name)
{
    if (texts->count < PERMISSIONS_MAX && !text_list_have(texts, name))
        text_list_add(texts, name);
}

/*
 * android.permission.INTERNET                  in a list of what it asks for
 * android.permission.INTERNET: granted=true    in those of what it has
 */
static void take_permission(char *line, bool asking, struct app_info *facts)
{
    char *colon = strchr(line, ':');

    if (!colon && asking) {
        add(&facts->asks, line);
    } else if (colon && !strncmp(colon, ": granted=", 10)) {
        *colon = '\0';
        add(&facts->asks, line);
        if (!strncmp(colon + 10, "true", 4))
            add(&facts->granted, line);
    }
}

/* The app's own part begins with "Package [org.app] (1a2b3c):". */
void app_info_parse(const char *text, const char *package,
                    struct app_info *facts)
{
    static const char version[] = "versionName=";
    char own[NAME_SIZE];
    char line[NAME_SIZE];
    bool asking = false;

    snprintf(own, sizeof(own), "Package [%.200s]", package);
    text = strstr(text, own);
    facts->installed = text != NULL;
    while (text && next_line(&text, line)) {
        if (!strncmp(line, "Package [", 9) &&
            strncmp(line, own, strlen(own)) != 0)
            break; /* another app's */
        if (!facts->version[0] && !strncmp(line, version, strlen(version)))
            clean_text_copy(facts->version, sizeof(facts->version),
                            line + strlen(version),
                            strlen(line + strlen(version)));
        if (line[0] && line[strlen(line) - 1] == ':')
            asking = !strcmp(line, "requested permissions:");
        else
            take_permission(line, asking, facts);
    }
}

bool app_info_read(struct device *device, const char *package,
                   struct deadline by, struct app_info *facts, struct err *err)
{
    struct shell_result result;
    struct buf command = BUF_INIT(1024);
    bool done;

    buf_text(&command, "dumpsys package ");
    shell_quote(&command, package);
    done = shell_run(device, buf_cstr(&command), ANSWER_MAX, by, &result, err);
    buf_release(&command);
    if (!done)
        return false;
    *facts = (struct app_info){.installed = false};
    app_info_parse(buf_cstr(&result.out), package, facts);
    shell_result_release(&result);
    return true;
}
