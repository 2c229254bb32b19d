#include "runner/recording/recorded_way.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "process_provider/text/phrase.h"
#include "runner/agents/gold_recorded.h"
#include "runner/recording/target_bundle.h"
#include "tasks/task/action_set.h"

#define FILE_BYTES_MAX ((size_t)64 << 20)

/* ---- one step ---- */

static struct node_selector *copy_selector(const struct node_selector *selector)
{
    struct cJSON *tree = node_selector_to_json(selector);
    const struct json root = JSON_ROOT(tree);
    struct node_selector *copy = mem_new(1, sizeof(*copy));
    struct err ignored;

    if (!node_selector_from_json(&root, copy, &ignored)) {
        free(copy);
        copy = NULL;
    }
    cJSON_Delete(tree);
    return copy;
}

/* A place of the screen, where there is no element. */
static struct node_selector *point_selector(struct action_point point)
{
    const struct node_selector place = {.has_point = true,
                                        .point = point,
                                        .relative_x = 0.5,
                                        .relative_y = 0.5};

    return copy_selector(&place);
}

/* The bundle of the recording, or one built from its tree; NULL: none. */
static struct node_selector *target_of(const struct recording *recording,
                                       size_t step)
{
    const struct recording_step *one = &recording->steps[step];
    struct node_selector *made;

    if (!gold_recorded_has_target(&one->step->action))
        return NULL;
    if (one->target)
        return copy_selector(one->target);
    made = mem_new(1, sizeof(*made));
    if (gold_recorded_selector(&recording->trajectory, step, made))
        return made;
    free(made);
    return NULL;
}

#define WITH_TEXT                                                              \
    (ACTION_BIT(ACTION_TYPE) | ACTION_BIT(ACTION_KEY) |                        \
     ACTION_BIT(ACTION_OPEN_APP) | ACTION_BIT(ACTION_ANSWER))

/* Can a task's gold have this action? Some are only recorded. */
static bool is_of_gold(const struct action *action)
{
    uint32_t bit = ACTION_BIT(action->kind);

    return (bit & ACTION_SET_DEFAULT) &&
           (!(bit & WITH_TEXT) || (action->text && action->text[0]));
}

static void drop_selector(struct node_selector *selector)
{
    if (selector)
        node_selector_release(selector);
    free(selector);
}

bool recorded_way_add_step(const struct action *action,
                           struct node_selector *target, struct task_gold *gold)
{
    bool has_text = (ACTION_BIT(action->kind) & WITH_TEXT) != 0;
    struct task_gold_step *made;

    if (!is_of_gold(action)) {
        drop_selector(target);
        return false;
    }
    if (!target && action->has_from)
        target = point_selector(action->from);
    gold->steps =
        mem_resize(gold->steps, gold->count + 1, sizeof(*gold->steps));
    made = &gold->steps[gold->count++];
    *made = (struct task_gold_step){
        .action = *action,
        .target = target,
        .to = action->has_to ? point_selector(action->to) : NULL,
    };
    made->action.text = has_text && action->text ? mem_dup(action->text) : NULL;
    return true;
}

static void add_gold_step(const struct recording *recording, size_t step,
                          struct recorded_way *way)
{
    const struct recording_step *one = &recording->steps[step];

    if (!recorded_way_add_step(&one->step->action, target_of(recording, step),
                               &way->gold)) {
        way->left_out++;
        return;
    }
    way->gold.steps[way->gold.count - 1].key_step = one->starred;
    way->secrets += one->step->action.secret;
}

static void add_evidence(const struct recording_step *step,
                         struct recorded_way *way)
{
    for (size_t i = 0; i < step->evidence_count; i++) {
        const struct node_selector *node = step->evidence[i];
        struct recorded_evidence *made;
        const char *text = node->text.count ? node->text.items[0]
                           : node->description.count
                               ? node->description.items[0]
                               : NULL;
        const char *id = node->id.count ? node->id.items[0] : NULL;

        if (!text && !id)
            continue;
        way->evidence = mem_resize(way->evidence, way->evidence_count + 1,
                                   sizeof(*way->evidence));
        made = &way->evidence[way->evidence_count++];
        made->text = text ? mem_dup(text) : NULL;
        made->id = id ? mem_dup(id) : NULL;
    }
}

/* ---- the ending ---- */

static bool ends(const struct action *action)
{
    return action->kind == ACTION_COMPLETE || action->kind == ACTION_ANSWER;
}

/* The last step is only a screen, or there is none after the last action. */
static struct trajectory_step *last_screen(struct trajectory *trajectory)
{
    size_t count = trajectory->count;

    if (!count || trajectory->steps[count - 1].acted) {
        trajectory->steps = mem_resize(trajectory->steps, count + 1,
                                       sizeof(*trajectory->steps));
        trajectory->steps[count] = (struct trajectory_step){.seen = false};
        trajectory->count++;
    }
    return &trajectory->steps[trajectory->count - 1];
}

