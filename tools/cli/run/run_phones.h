/* From the names of devices to phones: built-in ones, those of ADB, a pool. */
#ifndef TOOLS_CLI_RUN_RUN_PHONES_H
#define TOOLS_CLI_RUN_RUN_PHONES_H

#include "runner/run/run.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/phone_pool.h"

/* All zeros is empty. Must stay where it is while it is used. */
struct run_phones {
    struct run_phone *items; /* owned; the built-in ones come first, those
                                of the pool last */
    size_t count;
    size_t builtin_count;
    struct text_list serials;
    struct buf faults; /* of the built-in phones, which borrow it */
    struct device_source *builtin;
    struct device_source *adb;
    struct discover_config discover_config;
    bool has_places;
    struct phone_pool own_pool;    /* unless one was given */
    const struct phone_pool *pool; /* borrowed */
};

/*
 * Have the phones that a plan names; none is used before it is acquired. pool
 * has those of its devices that are started or reserved; NULL: it is opened
 * here. Fails with ERR_INVALID when there is none, as phone_pool_open, and as
 * discover_open when the only one there is is meant ("").
 */
MUST_USE bool run_phones_open(struct run_phones *phones,
                              struct cli_context *cli,
                              const struct run_plan *plan,
                              const struct phone_pool *pool, struct err *err);
void run_phones_release(struct run_phones *phones);

/* How many built-in phones "phone" or "phone:N" names; 0: it is a serial. */
MUST_USE bool run_phones_builtin(const char *device, size_t *count,
                                 struct err *err);

/* A whole number from min to max; NULL leaves it as it is. */
MUST_USE bool run_phones_number(const char *option, const char *text,
                                int64_t min, int64_t max, int64_t *number,
                                struct err *err);

#endif
