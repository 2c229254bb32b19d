/* What a phone says of itself. */
#ifndef RUNNER_FACTS_H
#define RUNNER_FACTS_H

#include <stdbool.h>

#include "adb/device.h"
#include "runner/coords.h"

#define FACTS_TEXT_MAX 128

struct facts {
    char model[FACTS_TEXT_MAX];
    char android[FACTS_TEXT_MAX]; /* its version: "14" */
    char fingerprint[FACTS_TEXT_MAX];
    char locale[FACTS_TEXT_MAX]; /* "en-US"; "" if it does not say */
    struct extent screen;        /* upright; 0x0 if it does not say */
    int density;                 /* dots per inch */
    bool builtin;                /* it is made of software */
    bool virtual_time;           /* and its time moves only when it is used */
};

/*
 * Ask for all of it, in one command. What a phone does not tell is empty, and
 * the density then what is usual. Fails as shell_run does.
 */
MUST_USE bool facts_read(struct device *device, struct deadline by,
                         struct facts *facts, struct err *err);

/* Understand what the command printed. */
void facts_parse(const char *text, struct facts *facts);

#endif
