/*
 * The figures of a report on one run or several: which episodes are counted
 * together, and the figures of any group of them. Pure: from judged runs to
 * numbers.
 */
#ifndef JUDGE_REPORT_REPORT_H
#define JUDGE_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "judge/report/judged_runs.h"
#include "judge/report/tally.h"
#include "judge/statistics/statistics.h"

/* Properties by which episodes are grouped. */
enum report_facet {
    REPORT_KIND,     /* "state", "process" */
    REPORT_LANGUAGE, /* "English", "Chinese", or the locale's first part */
    REPORT_CATEGORY,
    REPORT_APP,
    REPORT_LEVEL,
    REPORT_DIFFICULTY,
    REPORT_WORDING, /* "original", or the style of another wording */
    REPORT_TASK,    /* all wordings of a task are one */
    REPORT_FACETS,
};

/* "kind", "language", … */
const char *report_facet_name(enum report_facet facet);

/* One agent in one run, on one sort of phone: built-in or real. */
struct report_row {
    size_t run;
    bool builtin;
    const char *agent;  /* borrowed from the ledger */
    char *label;        /* owned; unlike those of all other rows */
    struct tally tally; /* of all its episodes that count */
    struct interval success;
};

struct report_texts {
    const char **items; /* owned; the texts are borrowed from the ledger */
    size_t count;
};

struct report {
    const struct judged_runs *judged; /* borrowed */
    struct report_row *rows;          /* owned; real phones first */
    size_t row_count;
    struct report_texts values[REPORT_FACETS];
    size_t *keys;      /* owned; per entry: its value of each facet */
    size_t *entry_row; /* owned; per entry */
    size_t tries;      /* the most that one task had in one row */
};

void report_init(struct report *report, const struct judged_runs *judged);
void report_release(struct report *report);

#define REPORT_ANY ((size_t)-1)

/* A group of episodes: those of a row with certain values of some facets. */
struct report_slice {
    size_t row;                 /* or REPORT_ANY */
    size_t want[REPORT_FACETS]; /* an index into the facet's values, or ANY */
};

/* All episodes of one row. */
struct report_slice report_slice(size_t row);

/*
 * Sums over its episodes, and the interval of its success rate, clustered by
 * task.
 */
void report_count(const struct report *report, const struct report_slice *slice,
                  struct tally *tally, struct interval *success);

/*
 * The questions of all checklists, each text once, in the order in which they
 * are met first. The caller frees items.
 */
struct report_texts report_questions(const struct report *report);

/* How often that question was asked in a row, and how often it is met. */
void report_question(const struct report *report, size_t row,
                     const char *question, size_t *met, size_t *asked);

struct report_pass {
    size_t tasks; /* tasks with at least k scored tries */
    double rate;  /* their mean; NAN when there are none */
    struct interval interval;
};

/* pass@k of a row. */
struct report_pass report_pass(const struct report *report, size_t row,
                               size_t k);

/* How much the wording of the instruction matters to a row. */
struct report_spread {
    size_t tasks;     /* those tried in at least two wordings */
    size_t always;    /* of them: done in every wording */
    size_t sometimes; /* the wording decides */
    size_t never;
    size_t worst; /* the wording with the least success, and the most: */
    size_t best;  /* indices of values; REPORT_ANY: none */
};

struct report_spread report_spread(const struct report *report, size_t row);

/* Why episodes of a row are in no rate. Earlier attempts are included. */
struct report_reason {
    enum outcome outcome; /* void or unscored */
    const char *reason;   /* borrowed */
    size_t row;
    size_t count;
};

struct report_reasons {
    struct report_reason *items; /* owned; most first */
    size_t count;
};

void report_reasons(const struct report *report,
                    struct report_reasons *reasons);
void report_reasons_release(struct report_reasons *reasons);

/* Are there rows for this sort of phone? */
bool report_has(const struct report *report, bool builtin);

/* One or two sentences that summarize the runs. Contains untrusted text. */
void report_headline(const struct report *report, struct buf *text);

#endif
