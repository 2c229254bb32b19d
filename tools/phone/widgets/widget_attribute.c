#include "tools/phone/widgets/widget_attribute.h"

#include <math.h>
#include <string.h>

#include "tools/phone/widgets/widget_style.h"

/* The largest number of an attribute. */
#define NUMBER_MAX 1e6

struct widget_attribute;

/* Set it from a value of the right type. False for an invalid value. */
typedef bool set_fn(struct widget *widget,
                    const struct widget_attribute *attribute,
                    const struct widget_attribute_value *value);

struct widget_attribute {
    const char *name;
    set_fn *set;
    void (*copy)(struct widget *widget, const char *text);
    const char *const *choice; /* the names of its values; NULL at the end */
    size_t offset;             /* offset in struct widget */
    enum widget_attribute_type type;
    unsigned flag;
};

/* ---- setting ---- */

static void *field_of(struct widget *widget,
                      const struct widget_attribute *attribute)
{
    return (char *)widget + attribute->offset;
}

static bool set_text(struct widget *widget,
                     const struct widget_attribute *attribute,
                     const struct widget_attribute_value *value)
{
    attribute->copy(widget, value->text);
    return true;
}

static bool set_style(struct widget *widget,
                      const struct widget_attribute *attribute,
                      const struct widget_attribute_value *value)
{
    (void)attribute;
    return widget_style_set(widget, value->text);
}

static bool set_flag(struct widget *widget,
                     const struct widget_attribute *attribute,
                     const struct widget_attribute_value *value)
{
    widget->flags &= ~attribute->flag;
    widget->flags |= value->yes ? attribute->flag : 0;
    return true;
}

static bool set_float(struct widget *widget,
                      const struct widget_attribute *attribute,
                      const struct widget_attribute_value *value)
{
    float *field = field_of(widget, attribute);

    *field = (float)value->number;
    return true;
}

static bool set_int(struct widget *widget,
                    const struct widget_attribute *attribute,
                    const struct widget_attribute_value *value)
{
    int *field = field_of(widget, attribute);

    if (value->number < 0)
        return false;
    *field = (int)value->number;
    return true;
}

/* A number of dp, "fill" or "wrap". */
static bool set_side(struct widget *widget,
                     const struct widget_attribute *attribute,
                     const struct widget_attribute_value *value)
{
    float *field = field_of(widget, attribute);

    if (value->type == WIDGET_ATTRIBUTE_NUMBER && value->number >= 0)
        *field = (float)value->number;
    else if (value->type == WIDGET_ATTRIBUTE_TEXT &&
             !strcmp(value->text, "fill"))
        *field = WIDGET_FILL;
    else if (value->type == WIDGET_ATTRIBUTE_TEXT &&
             !strcmp(value->text, "wrap"))
        *field = WIDGET_WRAP;
    else
        return false;
    return true;
}

static bool set_padding(struct widget *widget,
                        const struct widget_attribute *attribute,
                        const struct widget_attribute_value *value)
{
    float all = (float)value->number;

    (void)attribute;
    widget->layout.padding = (struct widget_edges){all, all, all, all};
    return true;
}

static bool set_color(struct widget *widget,
                      const struct widget_attribute *attribute,
                      const struct widget_attribute_value *value)
{
    return theme_color(widget->theme, value->text, field_of(widget, attribute));
}

static bool set_choice(struct widget *widget,
                       const struct widget_attribute *attribute,
                       const struct widget_attribute_value *value)
{
    int *field = field_of(widget, attribute);

    for (int i = 0; attribute->choice[i]; i++) {
        if (!strcmp(attribute->choice[i], value->text)) {
            *field = i;
            return true;
        }
    }
    return false;
}

static bool set_icon(struct widget *widget,
                     const struct widget_attribute *attribute,
                     const struct widget_attribute_value *value)
{
    const struct phone_icon *icon = icon_find(value->text);

    (void)attribute;
    if (!icon)
        return false;
    widget->look.icon = icon;
    return true;
}

static bool set_art(struct widget *widget,
                    const struct widget_attribute *attribute,
                    const struct widget_attribute_value *value)
{
    const struct artwork *artwork = artwork_find(value->text);

    (void)attribute;
    if (!artwork)
        return false;
    widget->look.artwork = artwork;
    return true;
}

/* Its name says what it shows; the seed lets screens tell pictures apart. */
static bool set_picture(struct widget *widget,
                        const struct widget_attribute *attribute,
                        const struct widget_attribute_value *value)
{
    const struct widget_tree *tree = widget->tree;
    const struct picture *picture =
        tree->find_picture ? tree->find_picture(tree->pictures, value->text)
                           : NULL;
    uint32_t seed = 0;

    (void)attribute;
    if (!picture)
        return false;
    for (const char *at = value->text; *at; at++)
        seed = seed * 31 + (unsigned char)*at;
    widget->look.picture = picture;
    widget->look.seed = (int)(seed & INT32_MAX);
    return true;
}

/* ---- the table ---- */

static const char *const aligns[] = {
    [WIDGET_START] = "start",
    [WIDGET_CENTER] = "center",
    [WIDGET_END] = "end",
    [WIDGET_SPREAD] = "spread",
    NULL,
};
static const char *const text_aligns[] = {
    [PARAGRAPH_LEFT] = "left",
    [PARAGRAPH_CENTER] = "center",
    [PARAGRAPH_RIGHT] = "right",
    NULL,
};
static const char *const weights[] = {
    [FONT_REGULAR] = "regular",
    [FONT_LIGHT] = "light",
    [FONT_MEDIUM] = "medium",
    [FONT_BOLD] = "bold",
    NULL,
};

