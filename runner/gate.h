/*
 * How many questions an endpoint gets at once. It learns: half as many when
 * the endpoint says that it is too much, one more after each round that went
 * well.
 *
 *              gate_enter                gate_leave(GATE_WELL)
 *     outside ───────────▶ asking ──────────────────────────▶ one more
 *        │ full, or shut     └── gate_leave(GATE_TOO_MUCH) ──▶ half as many
 *        ▼ until later
 *     waiting, first come first served
 */
#ifndef RUNNER_GATE_H
#define RUNNER_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"
#include "runner/pace.h"

struct gate {
    pthread_mutex_t lock; /* guards all below */
    double width;         /* how many may be inside */
    double widest;
    int inside;
    int64_t shut_until_ns; /* nobody enters before */
    int64_t narrowed_ns;   /* when it last was */
    struct gate_waiter *first;
};

void gate_init(struct gate *gate, int widest);
void gate_release(struct gate *gate);

/*
 * Wait for a place. Fails with ERR_TIMEOUT when there is none by then, at once
 * if that is known before, with ERR_CANCELLED, or with ERR_IO.
 */
MUST_USE bool gate_enter(struct gate *gate, const struct pace *pace,
                         struct deadline by, const struct cancel *cancel,
                         struct err *err);

enum gate_result {
    GATE_WELL,
    GATE_TOO_MUCH,
    GATE_OTHER, /* says nothing about how much is too much */
};

/* entered_ns: when this one entered; shut_ns: nobody is to enter for so long.
 */
void gate_leave(struct gate *gate, const struct pace *pace,
                enum gate_result result, int64_t entered_ns, int64_t shut_ns);

#endif
