/* Shared by the files of an episode. */
#ifndef RUNNER_EPISODE_EPISODE_PRIVATE_H
#define RUNNER_EPISODE_EPISODE_PRIVATE_H

#include "process_provider/describe/describe.h"
#include "runner/episode/episode.h"
#include "runner/episode/repeat_detector.h"
#include "runner/episode/takeover_secrets.h"
#include "runner/session/typed_check.h"

struct episode {
    const struct episode_options *options;
    char *folder;      /* owned; path of the episode */
    char *name;        /* owned; path within the run's folder */
    struct task asked; /* the task with its variables filled in */
    bool resolved;     /* asked is set */
    char *instruction; /* owned */
    char locale[8];    /* "en" or "zh" */
    uint32_t actions;
    int steps;
    struct trajectory_writer *writer;
    int64_t started_ns;
    struct deadline by;              /* the time budget */
    uint32_t epoch;                  /* of the agent's control of the phone */
    struct takeover_secrets secrets; /* of persons who took over */

    int step;
    struct observation seen;
    bool seen_is_last; /* no action was performed since */
    struct element_list elements;
    struct repeat_detector repeats;
    struct typed_check typed; /* of the last action */
    struct agent_past *past;  /* owned, with its members */
    size_t past_count;
    int replies;                /* of the agent, so far */
    int useless;                /* replies without an action */
    struct err useless_why;     /* the error of the last one */
    char *notice;               /* owned; for the next decision; NULL: none */
    char *answer;               /* owned; the agent's answer; NULL: none */
    char last[DESCRIPTION_MAX]; /* what the last action did; "": none yet */

    enum trajectory_ending ending;
    char reason[256];
    enum episode_phase phase; /* where a failure happened */
};

/* Milliseconds since the start. */
int64_t episode_elapsed_ms(const struct episode *episode);

/* Set the phase of a failure. Always false. */
bool episode_fail_in(struct episode *episode, enum episode_phase phase);

/* Report the progress. False: the episode is to be stopped. */
bool episode_report(struct episode *episode, const char *doing,
                    const char *note);

/* End it as the budget is used up. */
void episode_end_by_budget(struct episode *episode, const char *reason);

/* Report that the agent waits for something. context is the episode. */
void episode_note_wait(void *context, const char *text);

/* ---- episode_setup.c ---- */

/* Bring the phone to the start of the task, and create the records. */
MUST_USE bool episode_setup(struct episode *episode, struct err *err);

/* Create the records, without a task if there is none yet. */
MUST_USE bool episode_create(struct episode *episode, struct err *err);

/* Record the task's probes; before: only those that must not change. */
MUST_USE bool episode_probe(struct episode *episode, bool before,
                            struct err *err);

/* Pull the files that the task compares. */
MUST_USE bool episode_pull_files(struct episode *episode, struct err *err);

/* Record the truth, where the phone reports it. */
MUST_USE bool episode_record_truth(struct episode *episode, struct err *err);

/* ---- episode_act.c ---- */

/* The action of a step, and whether it was done. */
struct step_outcome {
    struct action action; /* owned */
    enum trajectory_block block;
    char why[GUARD_WHY_MAX]; /* why it was not done */
    char doubt[DEVICE_SESSION_DOUBT_MAX];
    int64_t at_ms; /* when it was done, since the start; 0: now */
};

void step_outcome_block(struct step_outcome *outcome, enum trajectory_block by,
                        const char *why);

/* Does the guard forbid the action on the observed screen? Then it is blocked.
 */
bool episode_guard_blocks(const struct episode *episode,
                          struct step_outcome *outcome);

/* Perform the action, unless it is blocked; then set the reason. */
MUST_USE bool episode_act(struct episode *episode, struct step_outcome *outcome,
                          struct err *err);

/* Record it as an action of this actor. */
MUST_USE bool episode_record_action(struct episode *episode,
                                    enum trajectory_actor actor,
                                    const struct step_outcome *outcome,
                                    struct err *err);

/*
 * End the episode if the action says so, or if an agent has repeated it too
 * often; gold and people may.
 */
void episode_end_if_over(struct episode *episode,
                         const struct step_outcome *outcome);

/* ---- episode_takeover.c ---- */

/* Take control for the agent, and give it back. */
MUST_USE bool episode_take_control(struct episode *episode, struct err *err);
void episode_give_control_back(struct episode *episode);

/*
 * Begin and end an action of the agent. False: a person has taken over; the
 * action is blocked.
 */
bool episode_begin_action(struct episode *episode,
                          struct step_outcome *outcome);
void episode_end_action(struct episode *episode);

/* Does a person drive the phone now? */
bool episode_is_taken_over(const struct episode *episode);

/*
 * While a person drives the phone, record what the person does; then take
 * control for the agent again.
 */
MUST_USE bool episode_follow_person(struct episode *episode, struct err *err);

/*
 * After an observation: mask the passwords of a person who drives the phone, or
 * did before.
 */
MUST_USE bool episode_mask_secrets(struct episode *episode, struct err *err);

/* ---- episode_drive.c ---- */

/* Let an agent that drives the phone itself run, and record what it does. */
MUST_USE bool episode_drive(struct episode *episode, struct err *err);

/* ---- episode_step.c ---- */

/* Observe, decide and act once. Sets episode->ending after the last step. */
MUST_USE bool episode_step(struct episode *episode, struct err *err);

/*
 * After an observation: where the text of the last action did not arrive,
 * record the doubt, and set the notice for the next decision.
 */
MUST_USE bool episode_check_typed(struct episode *episode, struct err *err);

/* Record the observation, with its tree. */
MUST_USE bool episode_record_observation(struct episode *episode,
                                         struct err *err);

#endif
