/*
 * Generated runs: a run's folder with episodes, screens, descriptions and
 * verdicts derived from a seed, for tests of code that reads runs.
 */
#ifndef TESTS_SUPPORT_FAKE_RUN_H
#define TESTS_SUPPORT_FAKE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fake_run {
    const char *folder; /* is created; must not exist */
    const char *id;
    const char *agent;
    const char *locale; /* NULL: every second task is in Chinese */
    size_t tasks;
    size_t repeats;
    size_t steps;     /* steps of each episode */
    unsigned success; /* success rate in percent */
    uint32_t seed;
    bool builtin;
    bool hostile;    /* all texts contain markup */
    bool no_words;   /* no process.jsonl */
    bool no_judge;   /* no verdicts */
    bool unfinished; /* twice as many tasks were planned */
    bool alike;      /* episodes share their screens */
    bool no_screen;  /* no screens were recorded */
};

/* Fails the test if it cannot be written. */
void fake_run_write(const struct fake_run *plan);

/* Remove a folder with all runs in it. */
void fake_run_remove(const char *folder);

/* The first characters of hostile texts. */
#define FAKE_RUN_HOSTILE "</script><img src=x onerror=alert(1)>\"'&lt;"

#endif
