/*
 * The kinds of agents, and how to create agents from a name such as "random:7".
 */
#ifndef RUNNER_AGENTS_AGENT_FACTORY_H
#define RUNNER_AGENTS_AGENT_FACTORY_H

#include <stdbool.h>

#include "base/log.h"
#include "runner/agent.h"
#include "runner/models/spending.h"

struct agent_channel;

/* Options of agents besides their name. All of them are borrowed. */
struct agent_factory_options {
    const char *profile; /* profile of a model: a file or a name; NULL: chosen
                            by the model's name */
    const char *cache;   /* folder of the cache of model replies; NULL: none */
    const char *prices;  /* file of prices; NULL: the built-in one */
    /* counts the usage of models; NULL: it is not counted */
    struct spending *spending;
    /* folder of proctor's other programs; NULL: that of this one */
    const char *programs;
    /* the agent "adb" uses this adb server of the user; NULL: a private one */
    const struct server_client *server;
    bool private_network;            /* it runs in its own network */
    const struct text_list *allowed; /* what it reaches then; NULL: nothing */
    struct agent_channel *channel;   /* of the agent "mcp"; NULL: none */
    int in;                          /* terminal of the agent "human" */
    int out;
    const struct log *log; /* may be NULL */
};

/* A kind of agents. What open returns is shared by all agents of the run. */
struct agent_kind {
    const char *name;     /* the part of the name before the colon */
    const char *argument; /* the part after it, for help texts; NULL: none */
    const char *summary;  /* one line for help texts */
    bool undirected;  /* acts without a goal: not allowed on a user's own phone
                         by default */
    bool profiled;    /* a model, which has a profile */
    bool drives;      /* acts on the phone itself, in its own time: a built-in
                         phone must run in real time */
    bool asks_person; /* uses the terminal for a dialogue */
    bool hidden;      /* cannot be chosen by name: a command has it */
    /* argument is valid during the call only. NULL: nothing is shared. */
    bool (*open)(const char *argument,
                 const struct agent_factory_options *options, void **shared,
                 struct err *err);
    bool (*make)(void *shared, struct agent **agent, struct err *err);
    void (*close)(void *shared); /* may be NULL */
    /* Add what identifies the agent in run.json; NULL: its name is enough. */
    void (*describe)(void *shared, struct cJSON *into);
    /* See agent_factory_estimate; NULL: it uses nothing. */
    void (*estimate)(void *shared, const struct agent_estimate *episode,
                     struct model_usage *usage);
};

struct agent_factory {
    struct agent_maker maker; /* its context is this struct itself */
    const struct agent_kind *kind;
    char *name; /* owned; the name as given */
    void *shared;
};

/*
 * Find the kind by name and open it. The struct must not be moved until
 * agent_factory_release. Fails with ERR_INVALID and a suggestion for an unknown
 * name, or as open of the kind does.
 */
MUST_USE bool agent_factory_init(struct agent_factory *agents, const char *name,
                                 const struct agent_factory_options *options,
                                 struct err *err);
void agent_factory_release(
    struct agent_factory *agents); /* a zeroed one is fine */

/* Add what names an agent, as far as it is always the same: "gold", "exec:". */
void agent_factory_list(struct text_list *names);

/* Does an agent of this name act on the phone itself? See agent_kind.drives. */
bool agent_factory_drives(const char *name);

/* Add "name" and the description by its kind, for run.json. */
void agent_factory_describe(const struct agent_factory *agents,
                            struct cJSON *into);

/*
 * The upper bound of what one attempt uses; all 0: it asks no model. Tokens are
 * -1 where there is no upper bound, the cost is -1 where the price is not
 * known.
 */
struct model_usage agent_factory_estimate(const struct agent_factory *agents,
                                          const struct agent_estimate *episode);

/* ---- the kinds, each in the file with its name ---- */

extern const struct agent_kind agent_adb;
extern const struct agent_kind agent_anthropic; /* in agent_model.c */
extern const struct agent_kind agent_exec;
extern const struct agent_kind agent_gemini; /* in agent_model.c */
extern const struct agent_kind agent_gold;
extern const struct agent_kind agent_human;
extern const struct agent_kind agent_mcp;     /* in agent_channel.c */
extern const struct agent_kind agent_nothing; /* in agent_random.c */
extern const struct agent_kind agent_openai;  /* in agent_model.c */
extern const struct agent_kind agent_random;
extern const struct agent_kind agent_responses; /* in agent_model.c */
extern const struct agent_kind agent_script;
extern const struct agent_kind agent_slips;

#endif
