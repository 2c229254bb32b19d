/* The phones of a worker, and what they offer. */
#ifndef TOOLS_CLI_FARM_COMMANDS_WORKER_PHONES_H
#define TOOLS_CLI_FARM_COMMANDS_WORKER_PHONES_H

#include "tasks/json/text_list.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/phone_pool.h"

struct worker_phones {
    struct text_list devices;    /* as for a run: "phone:4", a serial */
    struct cJSON *offers;        /* owned; for farm_worker_open */
    struct text_list identities; /* of phones that others can reach, too */
    struct phone_pool pool;      /* those that are started, for all runs */
};

/*
 * Ask the phones that are given what they are: "phone" if none is. programs:
 * they offer agents that are programs. Fails with ERR_INVALID, and as
 * device_info_read for a phone that does not answer, and as phone_pool_open.
 */
MUST_USE bool worker_phones_open(struct worker_phones *phones,
                                 struct cli_context *cli,
                                 const struct option_texts *devices,
                                 bool programs, struct err *err);
void worker_phones_release(struct worker_phones *phones);

#endif
