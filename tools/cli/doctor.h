/* The checks of proctor doctor. */
#ifndef TOOLS_CLI_DOCTOR_H
#define TOOLS_CLI_DOCTOR_H

#include "tools/cli/cli.h"
#include "tools/cli/findings.h"

/* Each adds what it finds; only an interrupt makes one fail. */
void doctor_check_server(const struct cli *cli, struct findings *findings);
MUST_USE bool doctor_check_phones(const struct cli *cli,
                                  struct findings *findings, struct err *err);
void doctor_check_known(struct findings *findings);
void doctor_check_keys(struct findings *findings);
void doctor_check_usb(struct findings *findings);
void doctor_check_models(struct findings *findings);
void doctor_check_pictures(struct findings *findings);
void doctor_check_environment(struct findings *findings);

#endif
