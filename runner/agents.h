/* Which agents there are, and how one is made from a name like "random:7". */
#ifndef RUNNER_AGENTS_H
#define RUNNER_AGENTS_H

#include <stdbool.h>

#include "base/log.h"
#include "runner/agent.h"
#include "runner/spending.h"

/* What agents are given, besides their name. All of it is borrowed. */
struct agents_options {
    const char *profile; /* how to talk to a model: a file or a name; NULL: by
                            the model's own */
    const char *cache;   /* folder of what models answered; NULL: none */
    const char *prices;  /* file of what models cost; NULL: the built-in one */
    struct spending *spending; /* is charged; NULL: nobody counts */
    int in;                    /* of the person at the terminal */
    int out;
    const struct log *log; /* may be NULL */
};

/* One kind. What open makes is shared by all agents of the run. */
struct agent_kind {
    const char *name;     /* what stands before the colon */
    const char *argument; /* what stands behind it, for help; NULL: nothing */
    const char *summary;  /* a few words */
    bool aimless;         /* it may do anything: not on somebody's phone */
    bool profiled;        /* a model, whose profile may be named */
    /* argument lives only as long as the call. NULL: nothing is shared. */
    bool (*open)(const char *argument, const struct agents_options *options,
                 void **shared, struct err *err);
    bool (*make)(void *shared, struct agent **agent, struct err *err);
    void (*close)(void *shared); /* may be NULL */
    /* Add what a comparison of runs needs; NULL: the name says it all. */
    void (*describe)(void *shared, struct cJSON *into);
    /* What an episode of so many steps may cost; NULL: nothing. */
    void (*estimate)(void *shared, struct extent screen, int steps,
                     struct model_usage *usage);
};

struct agents {
    struct agent_maker maker; /* its context is this struct */
    const struct agent_kind *kind;
    char *name; /* owned; as it was given */
    void *shared;
};

/*
 * Find the kind that name says, and open it. agents must stay where it is
 * until agents_release. Fails with ERR_INVALID and what there is instead, or
 * as the kind does.
 */
MUST_USE bool agents_init(struct agents *agents, const char *name,
                          const struct agents_options *options,
                          struct err *err);
void agents_release(struct agents *agents); /* also one that is all zeros */

/* For run.json: "name", and what its kind has to say. */
void agents_describe(const struct agents *agents, struct cJSON *into);

/* What an episode of so many steps may cost; all 0: nothing. */
struct model_usage agents_estimate(const struct agents *agents,
                                   struct extent screen, int steps);

/* ---- the kinds, each in the file of its name ---- */

extern const struct agent_kind agent_anthropic; /* in agent_model.c */
extern const struct agent_kind agent_exec;
extern const struct agent_kind agent_gemini; /* in agent_model.c */
extern const struct agent_kind agent_gold;
extern const struct agent_kind agent_human;
extern const struct agent_kind agent_nothing; /* in agent_random.c */
extern const struct agent_kind agent_openai;  /* in agent_model.c */
extern const struct agent_kind agent_random;
extern const struct agent_kind agent_responses; /* in agent_model.c */
extern const struct agent_kind agent_script;

#endif
