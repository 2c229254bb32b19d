/* Errors with context: what was being done, and why it failed. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/macros.h"

/* What kind of failure; callers branch on it, people read the text. */
enum err_code {
    ERR_NONE,
    ERR_IO,           /* the operating system said no */
    ERR_TIMEOUT,      /* the deadline passed first */
    ERR_CANCELLED,    /* somebody asked us to stop */
    ERR_PROTOCOL,     /* the peer broke the rules; it is cut off */
    ERR_CLOSED,       /* the peer ended this one stream early */
    ERR_LOST,         /* the device is gone, and every stream with it */
    ERR_UNREACHABLE,  /* nobody answers at that address */
    ERR_REFUSED,      /* the device does not offer that service */
    ERR_REMOTE,       /* the device tried and reports its own failure */
    ERR_UNAUTHORIZED, /* the device does not trust this computer (yet) */
    ERR_BUSY,         /* somebody else uses the device */
    ERR_DENIED,       /* this user may not use the device */
    ERR_NOT_FOUND,    /* no such device, file or name */
    ERR_INVALID,      /* what the user gave makes no sense */
    ERR_LIMIT,        /* larger than we are willing to take */
    ERR_NO_SPACE,     /* the disk is full */
    ERR_UNSUPPORTED,  /* this peer cannot do that */
};

/* What went wrong. Lives in the caller's frame: no globals, no allocation. */
struct err {
    enum err_code code;
    char text[256];
};

#define ERR_INIT                                                               \
    {                                                                          \
        .code = ERR_NONE                                                       \
    }

/*
 * The three ways to fail are macros, because a compiler that sees one file at
 * a time must still know that they are always false: what follows a success
 * is then never analysed for a failure.
 */
static inline bool err_false(void)
{
    return false;
}

/* err_set(err, code, fmt, ...): fill err. Always false, so that failing
 * reads: return err_set(err, ...); */
#define err_set(...) (err_fill(__VA_ARGS__), err_false())
PRINTF_LIKE(3, 4)
void err_fill(struct err *err, enum err_code code, const char *fmt, ...);

/*
 * err_errno(err, number, fmt, ...): fill err from an errno value:
 * "<what>: <reason>". Always false.
 * The code is ERR_NO_SPACE, ERR_NOT_FOUND or ERR_IO, as the number says.
 */
#define err_errno(...) (err_fill_errno(__VA_ARGS__), err_false())
PRINTF_LIKE(3, 4)
void err_fill_errno(struct err *err, int number, const char *fmt, ...);

/* err_wrap(err, fmt, ...): put what we were doing in front of why it failed.
 * Always false. */
#define err_wrap(...) (err_prepend(__VA_ARGS__), err_false())
PRINTF_LIKE(2, 3)
void err_prepend(struct err *err, const char *fmt, ...);

/* The code's name as it appears in JSON, such as "timeout". */
const char *err_code_name(enum err_code code);

#endif
