/*
 * A request to an adb server: "host:COMMAND", "host-serial:SERIAL:COMMAND", or
 * a service for the phone that an earlier request has selected. Pure parsers.
 */
#ifndef ADB_SERVER_SERVER_REQUEST_H
#define ADB_SERVER_SERVER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which phone a request is about. */
enum server_scope {
    SERVER_SCOPE_ANY,    /* the only phone, or the selected one */
    SERVER_SCOPE_USB,    /* the only phone on USB */
    SERVER_SCOPE_LOCAL,  /* the only phone on TCP */
    SERVER_SCOPE_SERIAL, /* the phone with that serial */
    SERVER_SCOPE_ID,     /* the phone with that transport id */
};

#define SERVER_SERIAL_MAX 256

struct server_target {
    enum server_scope scope;
    char serial[SERVER_SERIAL_MAX];
    uint64_t id;
};

enum server_request_kind {
    SERVER_REQUEST_SERVICE, /* command is a service of the selected phone */
    SERVER_REQUEST_HOST,    /* command is for the server */
    SERVER_REQUEST_INVALID,
};

struct server_request {
    enum server_request_kind kind;
    struct server_target target; /* of a command for the server */
    const char *command;         /* borrowed: a part of the request */
};

/* Parse a whole request. */
struct server_request server_request_parse(const char *text);

/*
 * Parse a command that selects a phone: "transport-usb", "transport:SERIAL",
 * "transport-id:N", "tport:usb", ... False: it is no such command. *with_id:
 * the answer includes the transport id (tport).
 */
bool server_request_parse_transport(const char *command,
                                    struct server_target *target,
                                    bool *with_id);

/* The states for which a client can wait. */
enum server_wait {
    SERVER_WAIT_DEVICE,
    SERVER_WAIT_DISCONNECT,
    SERVER_WAIT_ANY,
    SERVER_WAIT_OTHER, /* recovery, ...: states that no phone here gets to */
};

/*
 * Parse "wait-for[-usb|-local|-any]-STATE"; false: it is something else. target
 * is changed if the command names a kind of transport.
 */
bool server_request_parse_wait(const char *command,
                               struct server_target *target,
                               enum server_wait *wait);

#endif
