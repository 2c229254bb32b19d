#include "adb/wire/banner.h"

#include <string.h>

#include "base/clean_text.h"

static const char *const feature_names[FEATURE_COUNT] = {
    [FEATURE_SHELL_V2] = "shell_v2",
    [FEATURE_CMD] = "cmd",
    [FEATURE_STAT_V2] = "stat_v2",
    [FEATURE_LS_V2] = "ls_v2",
    [FEATURE_SENDRECV_V2] = "sendrecv_v2",
    [FEATURE_SENDRECV_V2_BROTLI] = "sendrecv_v2_brotli",
    [FEATURE_SENDRECV_V2_LZ4] = "sendrecv_v2_lz4",
    [FEATURE_SENDRECV_V2_ZSTD] = "sendrecv_v2_zstd",
    [FEATURE_SENDRECV_V2_DRY_RUN_SEND] = "sendrecv_v2_dry_run_send",
    [FEATURE_ABB] = "abb",
    [FEATURE_ABB_EXEC] = "abb_exec",
    [FEATURE_FIXED_PUSH_MKDIR] = "fixed_push_mkdir",
    [FEATURE_FIXED_PUSH_SYMLINK_TIMESTAMP] = "fixed_push_symlink_timestamp",
    [FEATURE_APEX] = "apex",
    [FEATURE_DELAYED_ACK] = "delayed_ack",
};

const char *feature_name(enum feature feature)
{
    return feature_names[feature];
}

/* The length of the part before separator, or of all that is left. */
static size_t span(const char *text, size_t length, char separator)
{
    const char *end = memchr(text, separator, length);

    return end ? (size_t)(end - text) : length;
}

static bool equals(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && !memcmp(text, word, length);
}

feature_set features_parse(const char *text, size_t length)
{
    feature_set features = 0;

    while (length) {
        size_t word = span(text, length, ',');

        for (int i = 0; i < FEATURE_COUNT; i++) {
            if (equals(text, word, feature_names[i]))
                features |= FEATURE_BIT(i);
        }
        word += word < length; /* the comma */
        text += word;
        length -= word;
    }
    return features;
}

static void take_property(struct banner *banner, const char *text,
                          size_t length)
{
    size_t key = span(text, length, '=');
    const char *value = text + key + 1;
    size_t size;

    if (key == length)
        return;
    size = length - key - 1;
    if (equals(text, key, "ro.product.name"))
        clean_text_copy(banner->product, sizeof(banner->product), value, size);
    else if (equals(text, key, "ro.product.model"))
        clean_text_copy(banner->model, sizeof(banner->model), value, size);
    else if (equals(text, key, "ro.product.device"))
        clean_text_copy(banner->device, sizeof(banner->device), value, size);
    else if (equals(text, key, "features"))
        banner->features = features_parse(value, size);
}

bool banner_parse(const char *text, size_t length, struct banner *banner,
                  struct err *err)
{
    struct banner read = {0};
    size_t state;

    length = strnlen(text, length); /* some peers end it with a NUL */
    state = span(text, length, ':');
    if (state == 0 || state >= sizeof(read.state) || length < state + 2 ||
        text[state + 1] != ':')
        return err_set(err, ERR_PROTOCOL,
                       "the peer's banner does not begin with STATE::");
    clean_text_copy(read.state, sizeof(read.state), text, state);
    text += state + 2;
    length -= state + 2;
    while (length) {
        size_t property = span(text, length, ';');

        take_property(&read, text, property);
        property += property < length; /* the semicolon */
        text += property;
        length -= property;
    }
    *banner = read;
    return true;
}

static void format_property(struct buf *text, const char *key,
                            const char *value)
{
    if (*value)
        buf_printf(text, "%s=%s;", key, value);
}

void banner_format(const struct banner *banner, struct buf *text)
{
    const char *separator = "";

    buf_printf(text, "%s::", banner->state);
    format_property(text, "ro.product.name", banner->product);
    format_property(text, "ro.product.model", banner->model);
    format_property(text, "ro.product.device", banner->device);
    buf_text(text, "features=");
    for (int i = 0; i < FEATURE_COUNT; i++) {
        if (!(banner->features & FEATURE_BIT(i)))
            continue;
        buf_printf(text, "%s%s", separator, feature_names[i]);
        separator = ",";
    }
}
