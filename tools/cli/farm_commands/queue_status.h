/* What is in a queue: its runs and its workers, as text and as JSON. */
#ifndef TOOLS_CLI_FARM_COMMANDS_QUEUE_STATUS_H
#define TOOLS_CLI_FARM_COMMANDS_QUEUE_STATUS_H

#include "tools/cli/command_line/cli_context.h"
#include "tools/farm_queue/farm_db.h"

/*
 * Print it once, or again every second until an interrupt. Everything in the
 * database may be hostile. Fails as farm_schema_check and farm_db_request.
 */
MUST_USE bool queue_status_print(struct cli_context *cli, struct farm_db *db,
                                 bool watch, struct err *err);

#endif
