/* The checks of proctor doctor. */
#ifndef TOOLS_CLI_DOCTOR_DOCTOR_CHECKS_H
#define TOOLS_CLI_DOCTOR_DOCTOR_CHECKS_H

#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/doctor/findings.h"

/* Each adds what it finds; only an interrupt makes one fail. */
void doctor_check_server(const struct cli_context *cli,
                         struct findings *findings);
MUST_USE bool doctor_check_phones(const struct cli_context *cli,
                                  struct findings *findings, struct err *err);
void doctor_check_known(struct findings *findings);
void doctor_check_keys(struct findings *findings);
void doctor_check_usb(struct findings *findings);
void doctor_check_journals(struct findings *findings);
void doctor_check_models(struct findings *findings);
void doctor_check_pictures(struct findings *findings);
void doctor_check_environment(struct findings *findings);

#endif
