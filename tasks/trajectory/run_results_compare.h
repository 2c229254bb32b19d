/*
 * results.jsonl against the episodes that it is about: what it lists twice,
 * what is not there, what the episodes say otherwise, and what it leaves out.
 */
#ifndef TASKS_TRAJECTORY_RUN_RESULTS_COMPARE_H
#define TASKS_TRAJECTORY_RUN_RESULTS_COMPARE_H

#include "tasks/trajectory/run_results.h"

enum results_fault_kind {
    RESULTS_FAULT_LISTED,   /* a line of results.jsonl is wrong */
    RESULTS_FAULT_UNLISTED, /* an attempt ended, but has no line: `resume`
                               adds it */
    RESULTS_FAULT_EPISODE,  /* its events cannot be read */
};

struct results_fault {
    enum results_fault_kind kind;
    char *episode; /* owned: its folder below the run's */
    char *text;    /* owned */
};

struct results_faults {
    struct results_fault *items; /* owned */
    size_t count;
};

void results_faults_release(struct results_faults *faults);

/*
 * Compare what results.jsonl lists with what run_results_scan found; the
 * caller releases the faults.
 */
void run_results_compare(const struct run_results *listed,
                         const struct run_results *scanned,
                         struct results_faults *faults);

#endif