static void add_ending(struct recorded_way *way, const char *answer)
{
    struct trajectory *trajectory = &way->trajectory;
    struct task_gold *gold = &way->gold;
    const struct action ending = {.kind =
                                      answer ? ACTION_ANSWER : ACTION_COMPLETE};
    bool ended = gold->count && ends(&gold->steps[gold->count - 1].action);
    struct trajectory_step *last;

    trajectory->ending = ENDING_COMPLETE;
    if (ended) {
        if (gold->steps[gold->count - 1].action.kind == ACTION_ANSWER)
            trajectory->ending = ENDING_ANSWER;
        return;
    }
    last = last_screen(trajectory);
    last->acted = true;
    last->actor = ACTOR_HUMAN;
    last->action = ending;
    gold->steps =
        mem_resize(gold->steps, gold->count + 1, sizeof(*gold->steps));
    gold->steps[gold->count] =
        (struct task_gold_step){.action = ending, .key_step = answer != NULL};
    if (answer) {
        last->action.text = mem_dup(answer);
        gold->steps[gold->count].action.text = mem_dup(answer);
        trajectory->ending = ENDING_ANSWER;
    }
    gold->count++;
}

/* ---- the whole ---- */

void recorded_way_release(struct recorded_way *way)
{
    trajectory_release(&way->trajectory);
    task_gold_release(&way->gold);
    for (size_t i = 0; i < way->evidence_count; i++) {
        free(way->evidence[i].text);
        free(way->evidence[i].id);
    }
    free(way->evidence);
    *way = (struct recorded_way){.secrets = 0};
}

/*
 * The place after the last step of the way, whose screen is the one at the end;
 * what was done there is not part of the way. The count: there is none.
 */
static size_t find_end(const struct recording *recording)
{
    size_t end = recording->count;

    while (end > 0 && !recording_step_counts(&recording->steps[end - 1]))
        end--;
    return end;
}

/* The answer that was marked on a screen of the way; NULL: none. It stays when
   the step that followed was an accident. */
static const char *marked_answer(const struct recording *recording)
{
    size_t end = find_end(recording);

    for (size_t i = 0; i < recording->count; i++) {
        const struct recording_step *step = &recording->steps[i];

        if (step->answer && (!step->trimmed || i == end))
            return step->answer;
    }
    return NULL;
}

/* ---- the beginning ---- */

static bool is_launcher(const struct trajectory_step *step)
{
    struct phrase app;

    return step->package && phrase_of_package(step->package, &app) &&
           !strcmp(app.text, PHRASE_HOME);
}

/* The first step that counts from there on. */
static size_t next_step(const struct recording *recording, size_t step)
{
    while (step < recording->count &&
           !recording_step_counts(&recording->steps[step]))
        step++;
    return step;
}

static bool is_marked(const struct recording_step *step)
{
    return step->starred || step->evidence_count || step->wait_for ||
           step->answer;
}

/*
 * A run starts the app of the task, and so does a replay: what a person did on
 * the home screen to open it is not part of the way, unless it was marked.
 */
static void leave_out_opening(struct recording *recording)
{
    struct trajectory_head *head = &recording->trajectory.head;
    size_t opened = next_step(recording, 0);
    const char *app;

    while (opened < recording->count &&
           is_launcher(recording->steps[opened].step)) {
        if (is_marked(&recording->steps[opened]))
            return;
        opened = next_step(recording, opened + 1);
    }
    if (opened == recording->count)
        return;
    app = recording->steps[opened].step->package;
    if (!app || !app[0] || (head->app && strcmp(head->app, app) != 0))
        return;
    for (size_t i = 0; i < opened; i++)
        recording->steps[i].trimmed = true;
    if (!head->app)
        head->app = mem_dup(app);
}

/* The screen of a step without its action, which stays. */
static struct trajectory_step take_screen(struct trajectory_step *step)
{
    const struct trajectory_step screen = {
        .seen = true,
        .screen = step->screen,
        .tree = step->tree,
        .package = step->package,
        .activity = step->activity,
        .doubt = step->doubt,
        .seen_ms = step->seen_ms,
        .settle_ms = step->settle_ms,
    };

    step->package = step->activity = step->doubt = NULL;
    return screen;
}

/* Drop the facts of the end: they are of the recording's end, not the way's. */
static void drop_end_facts(struct trajectory *trajectory)
{
    size_t kept = 0;

    for (size_t i = 0; i < trajectory->evidence_count; i++) {
        struct trajectory_fact *fact = &trajectory->evidence[i];

        if (fact->before) {
            trajectory->evidence[kept++] = *fact;
        } else {
            free(fact->name);
            free(fact->value);
        }
    }
    trajectory->evidence_count = kept;
}

/* A target that was edited takes the place of the recorded one. */
static void retarget(const struct recording_step *edited,
                     struct trajectory_step *step)
{
    if (!edited->target || edited->target == step->target)
        return;
    drop_selector(step->target);
    step->target = copy_selector(edited->target);
}

