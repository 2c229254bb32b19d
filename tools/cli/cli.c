#include "tools/cli/cli.h"

int cli_exit_code(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return 0;
    case ERR_INVALID:
    case ERR_NOT_FOUND:
        return 2;
    case ERR_LOST:
        return 5;
    case ERR_CANCELLED:
        return 130;
    case ERR_IO:
    case ERR_TIMEOUT:
    case ERR_PROTOCOL:
    case ERR_CLOSED:
    case ERR_UNREACHABLE:
    case ERR_REFUSED:
    case ERR_REMOTE:
    case ERR_UNAUTHORIZED:
    case ERR_LIMIT:
    case ERR_NO_SPACE:
    case ERR_UNSUPPORTED:
        break;
    }
    return 1;
}
