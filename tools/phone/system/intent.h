/* An intent: a request to an app. All texts are borrowed. */
#ifndef TOOLS_PHONE_SYSTEM_INTENT_H
#define TOOLS_PHONE_SYSTEM_INTENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/system/component.h"

#define INTENT_EXTRAS_MAX 16U
#define INTENT_CATEGORIES_MAX 8U

#define INTENT_MAIN "android.intent.action.MAIN"
#define INTENT_VIEW "android.intent.action.VIEW"
#define INTENT_LAUNCHER "android.intent.category.LAUNCHER"
#define INTENT_HOME "android.intent.category.HOME"

#define INTENT_NEW_TASK 0x10000000U
#define INTENT_RESET_TASK 0x00200000U

struct intent_extra {
    const char *name;
    const char *value; /* as given; lists are separated by ',' */
};

/* Members that are not given are NULL or empty. */
struct phone_intent {
    const char *action;
    const char *data; /* a URI */
    const char *type; /* MIME type */
    const char *package;
    struct phone_component component;
    uint32_t flags;
    const char *categories[INTENT_CATEGORIES_MAX];
    size_t category_count;
    struct intent_extra extras[INTENT_EXTRAS_MAX];
    size_t extra_count;
};

/* The launcher's intent for that activity. */
struct phone_intent intent_main(const struct phone_component *component);

/* An extra's value, or NULL. */
const char *intent_extra(const struct phone_intent *intent, const char *name);

/* A copy that owns its texts; intent_free frees it. */
struct phone_intent *intent_copy(const struct phone_intent *intent);
void intent_free(struct phone_intent *copy); /* NULL is fine */

/*
 * Append it as in Android's logs: "{ act=... cmp=... }", with the data
 * shortened.
 */
void intent_print(const struct phone_intent *intent, struct buf *text);

#endif
