/*
 * A built-in phone of this process, as the recorder sees it
 * (runner/record/record_phone.h). Its frames are taken without a connection,
 * and its states are kept in memory: what was typed into it is in them, so they
 * are never on the disk.
 */
#ifndef TOOLS_PHONE_SOURCE_RECORD_BUILTIN_H
#define TOOLS_PHONE_SOURCE_RECORD_BUILTIN_H

#include "base/cancel.h"
#include "base/log.h"
#include "runner/record/record_phone.h"
#include "tools/phone/phone.h"

struct record_builtin_options {
    struct phone *phone; /* borrowed, as all of this */
    const char *serial;
    const struct cancel *cancel; /* may be NULL, as log */
    const struct log *log;
};

/*
 * Close it with record_phone_close, before the phone stops. Fails as
 * observer_open and actor_open.
 */
MUST_USE bool record_builtin_open(const struct record_builtin_options *options,
                                  struct record_phone **phone, struct err *err);

#endif
