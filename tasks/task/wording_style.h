/* How another wording of an instruction is put. */
#ifndef TASKS_TASK_WORDING_STYLE_H
#define TASKS_TASK_WORDING_STYLE_H

#include <stdbool.h>

#include "base/macros.h"

enum wording_style {
    WORDING_POLITE,
    WORDING_TERSE,
    WORDING_MISSPELT,
    WORDING_INDIRECT, /* says what is wanted it for, not what to do */
    WORDING_CHATTY,
    WORDING_IMPERATIVE,
    WORDING_QUESTION,
    WORDING_WITH_CONTEXT,   /* with the reason for it */
    WORDING_OVER_SPECIFIED, /* with detail that is not needed */
    WORDING_SPOKEN,         /* as dictated, with fillers */
    WORDING_STYLES,
};

/* By style: "polite", "with-context". */
extern const char *const wording_style_names[WORDING_STYLES];

/* By its name, or its number from 1. */
MUST_USE bool wording_style_find(const char *name, enum wording_style *style);

#endif
