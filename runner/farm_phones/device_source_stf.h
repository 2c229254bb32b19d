/*
 * Phones of an STF, which several people share: a source of phones
 * (runner/device/device_source.h) with the serials that STF has.
 *
 * A phone is reserved when it is acquired and given back when it is released,
 * by a process beside this one (tools/stf_releaser) if this one was killed, and
 * by STF itself after the idle time.
 */
#ifndef RUNNER_FARM_PHONES_DEVICE_SOURCE_STF_H
#define RUNNER_FARM_PHONES_DEVICE_SOURCE_STF_H

#include "adb/discover/discover.h"
#include "runner/device/device_source.h"

#define DEVICE_SOURCE_STF_MAX 64

struct device_source_stf_options {
    const char *url;
    const char *token;
    const char *serial;   /* of the phone; NULL: any that are free */
    size_t count;         /* how many, without a serial; at least 1 */
    int64_t idle_ms;      /* STF takes a phone back when it is idle so long */
    const char *programs; /* folder of proctor-stf-releaser; NULL: that of this
                             program */
    const struct discover *discover; /* borrowed while the source is open */
};

/*
 * Choose the phones; none is reserved before it is acquired. Blocks while STF
 * lists them. Fails with ERR_NOT_FOUND when there is no such phone, with
 * ERR_BUSY when not enough are free, and as stf_client_open and
 * stf_client_list.
 */
MUST_USE bool device_source_stf_open(
    const struct device_source_stf_options *options,
    struct device_source **source, struct err *err);

#endif
