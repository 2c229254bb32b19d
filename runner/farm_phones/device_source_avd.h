/*
 * Emulators of one AVD that are started for this program: a source of phones
 * (runner/device/device_source.h) named "emulator-PORT".
 *
 * An emulator starts when it is acquired, keeps running between leases, and
 * ends with the source. One that has ended is started again when it is next
 * acquired; a lease of it fails with ERR_LOST until then. acquire blocks for as
 * long as the emulator may take to boot, whatever its deadline.
 */
#ifndef RUNNER_FARM_PHONES_DEVICE_SOURCE_AVD_H
#define RUNNER_FARM_PHONES_DEVICE_SOURCE_AVD_H

#include "adb/discover/discover.h"
#include "runner/device/device_source.h"

#define DEVICE_SOURCE_AVD_MAX 16

struct device_source_avd_options {
    const char *avd;      /* its name */
    size_t count;         /* how many emulators; at least 1 */
    const char *programs; /* folder of proctor-supervisor; NULL: that of this
                             program */
    const struct discover *discover; /* borrowed while the source is open */
};

/*
 * Find the SDK and the AVD, and lease ports; no emulator is started. Fails with
 * ERR_NOT_FOUND when there is no SDK or no such AVD, with ERR_INVALID for a
 * wrong number or setting, and as emulator_ports_take.
 */
MUST_USE bool device_source_avd_open(
    const struct device_source_avd_options *options,
    struct device_source **source, struct err *err);

#endif
