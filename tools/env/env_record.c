#include "tools/env/env_record.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/mem.h"
#include "tasks/task/episode_task.h"
#include "tasks/trajectory/episode_truth.h"
#include "tasks/trajectory/run_results.h"

#define AGENT_NAME "env"
#define OPEN_FOLDERS 8

struct env_record {
    char *folder;                     /* owned */
    struct trajectory_writer *writer; /* owned */
    int64_t started_ns;
};

static int64_t elapsed_ms(const struct env_record *record)
{
    return (clock_ns() - record->started_ns) / 1000000;
}

static char *folder_of(const struct env_record_head *head)
{
    struct buf path = BUF_INIT(PATH_MAX);
    char *copy;

    buf_printf(&path, "%s/", head->folder);
    run_result_folder(head->task->id, head->number, 0, &path);
    copy = mem_dup(buf_cstr(&path));
    buf_release(&path);
    return copy;
}

/* The folders above that of the episode. */
static bool make_parent(const char *folder, struct err *err)
{
    char *parent = mem_dup(folder);
    bool done;

    *strrchr(parent, '/') = '\0';
    done = file_make_folder(parent, 0777, err);
    free(parent);
    return done;
}

static bool start(struct env_record *record, const struct env_record_head *head,
                  struct err *err)
{
    struct trajectory_head first = {
        .task = head->task->id,
        .agent = (char *)(uintptr_t)AGENT_NAME,
        .phone = (char *)(uintptr_t)head->phone,
        .instruction = (char *)(uintptr_t)head->instruction,
        .app = head->task->apps.count ? head->task->apps.items[0] : NULL,
        .locale = (char *)(uintptr_t)head->locale,
        .repeat = head->number,
        .width = head->screen.width,
        .height = head->screen.height,
        .started_ms = clock_wall_ms(),
    };

    return make_parent(record->folder, err) &&
           trajectory_create(record->folder, &first, &record->writer, err) &&
           episode_task_save(head->task, record->folder, err);
}

bool env_record_open(const struct env_record_head *head,
                     struct env_record **record, struct err *err)
{
    struct env_record *made = mem_new(1, sizeof(*made));

    made->folder = folder_of(head);
    made->started_ns = clock_ns();
    if (!start(made, head, err)) {
        env_record_close(made, false);
        return err_wrap(err, "recording");
    }
    *record = made;
    return true;
}

static int erase_one(const char *path, const struct stat *facts, int kind,
                     struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

void env_record_close(struct env_record *record, bool erase)
{
    if (!record)
        return;
    trajectory_close(record->writer);
    if (erase)
        (void)nftw(record->folder, erase_one, OPEN_FOLDERS,
                   FTW_DEPTH | FTW_PHYS);
    free(record->folder);
    free(record);
}

const char *env_record_folder(const struct env_record *record)
{
    return record->folder;
}

bool env_record_observation(struct env_record *record,
                            const struct observation *seen, struct err *err)
{
    const struct trajectory_observation observation = {
        .screen = seen->png.length ? seen->png.data : NULL,
        .screen_size = seen->png.length,
        .tree = seen->has_tree ? seen->xml.data : NULL,
        .tree_size = seen->xml.length,
        .package = seen->package[0] ? seen->package : NULL,
        .activity = seen->activity[0] ? seen->activity : NULL,
        .doubt = seen->doubt[0] ? seen->doubt : NULL,
        .at_ms = elapsed_ms(record),
        .settle_ms = seen->settle_ms,
    };

    return trajectory_write_observation(record->writer, &observation, err);
}

bool env_record_reply(struct env_record *record, const char *text,
                      const char *error, struct err *err)
{
    const struct trajectory_reply reply = {
        .text = text, .error = error, .cost = -1};

    return trajectory_reply(record->writer, &reply, err);
}

bool env_record_action(struct env_record *record,
                       const struct step_action *action, struct err *err)
{
    struct step_action line = *action;

    line.actor = ACTOR_AGENT;
    line.at_ms = elapsed_ms(record);
    return trajectory_write_action(record->writer, &line, err);
}

bool env_record_probe(struct env_record *record, const char *name,
                      const char *value, bool before, struct err *err)
{
    return before ? trajectory_evidence_before(record->writer, name, value, err)
                  : trajectory_evidence(record->writer, name, value, err);
}

bool env_record_end(struct env_record *record, enum trajectory_ending ending,
                    const char *reason, const struct cJSON *verdict,
                    struct err *err)
{
    return (!verdict ||
            episode_truth_save(record->folder, verdict, false, err)) &&
           trajectory_end(record->writer, ending, reason, elapsed_ms(record),
                          err);
}
