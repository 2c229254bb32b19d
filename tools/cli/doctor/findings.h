/* The results of proctor doctor, as text. */
#ifndef TOOLS_CLI_DOCTOR_FINDINGS_H
#define TOOLS_CLI_DOCTOR_FINDINGS_H

#include <stddef.h>

#include "base/macros.h"

enum finding_level {
    FINDING_GOOD,  /* works */
    FINDING_NOTE,  /* neither good nor bad */
    FINDING_HINT,  /* something to do, if it is wanted */
    FINDING_WRONG, /* must be put right */
};

struct finding {
    const char *topic; /* its heading */
    enum finding_level level;
    char text[384];
    char advice[384]; /* what to do; "" */
};

struct findings {
    struct finding *items; /* owned */
    size_t count;
};

void findings_release(struct findings *findings);

/* Say one thing; the advice is added to it afterwards. */
PRINTF_LIKE(4, 5)
struct finding *findings_add(struct findings *findings, const char *topic,
                             enum finding_level level, const char *fmt, ...);
PRINTF_LIKE(2, 3)
void finding_advise(struct finding *finding, const char *fmt, ...);

#endif
