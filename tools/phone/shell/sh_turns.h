/*
 * The commands of a pipeline take turns: each has a thread, but only one of
 * them runs at a time, and the scheduler of the computer has no influence on
 * which is next. So they need no locks among themselves, and their output is
 * deterministic.
 *
 *            sh_turns_wait                sh_turns_leave
 *   WAITING <------------- (running) -------------------> OUTSIDE
 *      |                    ^  ^   ^                         |
 *      | sh_turns_wake      |  |   | none is READY           | sh_turns_return
 *      +-------> READY -----+  |   +---------- BACK <--------+
 *
 * A thread that comes back from outside, at an unpredictable time, runs only
 * when no other thread is ready.
 */
#ifndef TOOLS_PHONE_SHELL_SH_TURNS_H
#define TOOLS_PHONE_SHELL_SH_TURNS_H

#include <pthread.h>

enum sh_turn_state {
    SH_TURN_READY,
    SH_TURN_WAITING,
    SH_TURN_OUTSIDE,
    SH_TURN_BACK,
};

/* The turn of one thread. Must exist as long as it is listed. */
struct sh_turn {
    enum sh_turn_state state;
    const void *awaited; /* while WAITING */
    pthread_cond_t called;
    struct sh_turn *next; /* in the order in which they were added */
};

struct sh_turns {
    pthread_mutex_t lock;
    struct sh_turn *first;
    struct sh_turn *running; /* NULL: no thread is ready */
};

/* The calling thread is the first, and has the turn. */
void sh_turns_init(struct sh_turns *turns, struct sh_turn *first);
void sh_turns_release(struct sh_turns *turns, struct sh_turn *first);

/*
 * Called by the running thread: list another one, whose thread then enters; or
 * one that is outside and then returns.
 */
void sh_turns_list(struct sh_turns *turns, struct sh_turn *turn,
                   enum sh_turn_state state);
void sh_turns_unlist(struct sh_turns *turns, struct sh_turn *turn);

/* The first call of a listed thread: waits for its turn. */
void sh_turns_enter(struct sh_turns *turns, struct sh_turn *turn);

/* Let others run until sh_turns_wake is called for thing. */
void sh_turns_wait(struct sh_turns *turns, const void *thing);
void sh_turns_wake(struct sh_turns *turns, const void *thing); /* NULL: all */

/* Around a call that may block for reasons outside the pipeline. */
struct sh_turn *sh_turns_leave(struct sh_turns *turns);
void sh_turns_return(struct sh_turns *turns, struct sh_turn *turn);

/* The last call of a listed thread; wakes the threads that wait for thing. */
void sh_turns_end(struct sh_turns *turns, const void *thing);

#endif
