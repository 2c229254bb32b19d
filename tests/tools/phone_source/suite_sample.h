/*
 * Which part of a suite a test tries: on which phones, and there the gold and
 * the ways of which tasks.
 *
 * By default a sample whose size grows with the number of tasks only: each
 * task's gold and one of its wrong ways once, and some of the right ways, on
 * phones that differ from sample to sample. PROCTOR_SAMPLE is its number, in
 * hexadecimal: tools/test takes that of the commit, so that one commit always
 * tries the same, and the next one something else.
 *
 * With PROCTOR_FULL everything on 5 seeds, 3 skins, in both languages; all that
 * a sample can hold is in there. PROCTOR_SUITE_TASKS=mail. tries all ways of
 * the tasks whose ids begin so, on a few phones or on the one that
 * PROCTOR_SUITE_PHONE=SEED,SKIN,LANGUAGE names.
 */
#ifndef TESTS_TOOLS_PHONE_SOURCE_SUITE_SAMPLE_H
#define TESTS_TOOLS_PHONE_SOURCE_SUITE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tasks/task/suite.h"
#include "tasks/task/task_way.h"

#define SUITE_SAMPLE_SEEDS 5
#define SUITE_SAMPLE_SKINS 3
#define SUITE_SAMPLE_PHONES_MAX (SUITE_SAMPLE_SEEDS * SUITE_SAMPLE_SKINS * 2)

struct suite_phone {
    uint64_t seed;
    unsigned skin;
    const char *locale; /* "en" or "zh"; static */
};

struct suite_sample {
    uint64_t number;
    bool everything;    /* all tasks and ways on all phones */
    const char *prefix; /* of the ids of tasks; NULL: all tasks */
    struct suite_phone phones[SUITE_SAMPLE_PHONES_MAX];
    size_t phone_count;
};

/* As the environment asks for. False if that cannot be read. */
bool suite_sample_read(struct suite_sample *sample);

bool suite_sample_has_task(const struct suite_sample *sample,
                           const struct task *task);

/* Is the task's gold, or that way of it, tried on that phone? */
bool suite_sample_has_gold(const struct suite_sample *sample,
                           const struct suite *suite, const struct task *task,
                           size_t phone);
bool suite_sample_has_way(const struct suite_sample *sample,
                          const struct suite *suite,
                          const struct task_ways *ways, size_t way,
                          size_t phone);

/* Does the task take part in a test that tries only so many tasks? */
bool suite_sample_is_among(const struct suite_sample *sample,
                           const struct suite *suite, const struct task *task,
                           size_t at_most);

#endif
