#include "runner/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/png.h"
#include "process_provider/describe/tap_target.h"
#include "process_provider/pictures/stitch_screens.h"
#include "runner/agents/gold_recorded.h"
#include "runner/replay/replay_private.h"
#include "runner/session/typed_check.h"

#define FILE_MAX ((size_t)64 << 20)
#define LOOK_MS 1000 /* between observations */

const char *replay_stop_name(enum replay_stop stop)
{
    static const char *const names[REPLAY_STOPS] = {
        [REPLAY_STOP_NONE] = "none",     [REPLAY_STOP_TARGET] = "target",
        [REPLAY_STOP_SCREEN] = "screen", [REPLAY_STOP_STATE] = "state",
        [REPLAY_STOP_TEXT] = "text",     [REPLAY_STOP_PHONE] = "phone",
    };

    return names[stop];
}

void replay_end_release(struct replay_end *end)
{
    free(end->log);
    free(end->answer);
    *end = (struct replay_end){.step = -1};
}

/* ---- the recording ---- */

bool replay_load_tree(const struct replay *replay, size_t step,
                      struct tree *tree)
{
    const struct trajectory *recorded = replay->recorded;
    struct buf xml = BUF_INIT(FILE_MAX);
    struct err ignored;
    bool done;

    done = step < recorded->count && recorded->steps[step].tree.file[0] &&
           trajectory_read_file(recorded, &recorded->steps[step].tree, &xml,
                                &ignored) &&
           tree_read(tree, buf_cstr(&xml), xml.length, &ignored);
    buf_release(&xml);
    return done;
}

bool replay_load_screen(const struct replay *replay, size_t step,
                        struct picture *picture)
{
    const struct trajectory *recorded = replay->recorded;
    struct buf png = BUF_INIT(FILE_MAX);
    struct err ignored;
    bool done;

    done = step < recorded->count && recorded->steps[step].screen.file[0] &&
           trajectory_read_file(recorded, &recorded->steps[step].screen, &png,
                                &ignored) &&
           png_decode(buf_cstr(&png), png.length, picture, &ignored);
    buf_release(&png);
    return done;
}

static bool is_left_out(const struct replay *replay, size_t i)
{
    return replay->options->edits && replay->options->edits[i].left_out;
}

/* Is the step an action on the phone that is repeated? */
static bool is_done(const struct replay *replay, size_t i)
{
    const struct trajectory_step *step = &replay->recorded->steps[i];
    enum action_kind kind = step->action.kind;

    return step->acted && !step->blocked && kind != ACTION_ASK &&
           kind != ACTION_ANSWER && kind != ACTION_COMPLETE &&
           kind != ACTION_FAIL && !is_left_out(replay, i);
}

/* ---- stopping ---- */

/*
 * Draw the expected screen on the left, the actual one on the right. Failures
 * are ignored.
 */
static void draw(struct replay *replay, size_t step)
{
    struct picture expected = PICTURE_INIT;
    struct picture now = PICTURE_INIT;
    struct masked_screen screen;
    struct err ignored;

    if (!replay->options->picture)
        return;
    replay->end->has_picture =
        masked_screen_make(&screen, &replay->secrets, &replay->seen,
                           &ignored) &&
        replay_load_screen(replay, step, &expected) &&
        png_decode(buf_cstr(&screen.png), screen.png.length, &now, &ignored) &&
        stitch_screens(&expected, &now, NULL, replay->options->picture,
                       &ignored);
    picture_release(&expected);
    picture_release(&now);
    masked_screen_release(&screen);
}

void replay_stop_at(struct replay *replay, size_t step, size_t screen,
                    enum replay_stop stop, const char *why)
{
    replay->stopped = true;
    replay->end->stop = stop;
    replay->end->step = (int)step;
    snprintf(replay->end->why, sizeof(replay->end->why), "%s", why);
    draw(replay, screen);
}

/* ---- the phone ---- */

bool replay_observe(struct replay *replay, struct err *err)
{
    return device_session_observe(replay->session, &replay->seen, err) &&
           popup_handlers_dismiss(replay->options->popups, replay->session,
                                  &replay->seen, &replay->end->popups, err);
}

bool replay_wait(struct replay *replay, struct err *err)
{
    const struct action wait = {.kind = ACTION_WAIT, .milliseconds = LOOK_MS};
    char doubt[DEVICE_SESSION_DOUBT_MAX];

    return device_session_perform(replay->session, &wait, &replay->seen, doubt,
                                  err) &&
           replay_observe(replay, err);
}

