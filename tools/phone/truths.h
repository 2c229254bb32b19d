/*
 * Truths: for each task of ours, what it means to have done it, in Lua
 * (truths/FILE.lua, which docs/phone-apps.md describes), held against what
 * really happened on the phone (truth.h). They run in the sandbox of the apps,
 * and see what the apps made up from the seed.
 */
#ifndef PHONE_TRUTHS_H
#define PHONE_TRUTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/app.h"
#include "tools/phone/handset.h"
#include "tools/phone/truth.h"

/* Everything is borrowed for the call. */
struct truths {
    struct truth *truth;
    struct handset *handset;
    uint64_t seed;
    enum locale locale; /* that facts are worded in */
    const char *front;  /* the package in front */
};

/*
 * Append the facts of a truth, "FILE.NAME": an object of texts. Fails with
 * ERR_NOT_FOUND when there is none, and as lua_sandbox_run does.
 */
MUST_USE bool truths_facts(const struct truths *truths, const char *name,
                           struct buf *json, struct err *err);

/*
 * Append {"met", "clauses": [{"name", "met"}], "events": [...]}. answer is
 * what was answered; NULL: nothing. Fails as truths_facts does.
 */
MUST_USE bool truths_judge(const struct truths *truths, const char *name,
                           const char *answer, struct buf *json,
                           struct err *err);

#endif
