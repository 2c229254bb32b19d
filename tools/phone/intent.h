/* What somebody wants an app to do. Every text is borrowed. */
#ifndef PHONE_INTENT_H
#define PHONE_INTENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/component.h"

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
    const char *value; /* as it was given; a list is separated by ',' */
};

/* NULL or empty for what is not said. */
struct intent {
    const char *action;
    const char *data; /* a URI */
    const char *type; /* of MIME */
    const char *package;
    struct component component;
    uint32_t flags;
    const char *categories[INTENT_CATEGORIES_MAX];
    size_t category_count;
    struct intent_extra extras[INTENT_EXTRAS_MAX];
    size_t extra_count;
};

/* The launcher's, for that activity. */
struct intent intent_main(const struct component *component);

/* An extra's value, or NULL. */
const char *intent_extra(const struct intent *intent, const char *name);

/* Append it as Android's logs do: "{ act=... cmp=... }", data cut short. */
void intent_print(const struct intent *intent, struct buf *text);

#endif
