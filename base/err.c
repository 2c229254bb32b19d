#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void err_fill(struct err *err, enum err_code code, const char *fmt, ...)
{
    char text[sizeof(err->text)]; /* an argument may be the old text */
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    err->code = code;
    memcpy(err->text, text, strlen(text) + 1);
}

static enum err_code code_of_errno(int number)
{
    switch (number) {
    case ENOSPC:
    case EDQUOT:
        return ERR_NO_SPACE;
    case ENOENT:
    case ENOTDIR:
        return ERR_NOT_FOUND;
    default:
        return ERR_IO;
    }
}

void err_fill_errno(struct err *err, int number, const char *fmt, ...)
{
    char what[sizeof(err->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof(what), fmt, args);
    va_end(args);
    err_fill(err, code_of_errno(number), "%s: %s", what, strerror(number));
}

void err_prepend(struct err *err, const char *fmt, ...)
{
    char what[sizeof(err->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof(what), fmt, args);
    va_end(args);
    err_fill(err, err->code, "%s: %s", what, err->text);
}

const char *err_code_name(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return "none";
    case ERR_IO:
        return "io";
    case ERR_TIMEOUT:
        return "timeout";
    case ERR_CANCELLED:
        return "cancelled";
    case ERR_PROTOCOL:
        return "protocol";
    case ERR_CLOSED:
        return "closed";
    case ERR_LOST:
        return "lost";
    case ERR_UNREACHABLE:
        return "unreachable";
    case ERR_REFUSED:
        return "refused";
    case ERR_REMOTE:
        return "remote";
    case ERR_UNAUTHORIZED:
        return "unauthorized";
    case ERR_BUSY:
        return "busy";
    case ERR_DENIED:
        return "denied";
    case ERR_NOT_FOUND:
        return "not-found";
    case ERR_INVALID:
        return "invalid";
    case ERR_LIMIT:
        return "limit";
    case ERR_NO_SPACE:
        return "no-space";
    case ERR_UNSUPPORTED:
        return "unsupported";
    }
    return "unknown";
}