/* clang-format off */
#define AT(field_) .offset = offsetof(struct widget, field_)
#define TEXT(name_, copy_)                                                     \
    { .name = (name_), .type = WIDGET_ATTRIBUTE_TEXT, .set = set_text,                \
      .copy = (copy_) }
#define NUMBER(name_, field_)                                                  \
    { .name = (name_), .type = WIDGET_ATTRIBUTE_NUMBER, .set = set_float, AT(field_) }
#define COUNT(name_, field_)                                                   \
    { .name = (name_), .type = WIDGET_ATTRIBUTE_NUMBER, .set = set_int, AT(field_) }
#define SIDE(name_, field_)                                                    \
    { .name = (name_), .type = WIDGET_ATTRIBUTE_NUMBER, .set = set_side, AT(field_) }
#define COLOR(name_, field_)                                                   \
    { .name = (name_), .type = WIDGET_ATTRIBUTE_TEXT, .set = set_color, AT(field_) }
#define CHOICE(name_, field_, names_)                                          \
    { .name = (name_), .type = WIDGET_ATTRIBUTE_TEXT, .set = set_choice, AT(field_),  \
      .choice = (names_) }
#define FLAG(name_, flag_)                                                     \
    { .name = (name_), .type = WIDGET_ATTRIBUTE_BOOL, .set = set_flag,                \
      .flag = (flag_) }

static const struct widget_attribute attributes[] = {
    {.name = "style", .type = WIDGET_ATTRIBUTE_TEXT, .set = set_style},
    TEXT("key", widget_set_key),
    TEXT("id", widget_set_id),
    TEXT("class", widget_set_class),
    TEXT("text", widget_set_text),
    TEXT("detail", widget_set_detail),
    TEXT("description", widget_set_description),
    TEXT("hint", widget_set_hint),
    {.name = "icon", .type = WIDGET_ATTRIBUTE_TEXT, .set = set_icon},
    {.name = "picture", .type = WIDGET_ATTRIBUTE_TEXT, .set = set_picture},
    {.name = "art", .type = WIDGET_ATTRIBUTE_TEXT, .set = set_art},
    COUNT("seed", look.seed),
    SIDE("width", layout.width),
    SIDE("height", layout.height),
    NUMBER("weight", layout.weight),
    NUMBER("gap", layout.gap),
    {.name = "padding", .type = WIDGET_ATTRIBUTE_NUMBER, .set = set_padding},
    NUMBER("padding_left", layout.padding.left),
    NUMBER("padding_top", layout.padding.top),
    NUMBER("padding_right", layout.padding.right),
    NUMBER("padding_bottom", layout.padding.bottom),
    CHOICE("across", layout.across, aligns),
    CHOICE("down", layout.down, aligns),
    COUNT("columns", layout.columns),
    COLOR("background", look.background),
    COLOR("outline", look.outline),
    COLOR("shadow", look.shadow),
    COLOR("ink", look.ink),
    NUMBER("radius", look.radius),
    NUMBER("text_size", look.text_size),
    CHOICE("font", look.weight, weights),
    CHOICE("text_align", look.text_align, text_aligns),
    COUNT("lines", look.lines),
    NUMBER("value", range.value),
    NUMBER("from", range.from),
    NUMBER("to", range.to),
    NUMBER("step", range.step),
    FLAG("clickable", WIDGET_CLICKABLE),
    FLAG("long_clickable", WIDGET_LONG_CLICKABLE),
    FLAG("checkable", WIDGET_CHECKABLE),
    FLAG("checked", WIDGET_CHECKED),
    FLAG("focusable", WIDGET_FOCUSABLE),
    FLAG("selected", WIDGET_SELECTED),
    FLAG("disabled", WIDGET_DISABLED),
    FLAG("password", WIDGET_PASSWORD),
    FLAG("autofocus", WIDGET_AUTOFOCUS),
    FLAG("clips", WIDGET_CLIPS),
};
/* clang-format on */

const char *widget_attribute_name(size_t number)
{
    return number < ARRAY_LEN(attributes) ? attributes[number].name : NULL;
}

static bool is_of_type(const struct widget_attribute *attribute,
                       const struct widget_attribute_value *value)
{
    if (attribute->set == set_side && value->type == WIDGET_ATTRIBUTE_TEXT)
        return true;
    return value->type == attribute->type;
}

bool widget_attribute_set_at(struct widget *widget, size_t number,
                             const struct widget_attribute_value *value,
                             struct err *err)
{
    static const char *const types[] = {"true or false", "a number", "a text"};
    const struct widget_attribute *attribute = &attributes[number];
    const char *name = attribute->name;

    if (!is_of_type(attribute, value))
        return err_set(err, ERR_INVALID, "%s: expected %s", name,
                       types[attribute->type]);
    if (value->type == WIDGET_ATTRIBUTE_NUMBER &&
        !(fabs(value->number) <= NUMBER_MAX))
        return err_set(err, ERR_INVALID,
                       "%s: the number is too large or not finite", name);
    if (attribute->set(widget, attribute, value))
        return true;
    if (value->type == WIDGET_ATTRIBUTE_TEXT)
        return err_set(err, ERR_INVALID, "%s cannot be \"%.60s\"", name,
                       value->text);
    return err_set(err, ERR_INVALID, "%s cannot be %g", name, value->number);
}

bool widget_attribute_set(struct widget *widget, const char *name,
                          const struct widget_attribute_value *value,
                          struct err *err)
{
    for (size_t i = 0; i < ARRAY_LEN(attributes); i++) {
        if (!strcmp(attributes[i].name, name))
            return widget_attribute_set_at(widget, i, value, err);
    }
    return err_set(err, ERR_NOT_FOUND, "a %.40s has no attribute %.40s",
                   widget->kind->name, name);
}
