/* What pages ask for about recordings, one after the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/tree/tree.h"
#include "runner/recording/recording_change.h"
#include "tools/live/live_tree.h"
#include "tools/serve/serve_record_private.h"

/* A job in the hands of the thread. */
struct work {
    struct serve_record *record;
    const struct record_job *job;
    const struct record_request *request;
    struct serve_recording *entry; /* held; NULL: no page follows it */
    const char *folder;            /* of the recording */
    struct cJSON *answer;          /* to be filled */
    bool *later;                   /* another thread answers */
};

/* ---- edits ---- */

static bool add_edit(const struct work *work, struct recording_edit edit,
                     struct err *err)
{
    return recording_edit_add(work->folder, &edit, err);
}

static bool star(const struct work *work, struct err *err)
{
    const struct record_request *request = work->request;

    return add_edit(work,
                    (struct recording_edit){.kind = EDIT_STAR,
                                            .step = request->step,
                                            .on = request->on},
                    err);
}

static bool delete_step(const struct work *work, struct err *err)
{
    const struct record_request *request = work->request;

    return add_edit(work,
                    (struct recording_edit){.kind = EDIT_DELETE,
                                            .step = request->step,
                                            .on = request->on},
                    err);
}

static bool note(const struct work *work, struct err *err)
{
    const struct record_request *request = work->request;

    return add_edit(work,
                    (struct recording_edit){.kind = EDIT_NOTE,
                                            .step = request->step,
                                            .text = request->text},
                    err);
}

static bool trim(const struct work *work, struct err *err)
{
    return recording_trim(work->folder, work->request->from, work->request->to,
                          err);
}

/* ---- nodes of a screen ---- */

/* The tree of the phone that is recorded, and the number of its screen. */
static bool read_live_tree(const struct work *work, int *step,
                           struct tree *tree, struct err *err)
{
    const struct view_command dump = {.kind = VIEW_DUMP};
    struct serve_recording *entry = work->entry;
    struct view_answer answer = {.bytes = BUF_INIT(0)};
    bool done = false;

    if (entry)
        pthread_mutex_lock(&entry->use);
    if (!entry || !entry->live) {
        err_set(err, ERR_NOT_FOUND, "name the step that it is about");
    } else {
        phone_view_read(live_recorder_view(entry->live), &dump, &answer);
        if (!answer.done)
            *err = answer.err;
        done = answer.done &&
               tree_read(tree, answer.bytes.data, answer.bytes.length, err) &&
               live_recorder_next_step(entry->live, tree, step, err);
    }
    if (entry)
        pthread_mutex_unlock(&entry->use);
    buf_release(&answer.bytes);
    return done;
}

static bool check_step(const struct recording *recording, int step,
                       struct err *err)
{
    return (step >= 0 && (size_t)step < recording->count) ||
           err_set(err, ERR_NOT_FOUND, "there is no step %d", step + 1);
}

/* The tree of the screen before a step. */
static bool load_tree(const struct work *work, int step, struct tree *tree,
                      struct err *err)
{
    struct recording recording;
    struct buf xml = BUF_INIT(LIVE_TREE_XML_MAX);
    bool done;

    if (!recording_load(work->folder, &recording, err))
        return false;
    done = check_step(&recording, step, err) &&
           trajectory_read_file(&recording.trajectory,
                                &recording.steps[step].step->tree, &xml, err) &&
           tree_read(tree, buf_cstr(&xml), xml.length, err);
    recording_release(&recording);
    buf_release(&xml);
    return done;
}

