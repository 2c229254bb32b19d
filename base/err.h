/* Errors with context: the operation, and why it failed. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/macros.h"

/* The kind of failure, for callers to branch on; the text is for the user. */
enum err_code {
    ERR_NONE,
    ERR_IO,           /* an operating system call failed */
    ERR_TIMEOUT,      /* the deadline passed first */
    ERR_CANCELLED,    /* cancelled by the user or the caller */
    ERR_PROTOCOL,     /* the peer violated the protocol; disconnected */
    ERR_CLOSED,       /* the peer ended this stream early */
    ERR_LOST,         /* the device is lost, with all its streams */
    ERR_UNREACHABLE,  /* nothing answers at that address */
    ERR_REFUSED,      /* the device does not offer that service */
    ERR_REMOTE,       /* the device reported a failure */
    ERR_UNAUTHORIZED, /* the device does not trust this computer (yet) */
    ERR_BUSY,         /* another program uses the device */
    ERR_DENIED,       /* this user has no permission for the device */
    ERR_NOT_FOUND,    /* no such device, file or name */
    ERR_INVALID,      /* invalid input from the user */
    ERR_LIMIT,        /* larger than the limit */
    ERR_NO_SPACE,     /* the disk is full */
    ERR_UNSUPPORTED,  /* this peer does not support it */
};

/* An error. On the caller's stack: no globals, no allocation. */
struct err {
    enum err_code code;
    char text[256];
};

#define ERR_INIT                                                               \
    {                                                                          \
        .code = ERR_NONE                                                       \
    }

/*
 * These three are macros so that the compiler knows, without seeing err.c, that
 * they always return false. Otherwise static analysis would consider impossible
 * paths.
 */
static inline bool err_false(void)
{
    return false;
}

/*
 * err_set(err, code, fmt, ...): fill err. Always false, so that a function can
 * fail with: return err_set(err, ...);
 */
#define err_set(...) (err_fill(__VA_ARGS__), err_false())
PRINTF_LIKE(3, 4)
void err_fill(struct err *err, enum err_code code, const char *fmt, ...);

/*
 * err_errno(err, number, fmt, ...): fill err from an errno value: "<what>:
 * <reason>". Always false. The code is ERR_NO_SPACE, ERR_NOT_FOUND or ERR_IO,
 * depending on the number.
 */
#define err_errno(...) (err_fill_errno(__VA_ARGS__), err_false())
PRINTF_LIKE(3, 4)
void err_fill_errno(struct err *err, int number, const char *fmt, ...);

/*
 * err_wrap(err, fmt, ...): put the operation in front of the reason. Always
 * false.
 */
#define err_wrap(...) (err_prepend(__VA_ARGS__), err_false())
PRINTF_LIKE(2, 3)
void err_prepend(struct err *err, const char *fmt, ...);

/* The name of the code in JSON output, such as "timeout". */
const char *err_code_name(enum err_code code);

#endif
