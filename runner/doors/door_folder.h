/*
 * The folder of a door: an Android SDK in which adb is our own program, and
 * files that are handed to the agent.
 *
 *     FOLDER/platform-tools/adb    our program; everything else in the SDK of
 *                                  the user is linked
 *     FOLDER/platform-tools/adb.server    the address of its adb server
 *     FOLDER/agent/                what is handed to the agent
 */
#ifndef RUNNER_DOORS_DOOR_FOLDER_H
#define RUNNER_DOORS_DOOR_FOLDER_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Create the folder, with a new name in the folder for temporary files, and
 * set path to its path. sdk is the user's own (NULL: none), adb our program. On
 * failure nothing is left, and path is empty.
 */
MUST_USE bool door_folder_make(const char *sdk, const char *adb,
                               struct buf *path, struct err *err);

/* Tell our program which port of this computer its server has. */
MUST_USE bool door_folder_write_server(const char *path, uint16_t port,
                                       struct err *err);

#endif