static bool record_screen(struct replay *replay, struct err *err)
{
    struct trajectory_observation observation = {
        .package = replay->seen.package,
        .activity = replay->seen.activity,
    };
    struct masked_screen *screen = &replay->stored;

    if (!replay->options->writer)
        return true;
    masked_screen_release(screen);
    if (!masked_screen_make(screen, &replay->secrets, &replay->seen, err))
        return false;
    if (screen->png.length) {
        observation.screen = screen->png.data;
        observation.screen_size = screen->png.length;
    }
    if (screen->xml.length) {
        observation.tree = screen->xml.data;
        observation.tree_size = screen->xml.length;
    }
    return trajectory_write_observation(replay->options->writer, &observation,
                                        err);
}

static bool record_action(struct replay *replay, const struct action *action,
                          struct err *err)
{
    const struct masked_screen *seen = &replay->stored;
    struct node_selector selector = {.nth = 0};
    struct step_action made = {.actor = replay->actor, .action = action};
    struct tap_target target = {.node = TREE_NONE};
    bool done;

    if (!replay->options->writer)
        return true;
    if (gold_recorded_has_target(action) && seen->has_tree)
        target = tap_target_at(&seen->tree, action->from.x, action->from.y);
    if (target.node != TREE_NONE) {
        selector_build(&seen->tree, target.node, action->from, &selector);
        made.target = &selector;
    }
    done = trajectory_write_action(replay->options->writer, &made, err);
    node_selector_release(&selector);
    return done;
}

/* An answer, or that the task is done: nothing to do on the phone. */
static bool record_word(struct replay *replay, size_t step, struct err *err)
{
    const struct trajectory_step *was = &replay->recorded->steps[step];
    struct action action = was->action;
    char *text;
    bool done;

    if (!replay->options->writer || !was->acted || was->blocked)
        return true;
    text = action.text
               ? carried_texts_apply(replay->options->texts, action.text)
               : NULL;
    if (text)
        action.text = text;
    done = record_screen(replay, err) && record_action(replay, &action, err);
    free(text);
    return done;
}

bool replay_perform(struct replay *replay, const struct action *action,
                    struct err *err)
{
    char doubt[DEVICE_SESSION_DOUBT_MAX];

    return record_screen(replay, err) &&
           device_session_perform(replay->session, action, &replay->seen, doubt,
                                  err) &&
           record_action(replay, action, err);
}

struct action_point replay_scale(const struct replay *replay,
                                 struct action_point point)
{
    const struct trajectory_head *head = &replay->recorded->head;
    struct extent screen = replay->seen.screen;

    if (head->width > 0 && head->height > 0) {
        point.x = (int)((int64_t)point.x * screen.width / head->width);
        point.y = (int)((int64_t)point.y * screen.height / head->height);
    }
    return point;
}

/* ---- one step ---- */

static bool is_scroll(const struct action *action)
{
    return action->kind == ACTION_SCROLL || action->kind == ACTION_SWIPE;
}

/* A scroll is not necessary where the next target is shown already. */
static bool is_needless(const struct replay *replay, size_t step)
{
    const struct trajectory *recorded = replay->recorded;

    if (!is_scroll(&recorded->steps[step].action))
        return false;
    while (step < recorded->count &&
           (!is_done(replay, step) || is_scroll(&recorded->steps[step].action)))
        step++;
    return step < recorded->count && replay_shows_target(replay, step);
}

static void scale_gesture(const struct replay *replay, size_t step,
                          struct action *action)
{
    struct action_point from = replay->recorded->steps[step].action.from;
    struct action_point way = {action->to.x - from.x, action->to.y - from.y};

    if (!gold_recorded_has_target(action) && action->has_from)
        action->from = replay_scale(replay, action->from);
    if (!action->has_to)
        return;
    way = replay_scale(replay, way);
    action->to =
        (struct action_point){action->from.x + way.x, action->from.y + way.y};
}

/* Perform the step on the current screen, unless it stops. */
static bool do_step(struct replay *replay, size_t step, struct action *action,
                    struct replay_step *log, struct err *err)
{
    log->has_target = gold_recorded_has_target(action);
    if (log->has_target && !replay_find(replay, step, &action->from, log, err))
        return false;
    if (replay->stopped)
        return true;
    scale_gesture(replay, step, action);
    if (replay_perform(replay, action, err))
        return true;
    if (err->code != ERR_INVALID)
        return false;
    replay_stop_at(replay, step, step, REPLAY_STOP_PHONE, err->text);
    return true;
}

/* Stop if a typed text did not arrive. */
static void check_typed(struct replay *replay, size_t step,
                        struct typed_check *typed)
{
    char why[TYPED_CHECK_WHY_MAX];

    if (!replay->stopped && typed_check_end(typed, &replay->seen, why))
        replay_stop_at(replay, step, step + 1, REPLAY_STOP_TEXT, why);
}

