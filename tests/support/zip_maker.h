/* Minimal ZIP archives. */
#ifndef TESTS_SUPPORT_ZIP_MAKER_H
#define TESTS_SUPPORT_ZIP_MAKER_H

#include "base/buf.h"

/* Append an archive of empty files with these names; NULL ends the list. */
void zip_maker_write(struct buf *zip, const char *const *names,
                     const char *comment);

#endif
