/* Files of the phone that the task's checks need. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adb/sync/sync.h"
#include "base/file.h"
#include "runner/episode/episode_private.h"

#define FILE_MS 60000
#define SIZE_MAX_BYTES ((uint64_t)64 << 20)

/* A missing file is evidence as well. */
static bool is_file(struct sync *sync, const char *path, bool *is,
                    struct err *err)
{
    struct sync_stat stat;

    if (!sync_stat(sync, path, true, deadline_in_ms(FILE_MS), &stat, err))
        return false;
    *is = S_ISREG(stat.mode) && stat.size <= SIZE_MAX_BYTES;
    return true;
}

static bool fetch(struct episode *episode, struct sync *sync, const char *path,
                  size_t number, struct err *err)
{
    struct buf local = BUF_INIT(PATH_MAX);
    struct buf name = BUF_INIT(PATH_MAX);
    char file[24] = "";
    bool is = false;
    bool done = is_file(sync, path, &is, err);

    if (done && is) {
        buf_printf(&local, "%s/files", episode->folder);
        (void)mkdir(buf_cstr(&local), 0777);
        snprintf(file, sizeof(file), "files/%04zu", number);
        buf_clear(&local);
        buf_printf(&local, "%s/%s", episode->folder, file);
        done = sync_pull(sync, path, buf_cstr(&local), deadline_in_ms(FILE_MS),
                         NULL, err) &&
               file_sync(buf_cstr(&local), err);
        buf_truncate(&local, local.length - strlen("/0000"));
        done = done && file_sync(buf_cstr(&local), err);
    }
    if (done) {
        buf_printf(&name, "file:%s", path);
        episode->phase = EPISODE_PHASE_RECORD;
        done = trajectory_evidence(episode->writer, buf_cstr(&name), file, err);
    }
    buf_release(&local);
    buf_release(&name);
    return done || err_wrap(err, "file %.100s", path);
}

bool episode_pull_files(struct episode *episode, struct err *err)
{
    const struct task *task = &episode->asked;
    struct device *device = episode->options->session->lease->device;
    const struct sync_options options = {.progress = NULL};
    struct sync *sync = NULL;
    bool done = true;

    for (size_t i = 0; done && i < task->image_count; i++) {
        if (!task->images[i].file)
            continue;
        episode->phase = EPISODE_PHASE_OBSERVE;
        done = (sync || sync_open(device, &options, deadline_in_ms(FILE_MS),
                                  &sync, err)) &&
               fetch(episode, sync, task->images[i].file, i, err);
    }
    sync_close(sync);
    return done;
}
