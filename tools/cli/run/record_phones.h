/* The phone that is recorded: a built-in one of this process, or one of ADB. */
#ifndef TOOLS_CLI_RUN_RECORD_PHONES_H
#define TOOLS_CLI_RUN_RECORD_PHONES_H

#include "runner/device/phone_lock.h"
#include "runner/record/record_phone.h"
#include "runner/session/device_session.h"
#include "tools/cli/run/run_phones.h"
#include "tools/phone/phone.h"

/* As options give it. */
struct record_phones_args {
    const char *device; /* NULL: -s, or the only one there is */
    const char *seed;
    const char *skin;
    int locale; /* of record_phones_locales */
};

/* For an option; ends with NULL. */
extern const char *const record_phones_locales[3];

struct record_phones {
    struct record_phone *phone; /* owned */
    struct phone *builtin;      /* owned; NULL: a phone of ADB */
    const char *locale;
    struct run_plan plan;
    struct run_phones phones;
    struct phone_lock lock;
    struct device_lease *lease;
    struct device_session session;
    bool has_session;
    struct buf journals;
    struct cli_context *cli; /* borrowed */
};

#define RECORD_PHONES_INIT                                                     \
    {                                                                          \
        .lock = PHONE_LOCK_INIT, .journals = BUF_INIT(4096)                    \
    }

/*
 * Open the phone. The caller releases phones in any case. Fails as
 * run_phones_open, phone_lock_take and record_phone's implementations.
 */
MUST_USE bool record_phones_open(struct record_phones *phones,
                                 struct cli_context *cli,
                                 const struct record_phones_args *args,
                                 struct err *err);
void record_phones_release(struct record_phones *phones);

/* The language of a built-in phone; NULL: not known. */
const char *record_phones_locale(const struct record_phones *phones);

#endif
