/* The handset's parts of a snapshot. */
#include <string.h>

#include "tools/phone/system/handset.h"

SNAPSHOT_PART(files)
SNAPSHOT_PART(virtual_clock)
SNAPSHOT_PART(string_map)
SNAPSHOT_PART(settings)
SNAPSHOT_PART(logs)
SNAPSHOT_PART(packages)
SNAPSHOT_PART(processes)
SNAPSHOT_PART(battery)
SNAPSHOT_PART(faults)
SNAPSHOT_PART(notifications)

void handset_parts(struct handset *handset,
                   struct snapshot_part parts[static HANDSET_PARTS])
{
    const struct snapshot_part list[HANDSET_PARTS] = {
        {"files", save_files, load_files, handset->root},
        {"clock", save_virtual_clock, load_virtual_clock, &handset->clock},
        {"props", save_string_map, load_string_map, &handset->props.string_map},
        {"settings", save_settings, load_settings, &handset->settings},
        {"logs", save_logs, load_logs, &handset->logs},
        {"packages", save_packages, load_packages, &handset->packages},
        {"processes", save_processes, load_processes, &handset->processes},
        {"world", save_string_map, load_string_map, &handset->world},
        {"battery", save_battery, load_battery, &handset->battery},
        {"faults", save_faults, load_faults, &handset->faults},
        {"notifications", save_notifications, load_notifications,
         &handset->notifications},
    };

    memcpy(parts, list, sizeof(list));
}