static bool play_step(struct replay *replay, size_t step,
                      struct replay_step *log, struct err *err)
{
    struct action action = replay->recorded->steps[step].action;
    struct typed_check typed = {.due = false};
    char *text = action.text
                     ? carried_texts_apply(replay->options->texts, action.text)
                     : NULL;
    bool done;

    if (text)
        action.text = text;
    done = do_step(replay, step, &action, log, err);
    if (done && !replay->stopped) {
        typed_check_begin(&typed, &action, &replay->seen);
        done = replay_compare(replay, step + 1, &action, log, err);
        if (done)
            check_typed(replay, step, &typed);
    }
    typed_check_release(&typed);
    free(text);
    return done;
}

static struct replay_step *add_log(struct replay_end *end, size_t step)
{
    struct replay_step *log;

    end->log = mem_resize(end->log, end->log_count + 1, sizeof(*end->log));
    log = &end->log[end->log_count++];
    *log = (struct replay_step){.step = (int)step, .similarity = -1};
    return log;
}

/* ---- the replay ---- */

static void keep_answer(struct replay *replay, const struct action *action)
{
    char *text;

    if (action->kind != ACTION_ANSWER || !action->text)
        return;
    text = carried_texts_apply(replay->options->texts, action->text);
    free(replay->end->answer);
    replay->end->answer = text ? text : mem_dup(action->text);
}

static bool play_steps(struct replay *replay, struct err *err)
{
    const struct trajectory *recorded = replay->recorded;
    struct replay_end *end = replay->end;

    for (size_t i = 0; i < recorded->count && !replay->stopped; i++) {
        struct replay_step log = {.step = (int)i, .similarity = -1};

        if (recorded->steps[i].acted)
            keep_answer(replay, &recorded->steps[i].action);
        replay->actor = recorded->steps[i].actor;
        if (!is_done(replay, i)) {
            if (!is_left_out(replay, i) && !record_word(replay, i, err))
                return false;
            continue;
        }
        log.skipped = is_needless(replay, i);
        if (log.skipped)
            snprintf(log.reason, sizeof(log.reason),
                     "the next target is shown without it");
        else if (!play_step(replay, i, &log, err))
            return err_wrap(err, "step %zu", i);
        *add_log(end, i) = log;
        end->steps += !replay->stopped;
    }
    return true;
}

/* Pop-ups that were recorded belong to the recording. */
static void expect_popups(const struct replay *replay)
{
    struct popup_handlers *popups = replay->options->popups;
    struct tree tree = TREE_INIT;

    if (!popups)
        return;
    popup_handlers_forget(popups);
    for (size_t i = 0; i < replay->recorded->count; i++) {
        if (replay_load_tree(replay, i, &tree))
            popup_handlers_expect(popups, &tree);
    }
    tree_release(&tree);
}

/* Fields that were password fields in the recording are so here, too. */
static void learn_secrets(struct replay *replay)
{
    struct tree tree = TREE_INIT;

    if (!replay->options->writer && !replay->options->picture)
        return;
    for (size_t i = 0; i < replay->recorded->count; i++) {
        if (replay_load_tree(replay, i, &tree))
            secret_fields_mask(&replay->secrets, &tree);
    }
    replay->secrets.on_screen = false;
    tree_release(&tree);
}

static bool play(struct replay *replay, struct err *err)
{
    for (size_t i = 0; i < replay->recorded->count; i++)
        replay->end->all += is_done(replay, i);
    expect_popups(replay);
    learn_secrets(replay);
    if (!replay_compare(replay, 0, NULL, NULL, err) ||
        !play_steps(replay, err) || !record_screen(replay, err))
        return false;
    replay->end->done = !replay->stopped;
    return true;
}

bool replay_play(const struct replay_options *options, struct replay_end *end,
                 struct err *err)
{
    const char *was = options->recorded->head.locale;
    struct replay replay = {.options = options,
                            .session = options->session,
                            .recorded = options->recorded,
                            .end = end,
                            .matcher.texts = options->texts};
    bool done;

    *end = (struct replay_end){.step = -1, .like = 1};
    observation_init(&replay.seen);
    replay.matcher.was = thesaurus_open(was);
    replay.matcher.is = thesaurus_open(options->locale ? options->locale : was);
    replay.matcher.other_language =
        was && options->locale && strncmp(was, options->locale, 2) != 0;
    done = play(&replay, err);
    if (!done)
        replay_end_release(end);
    thesaurus_close(replay.matcher.was);
    thesaurus_close(replay.matcher.is);
    observation_release(&replay.seen);
    masked_screen_release(&replay.stored);
    secret_fields_release(&replay.secrets);
    return done;
}
