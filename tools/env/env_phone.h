/*
 * A phone as an environment uses it: a built-in one of this process, or any
 * phone over ADB. One thread uses it at a time.
 *
 *     reset ──▶ set_up ──▶ settle ──▶ perform ──┐
 *                            ▲  └▶ screenshot,  │
 *                            │     tree         │
 *                            └──────────────────┘
 */
#ifndef TOOLS_ENV_ENV_PHONE_H
#define TOOLS_ENV_ENV_PHONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/err.h"
#include "base/json.h"
#include "runner/device/device_source.h"
#include "runner/observe/observer.h"
#include "runner/session/device_session.h"
#include "tasks/task/task.h"

struct env_phone;
struct phone_fonts;

/* All of it is borrowed for the call. */
struct env_phone_start {
    const struct task *task;
    uint64_t seed;      /* of a built-in phone; others ignore it */
    const char *locale; /* "en" or "zh"; NULL: the phone's own */
    const char *folder; /* of the suite's files; NULL: none */
};

/* The state of a task's ground truth. */
struct env_phone_truth {
    bool met;
    int clauses;
    int clauses_met;
};

struct env_phone_ops {
    /* Bring the phone to the state before the task's setup. */
    bool (*reset)(struct env_phone *phone, const struct env_phone_start *start,
                  struct err *err);
    /* Run a command of the task and append its output. */
    bool (*run)(struct env_phone *phone, const char *command, struct buf *text,
                struct err *err);
    /* Run the task's setup commands, and open its first app. */
    bool (*set_up)(struct env_phone *phone, const struct task *asked,
                   struct err *err);
    /* Wait until the screen is settled, and describe it without a tree. */
    bool (*settle)(struct env_phone *phone, struct observation *seen,
                   struct err *err);
    /* Fill in the PNG or the tree of the settled screen. */
    bool (*screenshot)(struct env_phone *phone, struct observation *seen,
                       struct err *err);
    bool (*tree)(struct env_phone *phone, struct observation *seen,
                 struct err *err);
    /* See device_session_perform. */
    bool (*perform)(struct env_phone *phone, const struct action *action,
                    const struct observation *seen,
                    char doubt[DEVICE_SESSION_DOUBT_MAX], struct err *err);
    /* The facts and the verdict of a truth; NULL: it cannot report them. */
    bool (*facts)(struct env_phone *phone, const char *truth,
                  struct cJSON **facts, struct err *err);
    bool (*judge)(struct env_phone *phone, const char *truth,
                  const char *answer, struct cJSON **verdict, struct err *err);
    /* A second phone in the same state; NULL: it cannot be copied. */
    bool (*fork)(struct env_phone *phone, struct env_phone **copy,
                 struct err *err);
    void (*close)(struct env_phone *phone);
};

/* The first member of every implementation. */
struct env_phone {
    const struct env_phone_ops *ops;
    const char *serial;   /* owned by the implementation */
    const char *locale;   /* its language after reset: "en" or "zh" */
    bool user_owned;      /* the user's own phone: guarded */
    struct extent screen; /* its size; 0 x 0 before it settled */
};

/* NULL is fine. */
static inline void env_phone_close(struct env_phone *phone)
{
    if (phone)
        phone->ops->close(phone);
}

/* Makes phones; one for each environment. Calls may come from any thread. */
struct env_phone_maker {
    bool (*make)(struct env_phone_maker *maker, struct env_phone **phone,
                 struct err *err);
};

/* Built-in phones. Fonts are borrowed and shared by all. */
struct env_builtin_maker {
    struct env_phone_maker maker;
    struct phone_fonts *fonts;
    unsigned skin;
    bool dark;
};

void env_builtin_maker_init(struct env_builtin_maker *maker,
                            struct phone_fonts *fonts);

/* Phones of a source, each leased by one environment at a time. */
struct env_leased_maker {
    struct env_phone_maker maker;
    struct device_session_options session; /* with the source; borrowed */
};

void env_leased_maker_init(struct env_leased_maker *maker,
                           const struct device_session_options *session);

#endif
