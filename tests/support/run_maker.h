/*
 * Runs that nobody ran: a run's folder with episodes, screens, words and
 * verdicts made up from a seed, for tests of what reads runs.
 */
#ifndef TESTS_SUPPORT_RUN_MAKER_H
#define TESTS_SUPPORT_RUN_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_plan {
    const char *folder; /* is made; nothing may have that name */
    const char *id;
    const char *agent;
    const char *locale; /* NULL: every second task is in Chinese */
    size_t tasks;
    size_t repeats;
    size_t steps;     /* of each episode */
    unsigned success; /* so many of a hundred */
    uint32_t seed;
    bool builtin;
    bool hostile;    /* all texts try to be markup, or to leave it */
    bool no_words;   /* no process.jsonl */
    bool no_judge;   /* no verdicts */
    bool unfinished; /* twice as many tasks were planned */
    bool alike;      /* episodes share their screens */
    bool no_screen;  /* nothing was seen */
};

/* Fails the test when it cannot be written. */
void run_make(const struct run_plan *plan);

/* Remove a folder with all runs in it. */
void run_remove(const char *folder);

/* What hostile texts begin with. */
#define RUN_HOSTILE "</script><img src=x onerror=alert(1)>\"'&lt;"

#endif
