/*
 * An adb command line on top of a running adb server.
 *
 * Commands, texts and exit codes are those of AOSP's adb 34. It never starts or
 * ends a server, and it does not let its arguments choose one: the environment
 * does (see adb_cli_server).
 */
#ifndef TOOLS_ADB_CLI_ADB_CLI_H
#define TOOLS_ADB_CLI_ADB_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "adb/device/server_client.h"
#include "base/buf.h"
#include "base/macros.h"

enum adb_cli_scope {
    ADB_CLI_ANY,
    ADB_CLI_USB,    /* -d */
    ADB_CLI_LOCAL,  /* -e */
    ADB_CLI_SERIAL, /* -s, ANDROID_SERIAL */
    ADB_CLI_ID,     /* -t */
};

struct adb_cli {
    struct server_client server;
    enum adb_cli_scope scope;
    const char *serial; /* borrowed */
    const char *id;     /* borrowed; digits */
};

/*
 * A command: argv[0] is its name, argv[argc] is NULL. Returns the exit code;
 * messages are printed.
 */
typedef int adb_cli_run_fn(struct adb_cli *cli, int argc, char **argv);

struct adb_cli_command {
    const char *name;
    adb_cli_run_fn *run;
};

/* A table of commands, which ends with a NULL name, for each file of them. */
extern const struct adb_cli_command adb_cli_server_commands[];
extern const struct adb_cli_command adb_cli_forward_commands[];
extern const struct adb_cli_command adb_cli_shell_commands[];
extern const struct adb_cli_command adb_cli_restart_commands[];
extern const struct adb_cli_command adb_cli_file_commands[];
extern const struct adb_cli_command adb_cli_install_commands[];
extern const struct adb_cli_command adb_cli_session_commands[];

/* Run the program; see adb_cli_run_fn. */
int adb_cli_main(int argc, char **argv);

/*
 * The server that PROCTOR_ADB_SERVER names ("PORT" or "HOST:PORT"); otherwise
 * that in the file with SERVER_CLIENT_FILE, beside the program as it was
 * called; otherwise as server_client_from_environment does.
 */
MUST_USE bool adb_cli_server(struct server_client *server, struct err *err);

/* Print "adb: MESSAGE" on stderr. Always 1, so that a command ends with it. */
PRINTF_LIKE(1, 2) int adb_cli_fail(const char *fmt, ...);

/* What an error of the library is in AOSP's words. Valid as long as err. */
const char *adb_cli_reason(const struct adb_cli *cli, struct err *err);

/* Print "error: REASON" on stderr. Always 1. */
int adb_cli_error(const struct adb_cli *cli, struct err *err);

/* Append a request about the selected phone, such as "host:get-state". */
void adb_cli_request(const struct adb_cli *cli, const char *command,
                     struct buf *request);

/* Send a request and print the answer on a line of stdout; the exit code. */
int adb_cli_query(const struct adb_cli *cli, const char *request);

/* The same for a command about the selected phone. */
int adb_cli_query_phone(const struct adb_cli *cli, const char *command);

/* The serial of the selected phone. */
MUST_USE bool adb_cli_serial(const struct adb_cli *cli, struct buf *serial,
                             struct err *err);

/* The selected phone, with its features. The caller closes it. */
MUST_USE bool adb_cli_device(const struct adb_cli *cli, struct device **device,
                             struct err *err);

/* Open a service of the selected phone. */
MUST_USE bool adb_cli_service(const struct adb_cli *cli, const char *service,
                              struct stream **stream, struct err *err);

/* Copy a stream to a descriptor until it ends. */
MUST_USE bool adb_cli_copy(struct stream *stream, int fd, struct err *err);

/* Open a service and print what it sends on stdout; the exit code. */
int adb_cli_print_service(const struct adb_cli *cli, const char *service);

/* Append argv as one command, its words joined with spaces; quoted or not. */
void adb_cli_join(struct buf *command, int argc, char **argv, bool quoted);

/* Run a command in the phone's shell with this program's streams. */
int adb_cli_shell(const struct adb_cli *cli, const char *command);

/* The longest command line. */
#define ADB_CLI_COMMAND_MAX ((size_t)1024 * 1024)

#endif
