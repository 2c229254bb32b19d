/*
 * Rewrites a recording with the screens, trees and targets of a replay of it,
 * so that later replays start from the current app.
 */
#ifndef TOOLS_CLI_RUN_REPLAY_UPDATE_H
#define TOOLS_CLI_RUN_REPLAY_UPDATE_H

#include "runner/device/file_lock.h"
#include "runner/replay/replay.h"

struct replay_update {
    char *folder;                     /* owned: of the recording */
    char *made;                       /* owned: of the new one, beside it */
    struct trajectory_writer *writer; /* for the replay */
    struct file_lock lock;            /* on the recording */
};

#define REPLAY_UPDATE_INIT                                                     \
    {                                                                          \
        .lock = FILE_LOCK_INIT                                                 \
    }

/*
 * Begin a new recording beside the old one, which no one else can change until
 * replay_update_release, except by edits. locale is the phone's. The update is
 * released by the caller, also on failure. Fails with ERR_INVALID for an
 * episode of a run, which is a record of what happened, and for a recording
 * whose steps would get other numbers, because some are deleted, undone,
 * trimmed or blocked; with ERR_BUSY while another program has it, and as
 * trajectory_create.
 */
MUST_USE bool replay_update_begin(struct replay_update *update,
                                  const struct trajectory *recorded,
                                  const char *locale, struct err *err);

/*
 * Replace the recording by the new one, in one step; its other files (edits,
 * task.json) are kept. Edits of others wait meanwhile. Fails with ERR_INVALID
 * if steps have other numbers now but edits refer to them, and as
 * file_save_synced.
 */
MUST_USE bool replay_update_commit(struct replay_update *update,
                                   const struct trajectory *recorded,
                                   const struct replay_end *end,
                                   struct err *err);

/* Remove what is left; after a commit that is nothing. */
void replay_update_release(struct replay_update *update);

#endif
