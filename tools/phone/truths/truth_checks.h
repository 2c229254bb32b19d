/*
 * Truths: for each task of the built-in suite, when it is done, in Lua
 * (truths/FILE.lua, described in docs/phone-apps.md), compared with what
 * happened on the phone (truth_log.h). They run in the sandbox of the apps, and
 * see the content that the apps generate from the seed.
 */
#ifndef TOOLS_PHONE_TRUTHS_TRUTH_CHECKS_H
#define TOOLS_PHONE_TRUTHS_TRUTH_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/screen/app.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/system/truth_log.h"

/* Everything is borrowed for the call. */
struct truth_checks {
    struct truth_log *truth;
    struct handset *handset;
    uint64_t seed;
    enum phone_locale locale; /* language of the facts */
    const char *front;        /* the package in front */
};

/*
 * Append the facts of a truth, "FILE.NAME": an object of texts. Fails with
 * ERR_NOT_FOUND if there is none, and as lua_sandbox_run does.
 */
MUST_USE bool truth_checks_facts(const struct truth_checks *truths,
                                 const char *name, struct buf *json,
                                 struct err *err);

/*
 * Append {"met", "clauses": [{"name", "met"}], "events": [...]}. answer is the
 * agent's answer; NULL: none. Fails as truth_checks_facts does.
 */
MUST_USE bool truth_checks_judge(const struct truth_checks *truths,
                                 const char *name, const char *answer,
                                 struct buf *json, struct err *err);

#endif
