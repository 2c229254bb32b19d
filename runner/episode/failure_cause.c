#include "runner/episode/failure_cause.h"

#include "runner/session/device_session.h"

/* Only the user can fix these. */
static bool is_setup(enum err_code code)
{
    return code == ERR_INVALID || code == ERR_NOT_FOUND ||
           code == ERR_UNAUTHORIZED || code == ERR_DENIED ||
           code == ERR_UNSUPPORTED;
}

enum failure_cause failure_cause_of(enum episode_phase phase,
                                    enum err_code code)
{
    if (code == ERR_CANCELLED)
        return FAILURE_CAUSE_INTERRUPTED;
    switch (phase) {
    case EPISODE_PHASE_RECORD:
        return FAILURE_CAUSE_FATAL;
    case EPISODE_PHASE_DECIDE:
        return is_setup(code) ? FAILURE_CAUSE_FATAL : FAILURE_CAUSE_SERVICE;
    case EPISODE_PHASE_SETUP:
        if (code == ERR_NOT_FOUND)
            return FAILURE_CAUSE_LACK;
        return device_session_is_loss(code) ? FAILURE_CAUSE_PHONE
                                            : FAILURE_CAUSE_TASK;
    case EPISODE_PHASE_OBSERVE:
    case EPISODE_PHASE_ACT:
    case EPISODE_PHASES:
        break;
    }
    return FAILURE_CAUSE_PHONE;
}
