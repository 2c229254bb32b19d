/* The truth (runner/device/truth_source.h) of a phone in this process. */
#ifndef TOOLS_PHONE_SOURCE_PHONE_TRUTH_H
#define TOOLS_PHONE_SOURCE_PHONE_TRUTH_H

#include "runner/device/truth_source.h"
#include "tools/phone/phone.h"

struct phone_truth {
    struct truth_source truth_source;
    struct phone *phone; /* borrowed; NULL while it is switched off */
};

void phone_truth_init(struct phone_truth *truth_source);

#endif
