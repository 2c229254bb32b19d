/* The banner: what each peer sends about itself when a connection starts. */
#ifndef ADB_WIRE_BANNER_H
#define ADB_WIRE_BANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Optional protocol features. Usable only if both peers name them. */
enum feature {
    FEATURE_SHELL_V2,
    FEATURE_CMD,
    FEATURE_STAT_V2,
    FEATURE_LS_V2,
    FEATURE_SENDRECV_V2,
    FEATURE_SENDRECV_V2_BROTLI,
    FEATURE_SENDRECV_V2_LZ4,
    FEATURE_SENDRECV_V2_ZSTD,
    FEATURE_SENDRECV_V2_DRY_RUN_SEND,
    FEATURE_ABB,
    FEATURE_ABB_EXEC,
    FEATURE_FIXED_PUSH_MKDIR,
    FEATURE_FIXED_PUSH_SYMLINK_TIMESTAMP,
    FEATURE_APEX,
    FEATURE_DELAYED_ACK,
    FEATURE_COUNT
};

/* A set of features, one bit each. */
typedef uint32_t feature_set;

#define FEATURE_BIT(feature) ((feature_set)1 << (feature))

struct banner {
    char state[16]; /* "device", "recovery", "sideload", "host", ... */
    char product[64];
    char model[64];
    char device[64];
    feature_set features;
};

/*
 * Parse "device::ro.product.name=a;ro.product.model=b;features=c,d".
 * Unknown properties and features are skipped, control characters become '?',
 * long values are cut. Fails with ERR_PROTOCOL when there is no "state::".
 */
MUST_USE bool banner_parse(const char *text, size_t length,
                           struct banner *banner, struct err *err);

/* Write it in the same form; empty properties are left out. */
void banner_format(const struct banner *banner, struct buf *text);

/* A comma-separated list, as banners and adb servers give it. */
feature_set features_parse(const char *text, size_t length);

/* The feature's name on the wire. */
const char *feature_name(enum feature feature);

#endif
