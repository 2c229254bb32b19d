/* Differences in the output of services on old and newer phones. */
#ifndef TOOLS_PHONE_SERVICES_SERVICE_DIALECT_H
#define TOOLS_PHONE_SERVICES_SERVICE_DIALECT_H

#include <stdbool.h>

#include "tools/phone/core/android_level.h"

struct service_dialect {
    const char *input_usage;
    const char *delivered; /* am: what is started is in front already */
    bool no_exceptions;    /* mistakes are "Error: ..." */
    bool this_time;        /* am start -W reports two times of the start, and
                              neither its state nor the time it waited */
};

const struct service_dialect *service_dialect(
    const struct android_level *android);

#endif
