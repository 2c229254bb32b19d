/*
 * The current texts in the place of recorded ones: the values that the task
 * fills in, such as the name of a product, and the texts that its gold types,
 * in the current language and on the current day.
 */
#ifndef RUNNER_REPLAY_REPLAY_TEXTS_H
#define RUNNER_REPLAY_REPLAY_TEXTS_H

#include "runner/observe/match_elements.h"
#include "tasks/task/task.h"

/* A task at the time of the recording, or now. */
struct replay_texts_side {
    const char *locale;      /* "en" or "zh"; NULL: not known */
    const char *instruction; /* with every {…} filled in; NULL: not known */
    const struct task *task; /* filled in; NULL: not known */
};

/*
 * Collect the pairs of texts; the caller releases them. task is the suite's,
 * whose texts have {…}.
 */
void replay_texts_collect(const struct task *task,
                          const struct replay_texts_side *was,
                          const struct replay_texts_side *is,
                          struct carried_texts *texts);

/*
 * The values of the {…} of a text, from the text with them filled in: two lists
 * of names and values. False: the text is not made from it, or two {…} stand
 * beside each other.
 */
bool replay_texts_values(const char *blank, const char *filled,
                         struct text_list *names, struct text_list *values);

#endif