/* An edit about the node at a point: of a step's screen, or of the phone. */
static bool mark_node(const struct work *work, enum recording_edit_kind kind,
                      struct err *err)
{
    const struct record_request *request = work->request;
    struct recording_edit edit = {
        .kind = kind, .step = request->step, .on = true};
    struct node_selector selector = {.nth = 0};
    struct tree tree = TREE_INIT;
    const char *text = NULL;
    char description[200];
    bool done =
        (request->step < 0 ? read_live_tree(work, &edit.step, &tree, err)
                           : load_tree(work, request->step, &tree, err)) &&
        (kind != EDIT_ANSWER ||
         live_tree_text(&tree, request->x, request->y, &text, err)) &&
        live_tree_select(&tree, request->x, request->y, &selector, description,
                         sizeof(description), err);

    edit.selector = &selector;
    edit.text = (char *)text; /* which is only written */
    done = done && recording_edit_add(work->folder, &edit, err);
    if (done) {
        json_add_int(work->answer, "step", edit.step);
        json_add_string(work->answer, "description", description);
    }
    node_selector_release(&selector);
    tree_release(&tree);
    return done;
}

/* The evidence that was marked at that point of a step's screen; NULL: none. */
static const struct node_selector *find_evidence(
    const struct recording_step *step, int x, int y)
{
    for (size_t i = 0; i < step->evidence_count; i++) {
        const struct node_selector *node = step->evidence[i];

        if (node->has_point && node->point.x == x && node->point.y == y)
            return node;
    }
    return NULL;
}

/* Take a mark back as it was made: the tree may not have that node. */
static bool unmark_node(const struct work *work, enum recording_edit_kind kind,
                        struct err *err)
{
    const struct record_request *request = work->request;
    struct recording_edit edit = {.kind = kind, .step = request->step};
    struct node_selector selector = {.nth = 0}; /* borrowed: only written */
    struct recording recording;
    bool done;

    if (!recording_load(work->folder, &recording, err))
        return false;
    done = check_step(&recording, request->step, err);
    if (done && kind == EDIT_EVIDENCE) {
        const struct node_selector *node = find_evidence(
            &recording.steps[request->step], request->x, request->y);

        done = node ||
               err_set(err, ERR_NOT_FOUND, "nothing was marked at (%d, %d)",
                       request->x, request->y);
        if (done)
            selector = *node;
        edit.selector = &selector;
    }
    done = done && recording_edit_add(work->folder, &edit, err);
    if (done)
        json_add_int(work->answer, "step", edit.step);
    recording_release(&recording);
    return done;
}

static bool edit_node(const struct work *work, enum recording_edit_kind kind,
                      struct err *err)
{
    return work->request->on ? mark_node(work, kind, err)
                             : unmark_node(work, kind, err);
}

static bool mark_evidence(const struct work *work, struct err *err)
{
    return edit_node(work, EDIT_EVIDENCE, err);
}

static bool wait_for(const struct work *work, struct err *err)
{
    return edit_node(work, EDIT_WAIT_FOR, err);
}

static bool mark_answer(const struct work *work, struct err *err)
{
    return edit_node(work, EDIT_ANSWER, err);
}

/* ---- changes of the whole ---- */

static bool blur(const struct work *work, struct err *err)
{
    if (!recording_blur(work->folder, work->request->step, work->request->box,
                        err))
        return false;
    if (work->entry)
        recording_view_forget_descriptions(&work->entry->view);
    return true;
}

static bool rename_it(const struct work *work, struct err *err)
{
    if (!recording_rename(work->folder, work->request->name, err))
        return false;
    json_add_string(work->answer, "recording", work->request->name);
    return true;
}

static bool split(const struct work *work, struct err *err)
{
    if (!recording_split(work->folder, work->request->step, work->request->name,
                         err))
        return false;
    json_add_string(work->answer, "recording", work->request->name);
    return true;
}

static bool fill_form(const struct work *work, struct err *err)
{
    return serve_record_form(work->record->folder, work->folder,
                             work->request->text, work->answer, err);
}

static bool save_task(const struct work *work, struct err *err)
{
    return serve_record_save(work->record->folder, work->folder,
                             work->request->text, work->answer, err);
}

