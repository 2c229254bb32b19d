/* What of the handset is in a snapshot. */
#include <string.h>

#include "tools/phone/handset.h"

SNAPSHOT_PART(files)
SNAPSHOT_PART(virtual_clock)
SNAPSHOT_PART(pairs)
SNAPSHOT_PART(settings)
SNAPSHOT_PART(logs)
SNAPSHOT_PART(packages)
SNAPSHOT_PART(processes)
SNAPSHOT_PART(battery)
SNAPSHOT_PART(faults)

void handset_parts(struct handset *handset,
                   struct snapshot_part parts[static HANDSET_PARTS])
{
    const struct snapshot_part list[HANDSET_PARTS] = {
        {"files", save_files, load_files, handset->root},
        {"clock", save_virtual_clock, load_virtual_clock, &handset->clock},
        {"props", save_pairs, load_pairs, &handset->props.pairs},
        {"settings", save_settings, load_settings, &handset->settings},
        {"logs", save_logs, load_logs, &handset->logs},
        {"packages", save_packages, load_packages, &handset->packages},
        {"processes", save_processes, load_processes, &handset->processes},
        {"world", save_pairs, load_pairs, &handset->world},
        {"battery", save_battery, load_battery, &handset->battery},
        {"faults", save_faults, load_faults, &handset->faults},
    };

    memcpy(parts, list, sizeof(list));
}
