/*
 * Takes the screen before a recorded step again, when what was recorded may be
 * late: the phone shows it once more.
 */
#ifndef RUNNER_RECORD_STEP_RETAKE_H
#define RUNNER_RECORD_STEP_RETAKE_H

#include "runner/record/record_phone.h"

/*
 * Replace the screen and the tree before a step, and its target, by those of
 * screen, whose memory is used up; passwords are removed as by the recorder.
 * The step has no flag afterwards. Returns when all of it is on the disk; a
 * kill leaves the step as it was or as it should be. Fails with ERR_BUSY while
 * it is being recorded, and with ERR_INVALID for a step that was not done, or a
 * screen without a tree or another size.
 */
MUST_USE bool step_retake(const char *folder, int step,
                          struct record_screen *screen, struct err *err);

#endif
