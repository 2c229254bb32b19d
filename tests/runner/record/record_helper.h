/* Recordings of a fake phone in the folder "recordings"; failures end the test.
 */
#ifndef TESTS_RUNNER_RECORD_RECORD_HELPER_H
#define TESTS_RUNNER_RECORD_RECORD_HELPER_H

#include "runner/record/recorder.h"
#include "runner/recording/recording.h"
#include "tests/runner/record/fake_record_phone.h"

/* Start a recording, or go on with it. */
struct recorder *record_helper_start(const char *name,
                                     struct fake_record_phone *phone);

/* A tap on the phone's button. */
struct action record_helper_tap(void);

/* Record a step, and return its number. */
int record_helper_step(struct recorder *recorder, const struct action *action);

void record_helper_finish(struct recorder *recorder);

/* Its folder, valid until the next call. */
const char *record_helper_folder(const char *name);

/* Check and load it; the caller releases it. */
void record_helper_load(const char *name, struct recording *recording);

#endif
