/* The report of a selftest, for people. */
#ifndef TOOLS_CLI_SELFTEST_PAGE_H
#define TOOLS_CLI_SELFTEST_PAGE_H

#include "tools/cli/page.h"
#include "tools/selftest/trial.h"

void selftest_page(struct page *page, const struct trial *trial);

#endif