/* It takes a while, and others go on meanwhile. */
static bool carry_twins_out(const struct work *work, struct err *err)
{
    *work->later =
        serve_record_start_twins(work->record, work->job, work->folder, err);
    return *work->later;
}

/* ---- the live recorder ---- */

static bool begin(const struct work *work, struct err *err)
{
    uint32_t epoch = 0;

    if (!work->entry)
        return err_set(err, ERR_NOT_FOUND, "the phone is gone");
    if (!serve_record_begin_live(work->entry, work->job, &epoch, err))
        return false;
    json_add_int(work->answer, "epoch", epoch);
    json_add_string(work->answer, "recording", work->entry->name);
    return true;
}

static bool retake(const struct work *work, struct err *err)
{
    if (!work->entry)
        return err_set(err, ERR_NOT_FOUND, "the phone is gone");
    if (!serve_record_retake(work->entry, work->job, work->folder, err))
        return false;
    recording_view_forget_descriptions(&work->entry->view);
    return true;
}

static bool undo(const struct work *work, struct err *err)
{
    struct serve_recording *entry = work->entry;
    struct recorder_undone undone;
    bool done = false;

    if (entry)
        pthread_mutex_lock(&entry->use);
    done = entry && entry->live
               ? live_recorder_undo(entry->live, &undone, err)
               : err_set(err, ERR_NOT_FOUND,
                         "the phone is not being recorded: delete the step");
    if (entry)
        pthread_mutex_unlock(&entry->use);
    if (!done)
        return false;
    json_add_int(work->answer, "step", undone.step);
    json_add_bool(work->answer, "restored", undone.restored);
    json_add_string(work->answer, "warning", undone.warning);
    return true;
}

/* The page that has recorded drives the phone as before. */
static void give_to_person(struct serve *serve, struct serve_recording *entry)
{
    struct served_phone *phone;

    pthread_mutex_lock(&serve->lock);
    phone = entry->phone;
    if (phone) {
        phone->recording = NULL;
        entry->phone = NULL;
        entry->begun = false;
        if (phone->view && phone->driver) {
            phone->epoch = control_lease_take(phone_view_lease(phone->view),
                                              CONTROL_PERSON);
            phone_view_note_control(phone->view);
        }
        phone->idle_since_ns = clock_ns();
        phone->changed = true;
    }
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
}

void serve_record_end_failed(struct serve_recording *entry)
{
    struct err ignored; /* the pages have got the first failure */

    (void)!serve_record_end_live(entry, false, &ignored);
    give_to_person(entry->record->serve, entry);
}

static bool stop(const struct work *work, struct err *err)
{
    bool done;

    if (!work->entry)
        return err_set(err, ERR_NOT_FOUND, "%s is not being recorded",
                       work->request->recording);
    done = serve_record_end_live(work->entry, true, err);
    give_to_person(work->record->serve, work->entry);
    return done;
}

/* ---- looking ---- */

static void add_recording(const struct serve_record *record, const char *name,
                          struct cJSON *array)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct recording recording;
    struct err err;
    struct cJSON *entry = json_add_object(array, NULL);
    size_t steps = 0, stars = 0;

    json_add_string(entry, "recording", name);
    serve_record_folder(record, name, &folder);
    if (recording_load(buf_cstr(&folder), &recording, &err)) {
        for (size_t i = 0; i < recording.count; i++) {
            steps += recording_step_counts(&recording.steps[i]);
            stars += recording_step_counts(&recording.steps[i]) &&
                     recording.steps[i].starred;
        }
        json_add_int(entry, "steps", (int64_t)steps);
        json_add_int(entry, "stars", (int64_t)stars);
        json_add_bool(entry, "finished",
                      recording.trajectory.ending != ENDING_NONE);
        json_add_int(entry, "started", recording.trajectory.head.started_ms);
        json_add_opt_string(entry, "app", recording.trajectory.head.app);
        if (recording.count && recording.steps[0].step->screen.file[0]) {
            struct buf url = BUF_INIT(256);

            buf_printf(&url, "recording/%s/%s", name,
                       recording.steps[0].step->screen.file);
            json_add_string(entry, "picture", buf_cstr(&url));
            buf_release(&url);
        }
        recording_release(&recording);
    } else {
        json_add_string(entry, "trouble", err.text);
    }
    buf_release(&folder);
}

