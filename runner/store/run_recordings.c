#include "runner/store/run_recordings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/path_parts.h"
#include "runner/store/episode_archive.h"
#include "tasks/trajectory/run_results.h"

#define PART "/.fetch-XXXXXX"

/* ---- what is missing ---- */

static void add_missing(struct run_recordings *recordings,
                        const struct run_result *result)
{
    struct buf folder = BUF_INIT(PATH_MAX);

    buf_printf(&folder, "%s/%s", recordings->run, result->episode);
    if (access(buf_cstr(&folder), F_OK) != 0) {
        recordings->items = mem_resize(recordings->items, recordings->count + 1,
                                       sizeof(*recordings->items));
        recordings->items[recordings->count++] = (struct run_recording){
            .folder = mem_dup(buf_cstr(&folder)),
            .url = mem_dup(result->recording),
        };
    }
    buf_release(&folder);
}

static bool has_results(const char *run)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool found;

    buf_printf(&path, "%s/results.jsonl", run);
    found = !access(buf_cstr(&path), F_OK);
    buf_release(&path);
    return found;
}

bool run_recordings_find(const char *run, struct run_recordings *recordings,
                         struct err *err)
{
    struct run_results results = {.items = NULL};

    *recordings = (struct run_recordings){.count = 0};
    if (!has_results(run))
        return true;
    if (!run_results_load(run, &results, err))
        return false;
    recordings->run = mem_dup(run);
    for (size_t i = 0; i < results.count; i++) {
        if (results.items[i].recording)
            add_missing(recordings, &results.items[i]);
    }
    run_results_release(&results);
    return true;
}

void run_recordings_release(struct run_recordings *recordings)
{
    for (size_t i = 0; i < recordings->count; i++) {
        free(recordings->items[i].folder);
        free(recordings->items[i].url);
    }
    free(recordings->items);
    free(recordings->run);
    *recordings = (struct run_recordings){.count = 0};
}

/* ---- one of them ---- */

/* Another process may have been faster. */
static bool move(const char *from, const char *to, struct err *err)
{
    char *parent = path_folder(to);
    bool done = file_make_folder(parent, 0777, err) &&
                (!rename(from, to) || !access(to, F_OK) ||
                 err_errno(err, errno, "move a recording to %s", to));

    free(parent);
    return done;
}

static bool fetch_into(const char *part, const struct run_recording *recording,
                       struct store_client *client, struct err *err)
{
    struct buf archive = BUF_INIT(PATH_MAX);
    struct buf folder = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&archive, "%s/recording.zip", part);
    buf_printf(&folder, "%s/recording", part);
    done =
        store_client_fetch(client, recording->url, buf_cstr(&archive), err) &&
        (episode_archive_unpack(buf_cstr(&archive), buf_cstr(&folder), err) ||
         err_wrap(err, "the recording %.100s", recording->folder)) &&
        move(buf_cstr(&folder), recording->folder, err);
    buf_release(&archive);
    buf_release(&folder);
    return done;
}

bool run_recordings_fetch(const struct run_recordings *recordings, size_t index,
                          struct store_client *client, struct err *err)
{
    struct buf part = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&part, "%s" PART, recordings->run);
    if (part.overflow || !mkdtemp(part.data)) {
        err_fill_errno(err, part.overflow ? ENAMETOOLONG : errno, "make %s",
                       buf_cstr(&part));
        buf_release(&part);
        return false;
    }
    done = fetch_into(buf_cstr(&part), &recordings->items[index], client, err);
    file_remove_tree(buf_cstr(&part));
    buf_release(&part);
    return done;
}
