#include "tools/phone/widgets/widget_style.h"

#include <assert.h>
#include <string.h>

/* ---- text: Material 3's type scale ---- */

static const struct type {
    const char *name;
    float size;
    enum font_weight weight;
} types[] = {
    {"display_large", 57, FONT_REGULAR},   {"display_medium", 45, FONT_REGULAR},
    {"display_small", 36, FONT_REGULAR},   {"headline_large", 32, FONT_REGULAR},
    {"headline_medium", 28, FONT_REGULAR}, {"headline_small", 24, FONT_REGULAR},
    {"title_large", 22, FONT_REGULAR},     {"title_medium", 16, FONT_MEDIUM},
    {"title_small", 14, FONT_MEDIUM},      {"body_large", 16, FONT_REGULAR},
    {"body_medium", 14, FONT_REGULAR},     {"body_small", 12, FONT_REGULAR},
    {"label_large", 14, FONT_MEDIUM},      {"label_medium", 12, FONT_MEDIUM},
    {"label_small", 11, FONT_MEDIUM},
};

static bool set_type(struct widget *widget, const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (strcmp(types[i].name, name) != 0)
            continue;
        widget->look.text_size = types[i].size;
        widget->look.weight = types[i].weight;
        return true;
    }
    return false;
}

/* ---- backgrounds of buttons, cards, fields and chips ---- */

static void be_filled(struct widget *widget)
{
    widget->look.background = widget->theme->primary.base;
    widget->look.ink = widget->theme->primary.on;
}

static void be_tonal(struct widget *widget)
{
    widget->look.background = widget->theme->secondary.container;
    widget->look.ink = widget->theme->secondary.on_container;
}

static void be_outlined(struct widget *widget)
{
    widget->look.background = 0;
    widget->look.outline = widget->theme->outline_variant;
}

static void be_elevated(struct widget *widget)
{
    widget->look.background = widget->theme->surface_container_low;
    widget->look.shadow = widget->theme->shadow;
}

static void be_plain(struct widget *widget)
{
    widget->look.background = 0;
    widget->look.outline = 0;
    widget->look.shadow = 0;
}

static void be_danger(struct widget *widget)
{
    widget->look.background = widget->theme->error.base;
    widget->look.ink = widget->theme->error.on;
}

/* Less important text. */
static void be_muted(struct widget *widget)
{
    widget->look.ink = widget->theme->on_surface_variant;
}

static void be_accent(struct widget *widget)
{
    widget->look.ink = widget->theme->primary.base;
}

static const struct ground {
    const char *name;
    void (*set)(struct widget *widget);
} grounds[] = {
    {"filled", be_filled},     {"tonal", be_tonal},   {"outlined", be_outlined},
    {"elevated", be_elevated}, {"plain", be_plain},   {"danger", be_danger},
    {"muted", be_muted},       {"accent", be_accent},
};

bool widget_style_set(struct widget *widget, const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(grounds); i++) {
        if (!strcmp(grounds[i].name, name)) {
            grounds[i].set(widget);
            return true;
        }
    }
    return set_type(widget, name);
}

void widget_style_apply(struct widget *widget, const char *name)
{
    bool known = widget_style_set(widget, name);

    assert(known);
    (void)known;
}