static bool list(const struct work *work, struct err *err)
{
    struct text_list names = {.count = 0};
    struct cJSON *array;

    if (!recording_list(work->record->folder, &names, err))
        return false;
    array = json_add_array(work->answer, "recordings");
    for (size_t i = 0; i < names.count; i++)
        add_recording(work->record, names.items[i], array);
    text_list_release(&names);
    return true;
}

static bool follow(const struct work *work, struct err *err)
{
    if (!work->entry && !recording_is_one(work->folder))
        return err_set(err, ERR_NOT_FOUND, "there is no recording %s",
                       work->request->recording);
    serve_record_follow(work->record, work->job->client,
                        work->request->recording);
    return true;
}

/* ---- all of them ---- */

typedef bool work_fn(const struct work *work, struct err *err);

static work_fn *const workers[SERVE_VERBS] = {
    [SERVE_RECORD] = begin,
    [SERVE_RECORDINGS] = list,
    [SERVE_RECORDING] = follow,
    [SERVE_RECORD_STOP] = stop,
    [SERVE_RECORD_UNDO] = undo,
    [SERVE_RECORD_STAR] = star,
    [SERVE_RECORD_NOTE] = note,
    [SERVE_RECORD_DELETE] = delete_step,
    [SERVE_RECORD_EVIDENCE] = mark_evidence,
    [SERVE_RECORD_WAIT] = wait_for,
    [SERVE_RECORD_ANSWER] = mark_answer,
    [SERVE_RECORD_TRIM] = trim,
    [SERVE_RECORD_RENAME] = rename_it,
    [SERVE_RECORD_BLUR] = blur,
    [SERVE_RECORD_SPLIT] = split,
    [SERVE_RECORD_FORM] = fill_form,
    [SERVE_RECORD_SAVE] = save_task,
    [SERVE_RECORD_TWINS] = carry_twins_out,
    [SERVE_RECORD_RETAKE] = retake,
};

/* The entry of a name, held; NULL: there is none. */
static struct serve_recording *hold(struct serve_record *record,
                                    const char *name)
{
    struct serve_recording *entry;

    pthread_mutex_lock(&record->serve->lock);
    for (entry = record->recordings; entry; entry = entry->next) {
        if (!strcmp(entry->name, name)) {
            entry->uses++;
            break;
        }
    }
    pthread_mutex_unlock(&record->serve->lock);
    return entry;
}

static void release_entry(struct serve_record *record,
                          struct serve_recording *entry)
{
    if (!entry)
        return;
    entry->changed = true;
    pthread_mutex_lock(&record->serve->lock);
    entry->uses--;
    pthread_mutex_unlock(&record->serve->lock);
}

void serve_record_do(struct serve_record *record, struct record_job *job)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct err err = ERR_INIT;
    bool later = false;
    struct work work = {
        .record = record,
        .job = job,
        .request = &job->request,
        .answer = json_new_object(),
        .later = &later,
    };
    bool done;

    serve_record_folder(record, job->request.recording, &folder);
    work.folder = buf_cstr(&folder);
    work.entry = hold(record, job->request.recording);
    done = workers[job->verb](&work, &err);
    if (done && !later)
        serve_answer(record->serve, job->client, job->id, work.answer);
    else
        cJSON_Delete(work.answer);
    if (!done)
        serve_answer_error(record->serve, job->client, job->id, &err);
    release_entry(record, work.entry);
    buf_release(&folder);
    record_request_release(&job->request);
    free(job);
}
