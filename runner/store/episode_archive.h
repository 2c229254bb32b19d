/*
 * An episode's folder as one file, a ZIP archive that any program opens:
 * pictures as they are, everything else compressed. Archives that are read are
 * untrusted.
 */
#ifndef RUNNER_STORE_EPISODE_ARCHIVE_H
#define RUNNER_STORE_EPISODE_ARCHIVE_H

#include <stdbool.h>

#include "base/err.h"

/*
 * Write the regular files in and below folder to the archive at path, which
 * appears when it is complete; hidden ones are left out. Files are read one
 * after the other, piece by piece. Fails as the system does.
 */
MUST_USE bool episode_archive_pack(const char *folder, const char *path,
                                   struct err *err);

/*
 * Make folder, which must not exist, from the archive at path. Fails with
 * ERR_INVALID for what is not an archive of an episode: it is damaged, or has
 * names that an episode has not; ERR_LIMIT for one that is too large; and as
 * the system does. The folder may then have a part of it, which the caller
 * removes.
 */
MUST_USE bool episode_archive_unpack(const char *path, const char *folder,
                                     struct err *err);

#endif
