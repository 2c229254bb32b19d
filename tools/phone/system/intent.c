#include "tools/phone/system/intent.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

struct phone_intent intent_main(const struct phone_component *component)
{
    return (struct phone_intent){
        .action = INTENT_MAIN,
        .component = *component,
        .flags = INTENT_NEW_TASK | INTENT_RESET_TASK,
        .categories = {INTENT_LAUNCHER},
        .category_count = 1,
    };
}

const char *intent_extra(const struct phone_intent *intent, const char *name)
{
    for (size_t i = 0; i < intent->extra_count; i++) {
        if (!strcmp(intent->extras[i].name, name))
            return intent->extras[i].value;
    }
    return NULL;
}

/* ---- copies ---- */

static const char *copy_text(const char *text)
{
    return text ? mem_dup(text) : NULL;
}

struct phone_intent *intent_copy(const struct phone_intent *intent)
{
    struct phone_intent *copy = mem_new(1, sizeof(*copy));

    *copy = *intent;
    copy->action = copy_text(intent->action);
    copy->data = copy_text(intent->data);
    copy->type = copy_text(intent->type);
    copy->package = copy_text(intent->package);
    for (size_t i = 0; i < intent->category_count; i++)
        copy->categories[i] = copy_text(intent->categories[i]);
    for (size_t i = 0; i < intent->extra_count; i++)
        copy->extras[i] =
            (struct intent_extra){copy_text(intent->extras[i].name),
                                  copy_text(intent->extras[i].value)};
    return copy;
}

void intent_free(struct phone_intent *copy)
{
    if (!copy)
        return;
    free((char *)copy->action);
    free((char *)copy->data);
    free((char *)copy->type);
    free((char *)copy->package);
    for (size_t i = 0; i < copy->category_count; i++)
        free((char *)copy->categories[i]);
    for (size_t i = 0; i < copy->extra_count; i++) {
        free((char *)copy->extras[i].name);
        free((char *)copy->extras[i].value);
    }
    free(copy);
}

/* ---- printing ---- */

/* Schemes whose data is personal. */
static bool is_personal(const char *scheme, size_t length)
{
    static const char *const schemes[] = {"tel",   "sip",    "sms",
                                          "smsto", "mailto", "nfc"};

    for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
        if (strlen(schemes[i]) == length &&
            !strncasecmp(schemes[i], scheme, length))
            return true;
    }
    return false;
}

/* Like android.net.Uri.toSafeString: without personal data. */
static void print_data(const char *data, struct buf *text)
{
    const char *colon = strchr(data, ':');
    const char *rest = colon ? colon + 1 : data;

    buf_append(text, data, (size_t)(rest - data));
    if (!colon)
        return;
    if (is_personal(data, (size_t)(colon - data))) {
        for (; *rest; rest++)
            buf_byte(text, strchr("-@.", *rest) ? *rest : 'x');
    } else if (!strncmp(rest, "//", 2)) {
        buf_append(text, rest, 2 + strcspn(rest + 2, "/?#"));
        buf_text(text, "/...");
    } else if (rest[0] == '/') {
        buf_text(text, "/...");
    }
}

void intent_print(const struct phone_intent *intent, struct buf *text)
{
    char component[COMPONENT_TEXT_SIZE];

    buf_text(text, "{ ");
    if (intent->action)
        buf_printf(text, "act=%s ", intent->action);
    for (size_t i = 0; i < intent->category_count; i++)
        buf_printf(text, "%s%s%s", i ? "," : "cat=[", intent->categories[i],
                   i + 1 < intent->category_count ? "" : "] ");
    if (intent->data) {
        buf_text(text, "dat=");
        print_data(intent->data, text);
        buf_byte(text, ' ');
    }
    if (intent->type)
        buf_printf(text, "typ=%s ", intent->type);
    if (intent->flags)
        buf_printf(text, "flg=0x%x ", (unsigned)intent->flags);
    if (intent->package)
        buf_printf(text, "pkg=%s ", intent->package);
    if (intent->component.package[0])
        buf_printf(text, "cmp=%s ",
                   component_short(&intent->component, component));
    buf_text(text, intent->extra_count ? "(has extras) }" : "}");
}