/* The steps are moved from the recording, which then holds the others. */
static void take_steps(struct recording *recording, struct recorded_way *way)
{
    struct trajectory *from = &recording->trajectory;
    struct trajectory_step *steps =
        mem_new(from->count + 1, sizeof(*way->trajectory.steps));
    size_t end = find_end(recording);
    size_t kept = 0;
    size_t others = 0;

    for (size_t i = 0; i < from->count; i++) {
        if (recording_step_counts(&recording->steps[i])) {
            retarget(&recording->steps[i], &from->steps[i]);
            steps[kept++] = from->steps[i];
            continue;
        }
        if (i == end && from->steps[i].seen)
            steps[kept++] = take_screen(&from->steps[i]);
        if (i == end && from->steps[i].acted)
            drop_end_facts(from);
        from->steps[others++] = from->steps[i];
    }
    way->trajectory = *from;
    way->trajectory.steps = steps;
    way->trajectory.count = kept;
    *from = (struct trajectory){.steps = from->steps, .count = others};
}

static bool build(struct recording *recording, struct recorded_way *way,
                  struct err *err)
{
    size_t end = find_end(recording);

    for (size_t i = 0; i < recording->count; i++) {
        bool counts = recording_step_counts(&recording->steps[i]);

        if (counts || i == end)
            add_evidence(&recording->steps[i], way);
        if (!counts)
            continue;
        if (way->gold.count + 1 >= TASK_GOLD_STEPS_MAX)
            return err_set(err, ERR_INVALID, "more than %d steps",
                           TASK_GOLD_STEPS_MAX);
        add_gold_step(recording, i, way);
    }
    return way->gold.count > 0 || err_set(err, ERR_INVALID, "it has no steps");
}

bool recorded_way_load(const char *folder, const char *answer,
                       struct recorded_way *way, struct err *err)
{
    struct recorded_way made = {.secrets = 0};
    struct recording recording;
    bool done;

    if (!recording_load(folder, &recording, err))
        return err_wrap(err, "%s", folder);
    leave_out_opening(&recording);
    done = build(&recording, &made, err);
    if (done) {
        if (!answer)
            answer = marked_answer(&recording);
        take_steps(&recording, &made);
        add_ending(&made, answer && *answer ? answer : NULL);
        *way = made;
    } else {
        recorded_way_release(&made);
    }
    recording_release(&recording);
    return done || err_wrap(err, "%s", folder);
}

/* ---- saving ---- */

static bool read_file(const struct recorded_way *way,
                      const struct trajectory_file *file, struct buf *content,
                      struct err *err)
{
    return !file->file[0] ||
           trajectory_read_file(&way->trajectory, file, content, err);
}

static bool write_step(const struct recorded_way *way,
                       const struct trajectory_step *step,
                       struct trajectory_writer *writer, struct err *err)
{
    struct buf screen = BUF_INIT(FILE_BYTES_MAX);
    struct buf tree = BUF_INIT(FILE_BYTES_MAX);
    bool done = read_file(way, &step->screen, &screen, err) &&
                read_file(way, &step->tree, &tree, err);
    const struct trajectory_observation observation = {
        .screen = screen.length ? screen.data : NULL,
        .screen_size = screen.length,
        .tree = tree.length ? tree.data : NULL,
        .tree_size = tree.length,
        .package = step->package,
        .activity = step->activity,
        .doubt = step->doubt,
        .at_ms = step->seen_ms,
        .settle_ms = step->settle_ms,
    };
    const struct step_action action = {
        .actor = step->actor,
        .action = &step->action,
        .doubt = step->action_doubt,
        .target = step->target,
        .at_ms = step->acted_ms,
    };

    done = done &&
           (!step->seen ||
            trajectory_write_observation(writer, &observation, err)) &&
           (!step->acted || trajectory_write_action(writer, &action, err));
    buf_release(&screen);
    buf_release(&tree);
    return done;
}

static bool write_steps(const struct recorded_way *way, const char *folder,
                        struct trajectory_writer *writer, struct err *err)
{
    const struct trajectory *trajectory = &way->trajectory;

    for (size_t i = 0; i < trajectory->count; i++) {
        const struct node_selector *target = trajectory->steps[i].target;

        if (!write_step(way, &trajectory->steps[i], writer, err) ||
            (target && target->crop &&
             !target_bundle_copy_crop(trajectory->folder, target->crop, folder,
                                      target->crop, err)))
            return false;
    }
    return trajectory_end(writer, trajectory->ending, NULL,
                          trajectory->ended_ms, err);
}

bool recorded_way_save(const struct recorded_way *way, const struct task *task,
                       const char *folder, struct err *err)
{
    const char *instruction =
        bilingual_text_in(&task->instruction, way->trajectory.head.locale);
    struct trajectory_head head = way->trajectory.head;
    struct trajectory_writer *writer;
    bool done;

    /* The writer copies what it needs. */
    head.task = task->id;
    head.instruction = mem_dup(instruction ? instruction : "");

    done = trajectory_create(folder, &head, &writer, err);
    free(head.instruction);
    if (!done)
        return false;
    done = write_steps(way, folder, writer, err);
    trajectory_close(writer);
    return done || err_wrap(err, "%s", folder);
}
