/*
 * The lease of the person or agent that drives a phone, with an epoch, which
 * grows with each change of the holder. A command carries the epoch that its
 * sender was given; one with an old epoch is refused, so that two holders never
 * control one phone at the same time.
 *
 *               take                    take (by another)
 *     free ──────────────▶ held ──────────────────────────▶ held, next epoch
 *       ▲                   │
 *       └── give_back ──────┘
 *
 * A command that is being carried out when another takes over is finished; the
 * first command of the new holder waits for it.
 *
 * Every function is safe from any thread.
 */
#ifndef RUNNER_DEVICE_CONTROL_LEASE_H
#define RUNNER_DEVICE_CONTROL_LEASE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum control_holder {
    CONTROL_FREE,
    CONTROL_AGENT,
    CONTROL_PERSON,
    CONTROL_RECORDER,
};

struct control_lease {
    /* Called after a change of the holder; may be NULL. Must not block. */
    void (*on_change)(void *context);
    void *context;

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t idle;  /* no command is being carried out */
    enum control_holder holder;
    uint32_t epoch; /* 0: it was never taken */
    bool busy;      /* between enter and leave */
};

void control_lease_init(struct control_lease *lease,
                        void (*on_change)(void *context), void *context);
void control_lease_release(struct control_lease *lease);

/* "", "agent", "person", "recorder". */
const char *control_holder_name(enum control_holder holder);

/*
 * Take control, from the current holder if there is one, and return the new
 * epoch. Always succeeds: a person can always take over.
 */
uint32_t control_lease_take(struct control_lease *lease,
                            enum control_holder holder);

/*
 * Take control only if it is free. Fails with ERR_BUSY and the holder's name;
 * *epoch is then unchanged.
 */
MUST_USE bool control_lease_take_free(struct control_lease *lease,
                                      enum control_holder holder,
                                      uint32_t *epoch, struct err *err);

/* Give control back; nothing happens if epoch is no longer the current one. */
void control_lease_give_back(struct control_lease *lease, uint32_t epoch);

/*
 * May a command with this epoch act? Fails with ERR_REFUSED and says who drives
 * the phone.
 */
MUST_USE bool control_lease_check(struct control_lease *lease, uint32_t epoch,
                                  struct err *err);

/*
 * Begin to carry out a command with this epoch, and end it. Beginning blocks
 * while another command is carried out, and fails as control_lease_check.
 */
MUST_USE bool control_lease_enter(struct control_lease *lease, uint32_t epoch,
                                  struct err *err);
void control_lease_leave(struct control_lease *lease);

/* The holder; *epoch (may be NULL) gets the current epoch. */
enum control_holder control_lease_holder(struct control_lease *lease,
                                         uint32_t *epoch);

#endif
