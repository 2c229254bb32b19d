/*
 * Phones that are started or reserved for this program, and end or are given
 * back with it:
 *
 *     avd:NAME[:N]       emulators of an AVD
 *     stf:URL[#N]        free phones of an STF
 *     stf:URL#SERIAL     that phone of an STF
 *
 * A pool can outlive the runs that use it.
 */
#ifndef TOOLS_CLI_RUN_PHONE_POOL_H
#define TOOLS_CLI_RUN_PHONE_POOL_H

#include "runner/device/device_source.h"
#include "tasks/json/text_list.h"
#include "tools/cli/command_line/cli_context.h"

struct pool_phone {
    struct device_source *source; /* borrowed from the pool */
    char *serial;                 /* owned */
    bool disposable;              /* as of struct run_phone */
};

/* All zeros is empty. Must stay where it is while it is used. */
struct phone_pool {
    struct pool_phone *items; /* owned */
    size_t count;
    struct device_source **sources; /* owned */
    size_t source_count;
    struct discover_config discover_config;
    bool has_config;
};

/* Does a device name phones of a pool? *valid: is it written correctly? */
bool phone_pool_is_for(const char *device, bool *valid);

/*
 * Check the devices that name phones of a pool. Fails with ERR_INVALID and what
 * to write instead.
 */
MUST_USE bool phone_pool_check(const struct text_list *devices,
                               struct err *err);

/*
 * Open the sources that devices name; the others are left out. No phone is
 * started before it is acquired. Fails as phone_pool_check and
 * device_source_avd_open and device_source_stf_open.
 */
MUST_USE bool phone_pool_open(struct phone_pool *pool,
                              const struct cli_context *cli,
                              const struct text_list *devices, struct err *err);
void phone_pool_release(struct phone_pool *pool);

/* Start all phones at once. What fails is found when it is acquired. */
void phone_pool_start(const struct phone_pool *pool);

#endif
