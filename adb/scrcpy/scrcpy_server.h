/* scrcpy's server: its file, and its process on the phone. */
#ifndef ADB_SCRCPY_SCRCPY_SERVER_H
#define ADB_SCRCPY_SCRCPY_SERVER_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "adb/scrcpy/scrcpy_options.h"
#include "base/buf.h"

/*
 * Find the server's file: given if it is not NULL, otherwise SCRCPY_SERVER_PATH
 * if it is set, otherwise /usr/share/scrcpy/scrcpy-server or
 * /usr/local/share/scrcpy/scrcpy-server. The path is appended to path. Fails
 * with ERR_NOT_FOUND and where it was looked for.
 */
MUST_USE bool scrcpy_server_find(const char *given, struct buf *path,
                                 struct err *err);

#define SCRCPY_SERVER_PATH_MAX 64
#define SCRCPY_VERSION_MAX 32

struct shell;

struct scrcpy_server {
    struct device *device; /* borrowed */
    struct shell *shell;   /* owned; the process; NULL: not started */
    char path[SCRCPY_SERVER_PATH_MAX]; /* of the file on the phone */
    struct buf output;                 /* what it has printed; the first part */
    bool ended;
};

/* id makes the name of the file on the phone unique. */
void scrcpy_server_init(struct scrcpy_server *server, struct device *device,
                        int32_t id);

/* Close the shell. Does not block. The process ends with its sockets. */
void scrcpy_server_release(struct scrcpy_server *server);

/* Make all calls that wait fail with ERR_CANCELLED; only once it is started. */
void scrcpy_server_interrupt(struct scrcpy_server *server);

/* Copy the file at local to the phone. */
MUST_USE bool scrcpy_server_push(struct scrcpy_server *server,
                                 const char *local, struct deadline by,
                                 struct err *err);

/* Delete the file on the phone, if it is there; failures are ignored. */
void scrcpy_server_remove(struct scrcpy_server *server, struct deadline by);

/*
 * Learn its version: started by a client of another version, it refuses and
 * names its own one. Fails with ERR_UNSUPPORTED on Android before 5, and with
 * ERR_REMOTE and its message when it does something else.
 */
MUST_USE bool scrcpy_server_ask_version(struct scrcpy_server *server,
                                        struct deadline by,
                                        char version[SCRCPY_VERSION_MAX],
                                        struct err *err);

/* Start the process; whether it works shows later. */
MUST_USE bool scrcpy_server_start(struct scrcpy_server *server,
                                  const struct scrcpy_options *options,
                                  struct deadline by, struct err *err);

/*
 * Read what the process prints until by passes. Fails with ERR_REMOTE and its
 * message when it has ended, ERR_LOST or ERR_CANCELLED.
 */
MUST_USE bool scrcpy_server_watch(struct scrcpy_server *server,
                                  struct deadline by, struct err *err);

#endif
