/* The page of a farm: proctor serve postgresql://… */
#ifndef TOOLS_CLI_SERVE_SERVE_FARM_H
#define TOOLS_CLI_SERVE_SERVE_FARM_H

#include "tools/cli/command_line/cli_context.h"
#include "tools/farm_page/farm_page.h"

/* Serve it until interrupted. Fails as farm_page_start; always fails. */
bool serve_farm(struct cli_context *cli,
                const struct farm_page_options *options, bool open,
                struct err *err);

#endif
