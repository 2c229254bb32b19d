/* The phone's system properties: getprop and setprop. */
#ifndef TOOLS_PHONE_SYSTEM_PROPS_H
#define TOOLS_PHONE_SYSTEM_PROPS_H

#include "tools/phone/core/android_level.h"
#include "tools/phone/core/string_map.h"

/* Length limit of a value that is not read-only. */
#define PROPS_VALUE_MAX 91U

struct phone_props {
    struct string_map string_map;
    const struct android_level *android;
};

/* Model names of the phone; NULL for the default. */
struct props_options {
    const char *serial;
    const char *locale;
    enum android_version android;
};

/* Set the properties of a new phone. */
void props_init(struct phone_props *props, const struct props_options *options);
void props_release(struct phone_props *props);

/*
 * Delete what does not survive a boot: all but read-only and persistent ones.
 */
void props_boot(struct phone_props *props);

/* Set ro.proctor.clock to "real": the clock is the computer's. */
void props_tell_real_clock(struct phone_props *props);

/* Append the value; nothing if there is none. */
void props_get(struct phone_props *props, const char *name, struct buf *value);

/* Like setprop: false if it is read-only, malformed or too long. */
MUST_USE bool props_set(struct phone_props *props, const char *name,
                        const char *value);

/* Append "[name]: [value]" lines, as getprop prints them. */
void props_list(struct phone_props *props, struct buf *text);

/* Append the content of /system/build.prop: the read-only ones. */
void props_build(const struct android_level *android, struct buf *text);

#endif
