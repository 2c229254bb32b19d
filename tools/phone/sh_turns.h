/*
 * The stages of a pipeline take turns: each is a thread, but only one of them
 * runs at a time, and which comes next does not depend on the computer's mood.
 * So they need no locks among themselves, and what they print together is the
 * same every time.
 *
 *            sh_turns_wait                sh_turns_leave
 *   WAITING <------------- (running) -------------------> OUTSIDE
 *      |                    ^  ^   ^                         |
 *      | sh_turns_wake      |  |   | none is READY           | sh_turns_return
 *      +-------> READY -----+  |   +---------- BACK <--------+
 *
 * Who comes back from outside, where time is not ours, runs when nobody else
 * can: what was already there is dealt with first.
 */
#ifndef PHONE_SH_TURNS_H
#define PHONE_SH_TURNS_H

#include <pthread.h>

enum sh_turn_state {
    SH_TURN_READY,
    SH_TURN_WAITING,
    SH_TURN_OUTSIDE,
    SH_TURN_BACK,
};

/* One thread's place. Lives as long as it is listed. */
struct sh_turn {
    enum sh_turn_state state;
    const void *awaited; /* while WAITING */
    pthread_cond_t called;
    struct sh_turn *next; /* in the order in which they came */
};

struct sh_turns {
    pthread_mutex_t lock;
    struct sh_turn *first;
    struct sh_turn *running; /* NULL: nobody can */
};

/* The caller's thread is the first, and has the turn. */
void sh_turns_init(struct sh_turns *turns, struct sh_turn *first);
void sh_turns_release(struct sh_turns *turns, struct sh_turn *first);

/*
 * The one that runs lists another, whose thread then enters; or one that is
 * outside and then returns.
 */
void sh_turns_list(struct sh_turns *turns, struct sh_turn *turn,
                   enum sh_turn_state state);
void sh_turns_unlist(struct sh_turns *turns, struct sh_turn *turn);

/* The first call of a listed thread: wait for its turn. */
void sh_turns_enter(struct sh_turns *turns, struct sh_turn *turn);

/* Let others run until thing is woken. */
void sh_turns_wait(struct sh_turns *turns, const void *thing);
void sh_turns_wake(struct sh_turns *turns, const void *thing); /* NULL: all */

/* Around a call that may block for reasons outside the pipeline. */
struct sh_turn *sh_turns_leave(struct sh_turns *turns);
void sh_turns_return(struct sh_turns *turns, struct sh_turn *turn);

/* The last call of a listed thread; wakes those that wait for thing. */
void sh_turns_end(struct sh_turns *turns, const void *thing);

#endif
