/* The other programs of this project, which are in the folder of this one. */
#ifndef BASE_OWN_PROGRAM_H
#define BASE_OWN_PROGRAM_H

#include <stdbool.h>

#include "base/err.h"

/*
 * The path of one of them, in folder; NULL: the folder of the running program.
 * The caller frees it. Fails with ERR_IO.
 */
MUST_USE bool own_program_path(const char *folder, const char *name,
                               char **path, struct err *err);

#endif
