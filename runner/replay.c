#include "runner/replay.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/png.h"
#include "process_provider/stitch.h"
#include "runner/gold_recorded.h"

#define FILE_MAX ((size_t)64 << 20)
#define FIND_MS 5000 /* on the phone's clock */
#define LOOKS_MAX 4  /* for the screen that is expected */
#define LOOK_MS 1000 /* between them */

struct replay {
    struct session *session;
    const struct trajectory *recorded;
    struct picture *picture;
    struct replay_end *end;
    struct observation seen;
};

/* ---- what was recorded ---- */

/* False: there is none, or it cannot be read. */
static bool load_tree(const struct replay *replay, size_t step,
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

static bool load_screen(const struct replay *replay, size_t step,
                        struct picture *picture, struct err *err)
{
    const struct trajectory *recorded = replay->recorded;
    struct buf png = BUF_INIT(FILE_MAX);
    bool done;

    done = (recorded->steps[step].screen.file[0] ||
            err_set(err, ERR_NOT_FOUND, "no screen was recorded")) &&
           trajectory_read_file(recorded, &recorded->steps[step].screen, &png,
                                err) &&
           png_decode(buf_cstr(&png), png.length, picture, err);
    buf_release(&png);
    return done;
}

/* Is the step one that did something to the phone? */
static bool is_done(const struct trajectory_step *step)
{
    enum action_kind kind = step->action.kind;

    return step->acted && !step->blocked && kind != ACTION_ASK &&
           kind != ACTION_ANSWER && kind != ACTION_COMPLETE &&
           kind != ACTION_FAIL;
}

/* ---- stopping ---- */

/* Expected on the left, seen on the right; without it where that fails. */
static void draw(struct replay *replay, size_t step)
{
    struct picture expected = PICTURE_INIT;
    struct picture now = PICTURE_INIT;
    struct err ignored;

    replay->end->has_picture =
        replay->picture && step < replay->recorded->count &&
        load_screen(replay, step, &expected, &ignored) &&
        png_decode(buf_cstr(&replay->seen.png), replay->seen.png.length, &now,
                   &ignored) &&
        stitch(&expected, &now, NULL, replay->picture, &ignored);
    picture_release(&expected);
    picture_release(&now);
}

/* Stop at that step. screen is the recorded one that was expected. */
static void stop(struct replay *replay, size_t step, size_t screen,
                 const char *why)
{
    replay->end->step = (int)step;
    snprintf(replay->end->why, sizeof(replay->end->why), "%s", why);
    draw(replay, screen);
}

/* ---- one step ---- */

/* A place on the screen that was recorded, on the one there is. */
static struct action_point scale(const struct replay *replay,
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

/*
 * Where the target of a step is now. What was touched that is in no tree is
 * taken where it was. *there is false, and err says why, when it is gone.
 */
static bool locate(struct replay *replay, size_t step, bool *there,
                   struct action_point *at, struct err *err)
{
    const struct action *action = &replay->recorded->steps[step].action;
    struct selector selector = {.nth = 0};
    struct found found;

    *there = true;
    *at = scale(replay, action->from);
    if (!gold_recorded_clues(replay->recorded, step, &selector))
        return true;
    *there = session_find(replay->session, &selector, FIND_MS, &replay->seen,
                          &found, err);
    if (*there)
        *at = found.at;
    selector_release(&selector);
    return *there || err->code == ERR_NOT_FOUND || err->code == ERR_INVALID;
}

/* The same deed on the screen as it is. False: *stopped, or it failed. */
static bool do_step(struct replay *replay, size_t step, bool *stopped,
                    struct err *err)
{
    struct action action = replay->recorded->steps[step].action;
    struct action_point from = action.from;
    char doubt[SESSION_DOUBT_MAX];
    bool there = true;

    if (gold_recorded_has_target(&action) &&
        !locate(replay, step, &there, &action.from, err))
        return false;
    if (!there) {
        *stopped = true;
        stop(replay, step, step, err->text);
        return true;
    }
    if (!gold_recorded_has_target(&action) && action.has_from)
        action.from = scale(replay, action.from);
    if (action.has_to) {
        struct action_point way = {action.to.x - from.x, action.to.y - from.y};

        way = scale(replay, way);
        action.to =
            (struct action_point){action.from.x + way.x, action.from.y + way.y};
    }
    if (session_act(replay->session, &action, &replay->seen, doubt, err))
        return true;
    if (err->code != ERR_INVALID)
        return false;
    *stopped = true;
    stop(replay, step, step, err->text);
    return true;
}

/* ---- where it led ---- */

/* Look until the screen is the recorded one, or it is no use any more. */
static bool compare(struct replay *replay, size_t step, bool *stopped,
                    struct err *err)
{
    const struct action wait = {.kind = ACTION_WAIT, .milliseconds = LOOK_MS};
    struct tree expected = TREE_INIT;
    char doubt[SESSION_DOUBT_MAX];
    double like = 1;
    bool done = true;

    if (!load_tree(replay, step + 1, &expected)) {
        tree_release(&expected); /* nobody knows what it should be */
        return session_see(replay->session, &replay->seen, err);
    }
    for (int look = 0; done && look < LOOKS_MAX; look++) {
        done = (!look || session_act(replay->session, &wait, &replay->seen,
                                     doubt, err)) &&
               session_see(replay->session, &replay->seen, err);
        like = done && replay->seen.has_tree
                   ? find_similarity(&expected, &replay->seen.tree)
                   : 0;
        if (like >= REPLAY_ALIKE)
            break;
    }
    tree_release(&expected);
    if (like < replay->end->like)
        replay->end->like = like;
    if (done && like < REPLAY_ALIKE) {
        char why[128];

        snprintf(why, sizeof(why),
                 "the screen is another: %.0f %% of it is as recorded",
                 like * 100);
        *stopped = true;
        stop(replay, step, step + 1, why);
    }
    return done;
}

/* ---- all ---- */

static bool play(struct replay *replay, struct err *err)
{
    const struct trajectory *recorded = replay->recorded;
    struct replay_end *end = replay->end;
    bool stopped = false;

    for (size_t i = 0; i < recorded->count; i++)
        end->all += is_done(&recorded->steps[i]);
    if (!session_see(replay->session, &replay->seen, err))
        return false;
    for (size_t i = 0; i < recorded->count && !stopped; i++) {
        if (!is_done(&recorded->steps[i]))
            continue;
        if (!do_step(replay, i, &stopped, err) ||
            (!stopped && !compare(replay, i, &stopped, err)))
            return err_wrap(err, "step %zu", i);
        end->steps += !stopped;
    }
    end->done = !stopped;
    return true;
}

bool replay_play(struct session *session, const struct trajectory *recorded,
                 struct picture *picture, struct replay_end *end,
                 struct err *err)
{
    struct replay replay = {.session = session,
                            .recorded = recorded,
                            .picture = picture,
                            .end = end};
    bool done;

    *end = (struct replay_end){.step = -1, .like = 1};
    observation_init(&replay.seen);
    done = play(&replay, err);
    observation_release(&replay.seen);
    return done;
}
