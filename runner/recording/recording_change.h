/*
 * Changes of a recording beyond edits: blur, rename, split, copy. They need a
 * recording that is not being recorded: ERR_BUSY otherwise. A kill at any
 * moment leaves a valid recording, as it was or as it should be.
 */
#ifndef RUNNER_RECORDING_RECORDING_CHANGE_H
#define RUNNER_RECORDING_RECORDING_CHANGE_H

#include "base/picture/box.h"
#include "runner/recording/recording.h"

/*
 * Blur a rectangle of the screen before a step, for good: the original picture
 * is deleted, and with it crops that show a part of the rectangle. Texts of
 * elements that the rectangle touches are replaced by "•" in the tree, removed
 * from targets, and masked where they were typed. Steps that share the picture
 * are blurred, too. Returns when all of it is on the disk. Fails with
 * ERR_INVALID for a step without a screen or an empty rectangle, and when the
 * original cannot be deleted.
 */
MUST_USE bool recording_blur(const char *folder, int step, struct box box,
                             struct err *err);

/*
 * Give it another name: its folder is renamed, in the same parent folder. Fails
 * with ERR_INVALID for a bad name and for one that is taken.
 */
MUST_USE bool recording_rename(const char *folder, const char *name,
                               struct err *err);

/* Use only the steps from..to, both included. */
MUST_USE bool recording_trim(const char *folder, int from, int to,
                             struct err *err);

/*
 * Write a part of a recording as another one, beside it or elsewhere: the steps
 * from..to, numbered from 0, with their edits and crops; the screen after the
 * last one is its end. Without `all`, steps that do not count are left out.
 * Folder must not exist; the last part of it is the name. The copy is finished
 * (it has an end) unless the recording is not and `to` is its last step.
 */
struct recording_part {
    int from;
    int to;
    bool all;
};
MUST_USE bool recording_copy(const struct recording *recording,
                             const struct recording_part *part,
                             const char *folder, struct err *err);

/*
 * Split in two: steps from `step` on become the recording `name`, in the same
 * parent folder, and are trimmed off this one.
 */
MUST_USE bool recording_split(const char *folder, int step, const char *name,
                              struct err *err);

#endif
