/* Compares the current screen with the recorded one. */
#include <stdio.h>

#include "runner/replay/replay_private.h"

#define LOOKS_MAX 5 /* to wait for the expected screen */

/* Other contents: so few of the recorded texts and numbers are there. */
#define OTHER_TEXTS 0.3
#define OTHER_NUMBERS 0.5

/* Both screens of a comparison. */
struct expected {
    struct tree tree;
    struct tree before; /* the recorded screen before the step; or empty */
    bool has_tree;
    bool has_before;
};

static bool is_scroll(const struct action *action)
{
    return action &&
           (action->kind == ACTION_SCROLL || action->kind == ACTION_SWIPE);
}

/* A screen with the same structure may show something else. */
static bool has_other_contents(const struct screen_carry *carry)
{
    return carry->of[SCREEN_ANCHOR_TEXT] < OTHER_TEXTS &&
           carry->of[SCREEN_ANCHOR_NUMBERS] < OTHER_NUMBERS;
}

/* Compare once. why is "" if the screen is as recorded. */
static enum replay_stop judge(const struct replay *replay,
                              const struct expected *expected, double *like,
                              char why[REPLAY_WHY_MAX])
{
    struct screen_carry carry = {{0}};
    char state[SCREEN_MATCH_REASON_MAX] = "";

    *like = replay->seen.has_tree
                ? screen_match_similarity(&replay->matcher, &expected->tree,
                                          &replay->seen.tree, &carry)
                : 0;
    if (*like < SCREEN_MATCH_MIN_SIMILARITY) {
        snprintf(why, REPLAY_WHY_MAX,
                 "the screen is another: %.0f %% of it is as recorded",
                 *like * 100);
        return REPLAY_STOP_SCREEN;
    }
    if (has_other_contents(&carry)) {
        snprintf(why, REPLAY_WHY_MAX,
                 "the screen has other contents: %.0f %% of the texts and %.0f "
                 "%% of the numbers are as recorded",
                 carry.of[SCREEN_ANCHOR_TEXT] * 100,
                 carry.of[SCREEN_ANCHOR_NUMBERS] * 100);
        return REPLAY_STOP_SCREEN;
    }
    if (expected->has_before &&
        !screen_match_states(&replay->matcher, &expected->before,
                             &expected->tree, &replay->seen.tree, state)) {
        snprintf(why, REPLAY_WHY_MAX, "%s", state);
        return REPLAY_STOP_STATE;
    }
    return REPLAY_STOP_NONE;
}

static bool await(struct replay *replay, const struct expected *expected,
                  enum replay_stop *stop, double *like,
                  char why[REPLAY_WHY_MAX], struct err *err)
{
    for (int look = 0; look < LOOKS_MAX; look++) {
        if (!(look ? replay_wait(replay, err) : replay_observe(replay, err)))
            return false;
        *stop = judge(replay, expected, like, why);
        if (*stop == REPLAY_STOP_NONE)
            break;
    }
    return true;
}

bool replay_compare(struct replay *replay, size_t screen,
                    const struct action *done, struct replay_step *log,
                    struct err *err)
{
    struct expected expected = {.tree = TREE_INIT, .before = TREE_INIT};
    enum replay_stop stop = REPLAY_STOP_NONE;
    char why[REPLAY_WHY_MAX] = "";
    double like = 1;
    bool fine;

    if (!replay_await_mark(replay, screen, err))
        return false;
    if (replay->stopped)
        return true;
    expected.has_tree = replay_load_tree(replay, screen, &expected.tree);
    expected.has_before =
        done && replay_load_tree(replay, screen - 1, &expected.before);
    if (!expected.has_tree || is_scroll(done)) {
        /* nothing to compare; how far a scroll goes depends on the screen */
        fine = replay_observe(replay, err);
    } else {
        fine = await(replay, &expected, &stop, &like, why, err);
        if (log)
            log->similarity = like;
        if (like < replay->end->like)
            replay->end->like = like;
    }
    if (fine && stop != REPLAY_STOP_NONE)
        replay_stop_at(replay, screen ? screen - 1 : 0, screen, stop, why);
    tree_release(&expected.tree);
    tree_release(&expected.before);
    return fine;
}
