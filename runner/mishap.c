#include "runner/mishap.h"

#include "runner/session.h"

/* Nobody but the user can mend these. */
static bool is_setup(enum err_code code)
{
    return code == ERR_INVALID || code == ERR_NOT_FOUND ||
           code == ERR_UNAUTHORIZED || code == ERR_DENIED ||
           code == ERR_UNSUPPORTED;
}

enum mishap mishap_of(enum mishap_place place, enum err_code code)
{
    if (code == ERR_CANCELLED)
        return MISHAP_INTERRUPTED;
    switch (place) {
    case MISHAP_RECORDING:
        return MISHAP_FATAL;
    case MISHAP_DECIDING:
        return is_setup(code) ? MISHAP_FATAL : MISHAP_SERVICE;
    case MISHAP_PREPARING:
        return session_is_loss(code) ? MISHAP_PHONE : MISHAP_TASK;
    case MISHAP_SEEING:
    case MISHAP_ACTING:
    case MISHAP_PLACES:
        break;
    }
    return MISHAP_PHONE;
}
