/* The values of a phone's settings, with as few commands as it allows. */
#ifndef RUNNER_DEVICE_SETTINGS_READ_H
#define RUNNER_DEVICE_SETTINGS_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"
#include "base/buf.h"

/*
 * Read settings by their names, such as "system user_rotation": the namespace
 * ("system", "secure" or "global"), a space, and the key. Reads a whole
 * namespace at once with `settings list`, on older phones with
 * `content query`, and one value at a time only where neither works.
 *
 * On success values[i] is the value of names[i], which the caller frees; NULL:
 * the setting is not set, or the phone did not let it be read: known[i] is then
 * false. On failure all values are NULL. Fails as shell_run does.
 */
MUST_USE bool settings_read(struct device *device, const char *const *names,
                            size_t count, struct deadline by, char **values,
                            bool *known, struct err *err);

/*
 * Find a key in the output of `settings list NAMESPACE`, or of
 * `content query --uri content://settings/NAMESPACE`. The caller frees the
 * value; NULL: the output has no such key, or "null" for it.
 */
char *settings_find_in_list(const char *output, const char *key);
char *settings_find_in_query(const char *output, const char *key);

#endif
