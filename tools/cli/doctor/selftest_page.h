/* The report of a selftest, for people. */
#ifndef TOOLS_CLI_DOCTOR_SELFTEST_PAGE_H
#define TOOLS_CLI_DOCTOR_SELFTEST_PAGE_H

#include "tools/cli/terminal/text_page.h"
#include "tools/device_checks/check_results.h"

void selftest_page(struct text_page *page,
                   const struct check_results *check_results);

#endif
