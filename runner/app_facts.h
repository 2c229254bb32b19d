/* What a phone knows of an app: is it there, which version, what it may do. */
#ifndef RUNNER_APP_FACTS_H
#define RUNNER_APP_FACTS_H

#include <stdbool.h>

#include "adb/device.h"
#include "tasks/texts.h"

#define APP_VERSION_MAX 64

struct app_facts {
    bool installed;
    char version[APP_VERSION_MAX]; /* "3.2.1"; "" if it does not say */
    struct texts asks;             /* permissions that it asks for */
    struct texts granted;          /* those that it has */
};

void app_facts_release(struct app_facts *facts);

/*
 * Ask the phone; the caller releases facts. An app that is not there is no
 * failure. Fails as shell_run does.
 */
MUST_USE bool app_facts_read(struct device *device, const char *package,
                             struct deadline by, struct app_facts *facts,
                             struct err *err);

/* Understand what `dumpsys package` printed. */
void app_facts_parse(const char *text, const char *package,
                     struct app_facts *facts);

#endif
