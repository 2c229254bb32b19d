/* The oracle (runner/oracle.h) of a phone in this program. */
#ifndef PHONE_SOURCE_PHONE_ORACLE_H
#define PHONE_SOURCE_PHONE_ORACLE_H

#include "runner/oracle.h"
#include "tools/phone/phone.h"

struct phone_oracle {
    struct oracle oracle;
    struct phone *phone; /* borrowed; NULL while it is switched off */
};

void phone_oracle_init(struct phone_oracle *oracle);

#endif
