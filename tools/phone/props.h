/* The phone's system properties: getprop and setprop. */
#ifndef PHONE_PROPS_H
#define PHONE_PROPS_H

#include "tools/phone/pairs.h"

/* A value that is not read-only is at most this long. */
#define PROPS_VALUE_MAX 91U

struct props {
    struct pairs pairs;
};

/* What the phone calls itself; NULL for what it is by default. */
struct props_options {
    const char *serial;
    const char *locale;
};

/* The properties of a new phone. */
void props_init(struct props *props, const struct props_options *options);
void props_release(struct props *props);

/* Forget what a boot forgets: all but what is read-only or persistent. */
void props_boot(struct props *props);

/* Say that time passes by itself on this phone: ro.proctor.clock is "real". */
void props_tell_real_clock(struct props *props);

/* Append the value; nothing when there is none. */
void props_get(struct props *props, const char *name, struct buf *value);

/* As setprop may: false for what is read-only, malformed or too much. */
MUST_USE bool props_set(struct props *props, const char *name,
                        const char *value);

/* Append "[name]: [value]" lines, as getprop prints them. */
void props_list(struct props *props, struct buf *text);

/* Append what /system/build.prop says: the read-only ones. */
void props_build(struct buf *text);

#endif
