/* ZIP archives just whole enough to be looked at. */
#ifndef TESTS_SUPPORT_ZIP_H
#define TESTS_SUPPORT_ZIP_H

#include "base/buf.h"

/* Append an archive of empty files with these names; NULL ends the list. */
void zip_write(struct buf *zip, const char *const *names, const char *comment);

#endif
