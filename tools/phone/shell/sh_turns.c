#include "tools/phone/shell/sh_turns.h"

#include <assert.h>
#include <stddef.h>

/* ---- with the lock held ---- */

static struct sh_turn *find_from(struct sh_turn *turn, enum sh_turn_state state)
{
    while (turn && turn->state != state)
        turn = turn->next;
    return turn;
}

/* The next one in that state behind the one that ran, in a circle. */
static struct sh_turn *find(const struct sh_turns *turns,
                            enum sh_turn_state state)
{
    struct sh_turn *found = find_from(turns->running->next, state);

    return found ? found : find_from(turns->first, state);
}

/* The running one has just stopped running: choose the next. */
static void pass_on(struct sh_turns *turns)
{
    struct sh_turn *next = find(turns, SH_TURN_READY);

    if (!next)
        next = find(turns, SH_TURN_BACK);
    turns->running = next;
    if (next)
        pthread_cond_signal(&next->called);
}

static void await_turn(struct sh_turns *turns, struct sh_turn *turn)
{
    while (turns->running != turn)
        pthread_cond_wait(&turn->called, &turns->lock);
    turn->state = SH_TURN_READY;
}

static void wake(struct sh_turns *turns, const void *thing)
{
    for (struct sh_turn *at = turns->first; at; at = at->next) {
        if (at->state == SH_TURN_WAITING && (!thing || at->awaited == thing))
            at->state = SH_TURN_READY;
    }
}

/* ---- functions that take the lock ---- */

void sh_turns_init(struct sh_turns *turns, struct sh_turn *first)
{
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&first->called, NULL);
    first->state = SH_TURN_READY;
    first->next = NULL;
    turns->first = first;
    turns->running = first;
}

void sh_turns_release(struct sh_turns *turns, struct sh_turn *first)
{
    assert(turns->first == first && !first->next);
    pthread_cond_destroy(&first->called);
    pthread_mutex_destroy(&turns->lock);
}

void sh_turns_list(struct sh_turns *turns, struct sh_turn *turn,
                   enum sh_turn_state state)
{
    struct sh_turn **link = &turns->first;

    pthread_cond_init(&turn->called, NULL);
    turn->state = state;
    turn->next = NULL;
    pthread_mutex_lock(&turns->lock);
    while (*link)
        link = &(*link)->next;
    *link = turn;
    pthread_mutex_unlock(&turns->lock);
}

void sh_turns_unlist(struct sh_turns *turns, struct sh_turn *turn)
{
    struct sh_turn **link = &turns->first;

    pthread_mutex_lock(&turns->lock);
    while (*link != turn)
        link = &(*link)->next;
    *link = turn->next;
    pthread_mutex_unlock(&turns->lock);
    pthread_cond_destroy(&turn->called);
}

void sh_turns_enter(struct sh_turns *turns, struct sh_turn *turn)
{
    pthread_mutex_lock(&turns->lock);
    await_turn(turns, turn);
    pthread_mutex_unlock(&turns->lock);
}

void sh_turns_wait(struct sh_turns *turns, const void *thing)
{
    struct sh_turn *self = turns->running;

    pthread_mutex_lock(&turns->lock);
    self->state = SH_TURN_WAITING;
    self->awaited = thing;
    pass_on(turns);
    await_turn(turns, self);
    pthread_mutex_unlock(&turns->lock);
}

void sh_turns_wake(struct sh_turns *turns, const void *thing)
{
    pthread_mutex_lock(&turns->lock);
    wake(turns, thing);
    pthread_mutex_unlock(&turns->lock);
}

struct sh_turn *sh_turns_leave(struct sh_turns *turns)
{
    struct sh_turn *self = turns->running;

    pthread_mutex_lock(&turns->lock);
    self->state = SH_TURN_OUTSIDE;
    pass_on(turns);
    pthread_mutex_unlock(&turns->lock);
    return self;
}

void sh_turns_return(struct sh_turns *turns, struct sh_turn *turn)
{
    pthread_mutex_lock(&turns->lock);
    turn->state = SH_TURN_BACK;
    if (!turns->running)
        turns->running = turn;
    await_turn(turns, turn);
    pthread_mutex_unlock(&turns->lock);
}

void sh_turns_end(struct sh_turns *turns, const void *thing)
{
    struct sh_turn *self = turns->running;

    pthread_mutex_lock(&turns->lock);
    self->state = SH_TURN_OUTSIDE;
    wake(turns, thing);
    pass_on(turns);
    pthread_mutex_unlock(&turns->lock);
}
