/*
 * One truth (truth_checks.h), loaded once and asked again and again: what
 * happened since the last question is learned before the next one is answered.
 */
#ifndef TOOLS_PHONE_TRUTHS_TRUTH_SESSION_H
#define TOOLS_PHONE_TRUTHS_TRUTH_SESSION_H

#include "tools/phone/truths/truth_checks.h"

struct truth_session;

/* Fails with ERR_NOT_FOUND when there is no such file of truths. */
MUST_USE bool truth_session_open(const char *name,
                                 struct truth_session **session,
                                 struct err *err);
void truth_session_close(struct truth_session *session); /* NULL is fine */

/*
 * As truth_checks_facts and truth_checks_judge, but the verdict is without
 * events. All questions of a session are about the same phone. After a failure
 * the next question loads the truth again.
 */
MUST_USE bool truth_session_facts(struct truth_session *session,
                                  const struct truth_checks *truths,
                                  struct buf *json, struct err *err);
MUST_USE bool truth_session_judge(struct truth_session *session,
                                  const struct truth_checks *truths,
                                  const char *answer, struct buf *json,
                                  struct err *err);

/*
 * Append a picture that this truth compares with, as PNG. Fails with
 * ERR_NOT_FOUND if it has none of this name.
 */
MUST_USE bool truth_session_picture(struct truth_session *session,
                                    const struct truth_checks *truths,
                                    const char *name, struct buf *png,
                                    struct err *err);

#endif
