#include "tests/tools/phone/widgets/gallery.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/graphics/icon_signs.h"
#include "tools/phone/widgets/widget_attribute.h"
#include "tools/phone/widgets/widget_kinds.h"
#include "tools/phone/widgets/widget_style.h"

/* Actions are numbered as they are given, after these. */
enum { TYPE_NAME = 1, TYPE_SECRET, TYPE_NOTES, SLIDE, TOGGLE, SCROLL, OTHER };

struct build {
    struct gallery *gallery;
    bool chinese;
    int action;
};

/* The text in the language of the phone. */
static const char *say(const struct build *build, const char *english,
                       const char *chinese)
{
    return build->chinese ? chinese : english;
}

/* ---- small parts ---- */

static struct widget *add(struct widget *parent, const char *kind)
{
    const struct widget_kind *found = widget_kinds_find(kind);

    assert(found);
    return widget_new(parent, found);
}

static struct widget *add_text(struct widget *parent, const char *style,
                               const char *text)
{
    struct widget *widget = add(parent, "text");

    widget_style_apply(widget, style);
    widget_set_text(widget, text);
    return widget;
}

/* Something to press, with a text. */
static struct widget *add_press(struct build *build, struct widget *parent,
                                const char *kind, const char *text)
{
    struct widget *widget = add(parent, kind);

    widget_set_action(widget, build->action++, 0);
    if (text)
        widget_set_text(widget, text);
    return widget;
}

static struct widget *add_icon_button(struct build *build,
                                      struct widget *parent, const char *icon,
                                      const char *description)
{
    struct widget *button = add_press(build, parent, "icon_button", NULL);

    button->look.icon = icon_find(icon);
    assert(button->look.icon);
    if (description)
        widget_set_description(button, description);
    return button;
}

static struct widget *add_group(struct widget *parent, const char *kind,
                                float gap)
{
    struct widget *group = add(parent, kind);

    group->layout.width = WIDGET_FILL;
    group->layout.gap = gap;
    group->layout.down = WIDGET_CENTER;
    return group;
}

static void add_app_bar(struct build *build, struct widget *page,
                        const char *title)
{
    struct widget *bar = add(page, "app_bar");

    widget_set_id(bar, "toolbar");
    add_icon_button(build, bar, "back",
                    say(build, "Navigate up", "转到上一层级"));
    widget_set_text(add(bar, "title"), title);
    add_icon_button(build, bar, "search", say(build, "Search", "搜索"));
    widget_set_id(add_icon_button(build, bar, "more", NULL), "overflow");
}

/* A page whose content is scrolled. */
static struct widget *add_page(struct widget_tree *tree)
{
    return add(widget_window(tree, GALLERY_PACKAGE), "page");
}

static struct widget *add_body(struct widget *page)
{
    struct widget *body = add(page, "scroll");

    body->layout.weight = 1;
    body->layout.gap = 14;
    body->layout.padding = (struct widget_edges){16, 8, 16, 16};
    return body;
}

/* ---- controls ---- */

static void add_buttons(struct build *build, struct widget *body)
{
    static const char *const styles[] = {"filled", "tonal", "outlined",
                                         "plain"};
    const char *const names[] = {
        say(build, "Filled", "填充"), say(build, "Tonal", "色调"),
        say(build, "Outlined", "描边"), say(build, "Plain", "文字")};
    struct widget *row = add(body, "flow");
    struct widget *off;

    for (size_t i = 0; i < ARRAY_LEN(styles); i++)
        widget_style_apply(add_press(build, row, "button", names[i]),
                           styles[i]);
    add_press(build, row, "button", say(build, "Add to cart", "加入购物车"))
        ->look.icon = icon_find("cart");
    off = add_press(build, row, "button", say(build, "Disabled", "不可用"));
    off->flags |= WIDGET_DISABLED;
}

static void add_chips(struct build *build, struct widget *body)
{
    const char *const names[] = {say(build, "Open now", "营业中"),
                                 say(build, "4.5 and up", "4.5分以上"),
                                 say(build, "Free delivery", "免配送费"),
                                 say(build, "Nearby", "附近"),
                                 say(build, "Vegetarian", "素食"),
                                 say(build, "New", "新店")};
    struct widget *row = add(body, "carousel");

    widget_set_key(row, "chips");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct widget *chip = add_press(build, row, "chip", names[i]);

        chip->flags |= WIDGET_CHECKABLE | (i % 2 ? 0 : WIDGET_CHECKED);
    }
}

static void add_marks(struct build *build, struct widget *body)
{
    struct widget *row = add(body, "flow");
    struct widget *toggle;

    for (int i = 0; i < 2; i++) {
        struct widget *box =
            add_press(build, row, "checkbox", say(build, "Check", "多选"));
        struct widget *radio =
            add_press(build, row, "radio", say(build, "Radio", "单选"));

        box->flags |= i ? 0 : WIDGET_CHECKED;
        radio->flags |= i ? 0 : WIDGET_CHECKED;
    }
    row = add(body, "flow");
    toggle = add(row, "switch");
    widget_set_action(toggle, TOGGLE, 0);
    widget_set_id(toggle, "toggle");
    toggle->flags |= build->gallery->on ? WIDGET_CHECKED : 0;
    add_press(build, row, "switch", NULL)->flags |= WIDGET_CHECKED;
    add_press(build, row, "switch", NULL)->flags |= WIDGET_DISABLED;
    add(row, "spinner");
    add(row, "rating")->range.value = 3.6F;
    widget_set_text(add(row, "badge"), "99+");
}

static void add_ranges(struct build *build, struct widget *body)
{
    struct widget *slider = add(body, "slider");
    struct widget *progress = add(body, "progress");

    slider->action = SLIDE;
    slider->range.value = build->gallery->volume;
    widget_set_id(slider, "volume");
    widget_set_description(slider, say(build, "Volume", "音量"));
    progress->range.value = 0.4F;
}

static void add_icons(struct widget *body)
{
    struct widget *flow = add(body, "flow");

    flow->layout.gap = 10;
    for (size_t i = 0; i < icon_sign_count; i++)
        add(flow, "icon")->look.icon = &icon_signs[i].icon;
}

static void add_types(struct build *build, struct widget *body)
{
    static const char *const styles[] = {"headline_medium", "title_large",
                                         "title_medium",    "body_large",
                                         "body_medium",     "label_small"};

    for (size_t i = 0; i < ARRAY_LEN(styles); i++)
        add_text(body, styles[i],
                 say(build, "The quick brown fox 🦊 jumps 123",
                     "天地玄黄 🦊 宇宙洪荒 ABC 123"));
}

static void build_controls(struct build *build, struct widget_tree *tree)
{
    struct widget *page = add_page(tree);
    struct widget *tabs, *body;
    const char *const names[] = {say(build, "Controls", "控件"),
                                 say(build, "Lists", "列表"),
                                 say(build, "Pictures", "图片")};

    add_app_bar(build, page, say(build, "Gallery", "组件库"));
    tabs = add(page, "tabs");
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        add_press(build, tabs, "tab", names[i])->flags |=
            i ? 0 : WIDGET_SELECTED;
    body = add_body(page);
    add_buttons(build, body);
    add_chips(build, body);
    add_marks(build, body);
    add_ranges(build, body);
    add_types(build, body);
    add(body, "divider");
    add_icons(body);
}

/* ---- fields ---- */

static struct widget *add_field(struct widget *body, const char *kind,
                                const char *style, int action, const char *text)
{
    struct widget *field = add(body, kind);

    widget_style_apply(field, style);
    field->action = action;
    widget_set_text(field, text);
    return field;
}

static void build_fields(struct build *build, struct widget_tree *tree)
{
    struct gallery *gallery = build->gallery;
    struct widget *page = add_page(tree);
    struct widget *body, *field, *bar;

    add_app_bar(build, page, say(build, "Fields", "输入框"));
    body = add_body(page);
    bar = add(body, "search_bar");
    add(bar, "icon")->look.icon = icon_find("search");
    widget_set_hint(add_field(bar, "field", "body_large", OTHER, ""),
                    say(build, "Search dishes and shops", "搜索美食和商家"));
    add_icon_button(build, bar, "mic", say(build, "Voice search", "语音搜索"));
    field = add_field(body, "field", "outlined", TYPE_NAME, gallery->name);
    widget_set_hint(field, say(build, "Name", "姓名"));
    widget_set_id(field, "name");
    field =
        add_field(body, "field", "body_large", TYPE_SECRET, gallery->secret);
    field->flags |= WIDGET_PASSWORD;
    widget_set_hint(field, say(build, "Password", "密码"));
    widget_set_id(field, "secret");
    field = add_field(body, "area", "outlined", TYPE_NOTES, gallery->notes);
    widget_set_hint(field, say(build, "Notes for the courier", "给骑手的备注"));
    widget_set_id(field, "notes");
}

/* ---- lists ---- */

static void add_switch_item(struct build *build, struct widget *list)
{
    struct widget *item =
        add_press(build, list, "item", say(build, "Airplane mode", "飞行模式"));

    item->look.icon = icon_find("airplane");
    add(item, "switch");
}

static void add_fab(struct build *build, struct widget *stack)
{
    struct widget *layer = add(stack, "stack");
    struct widget *fab = add_press(build, layer, "fab", NULL);

    layer->layout = (struct widget_layout){.width = WIDGET_FILL,
                                           .height = WIDGET_FILL,
                                           .padding = {16, 16, 16, 84},
                                           .across = WIDGET_END,
                                           .down = WIDGET_END};
    fab->look.icon = icon_find("add");
    widget_set_description(fab, say(build, "Add", "添加"));
}

static void add_snackbar(struct build *build, struct widget *stack)
{
    struct widget *layer = add(stack, "stack");
    struct widget *bar = add(layer, "snackbar");

    layer->layout = (struct widget_layout){
        .width = WIDGET_FILL, .height = WIDGET_FILL, .down = WIDGET_END};
    widget_set_text(bar, say(build, "Alarm deleted", "闹钟已删除"));
    add_press(build, bar, "button", say(build, "Undo", "撤消"));
}

static void add_nav_bar(struct build *build, struct widget *page)
{
    static const char *const icons[] = {"home", "cart", "bell", "person"};
    const char *const names[] = {
        say(build, "Home", "首页"), say(build, "Cart", "购物车"),
        say(build, "Updates", "消息"), say(build, "Account", "我的")};
    struct widget *bar = add(page, "nav_bar");

    for (size_t i = 0; i < ARRAY_LEN(icons); i++) {
        struct widget *item = add_press(build, bar, "nav_item", names[i]);

        item->look.icon = icon_find(icons[i]);
        item->flags |= i ? 0 : WIDGET_SELECTED;
    }
}

static void build_list(struct build *build, struct widget_tree *tree)
{
    static const char *const icons[] = {"wifi_sign", "bluetooth", "display",
                                        "volume",    "storage",   "battery",
                                        "lock",      "world",     "info"};
    struct widget *page = add_page(tree);
    struct widget *stack, *list;

    add_app_bar(build, page, say(build, "Settings", "设置"));
    stack = add(page, "stack");
    stack->layout.width = WIDGET_FILL;
    stack->layout.weight = 1;
    list = add(stack, "list");
    list->layout.height = WIDGET_FILL;
    list->action = SCROLL;
    widget_set_id(list, "recycler_view");
    add_switch_item(build, list);
    for (int i = 0; i < build->gallery->rows; i++) {
        struct widget *item = add_press(build, list, "item", NULL);
        char text[64];

        snprintf(text, sizeof(text), "%s %d", say(build, "Setting", "设置项"),
                 i);
        widget_set_text(item, text);
        widget_set_detail(item, say(build, "What it is about", "它的说明"));
        item->look.icon = icon_find(icons[(size_t)i % ARRAY_LEN(icons)]);
    }
    add_fab(build, stack);
    add_snackbar(build, stack);
    add_nav_bar(build, page);
}

/* ---- cards ---- */

static void add_product(struct build *build, struct widget *grid, int number)
{
    struct widget *card = add_press(build, grid, "card", NULL);
    struct widget *picture, *facts, *row;
    char price[32];

    widget_set_class(card, "android.view.ViewGroup");
    picture = add(card, "art");
    picture->look.artwork = artwork_find(artwork_name((size_t)number * 3 % 36));
    picture->look.seed = number;
    facts = add(card, "column");
    facts->layout.width = WIDGET_FILL;
    facts->layout.gap = 4;
    facts->layout.padding = (struct widget_edges){12, 10, 12, 12};
    add_text(facts, "title_small",
             say(build, "Wireless headphones with a case", "无线降噪耳机"))
        ->look.lines = 2;
    row = add_group(facts, "row", 4);
    add(row, "rating")->range.value = 3.2F + (float)number * 0.3F;
    add_text(row, "body_small", "(128)");
    snprintf(price, sizeof(price), "%s%d.%02d", say(build, "$", "¥"),
             29 + number * 17, number * 7 % 100);
    add_text(facts, "title_large", price)->look.ink =
        facts->theme->primary.base;
}

static void build_shop(struct build *build, struct widget_tree *tree)
{
    struct widget *page = add_page(tree);
    struct widget *grid, *bar, *body;

    body = add(page, "column");
    body->layout.width = WIDGET_FILL;
    body->layout.gap = 12;
    body->layout.padding = (struct widget_edges){16, 8, 16, 8};
    bar = add(body, "search_bar");
    add(bar, "icon")->look.icon = icon_find("search");
    widget_set_hint(add_field(bar, "field", "body_large", OTHER, ""),
                    say(build, "Search products", "搜索商品"));
    add_icon_button(build, bar, "photo", say(build, "Camera", "拍照"));
    add_chips(build, body);
    grid = add(page, "list");
    grid->layout.weight = 1;
    grid->layout.columns = 2;
    grid->layout.gap = 12;
    grid->layout.padding = (struct widget_edges){16, 4, 16, 16};
    for (int i = 0; i < 10; i++)
        add_product(build, grid, i);
    add_nav_bar(build, page);
}

/* ---- the web ---- */

static void build_web(struct build *build, struct widget_tree *tree)
{
    struct widget *page = add_page(tree);
    struct widget *web, *part;

    add_app_bar(build, page, "example.org");
    web = add(page, "web");
    web->layout.weight = 1;
    widget_set_text(web, say(build, "Terms of use", "使用条款"));
    add_text(web, "headline_small", say(build, "Terms of use", "使用条款"));
    for (int i = 0; i < 3; i++) {
        part = add_text(
            web, "body_large",
            say(build,
                "Nothing on this page was written to be read, and "
                "yet it has to look as if somebody did.",
                "本页的内容并不是为了让人阅读而写的，但看起来必须像那么"
                "回事。"));
        widget_set_class(part, "android.view.View");
    }
    part =
        add_press(build, web, "text", say(build, "Privacy policy", "隐私政策"));
    widget_set_class(part, "android.view.View");
    part->look.ink = part->theme->primary.base;
    add_press(build, web, "button", say(build, "I agree", "同意"));
}

/* ---- windows ---- */

static void build_dialog(struct build *build, struct widget_tree *tree)
{
    struct widget *dialog, *row;

    build_list(build, tree);
    dialog = widget_kinds_dialog(tree, GALLERY_PACKAGE);
    add_text(dialog, "headline_small",
             say(build, "Delete alarm?", "删除闹钟？"));
    add_text(dialog, "body_medium",
             say(build, "The alarm at 07:30 will no longer ring.",
                 "07:30 的闹钟将不再响铃。"));
    row = add_group(dialog, "row", 8);
    row->layout.across = WIDGET_END;
    widget_style_apply(
        add_press(build, row, "button", say(build, "Cancel", "取消")), "plain");
    widget_style_apply(
        add_press(build, row, "button", say(build, "Delete", "删除")), "plain");
}

static void build_sheet(struct build *build, struct widget_tree *tree)
{
    const char *const names[] = {
        say(build, "Recommended", "综合推荐"),
        say(build, "Price: low to high", "价格从低到高"),
        say(build, "Price: high to low", "价格从高到低"),
        say(build, "Best rated", "评分最高")};
    struct widget *sheet, *title;

    build_shop(build, tree);
    sheet = widget_kinds_sheet(tree, GALLERY_PACKAGE);
    title = add_text(sheet, "title_large", say(build, "Sort by", "排序方式"));
    title->layout.padding = (struct widget_edges){24, 0, 24, 8};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct widget *item = add_press(build, sheet, "item", names[i]);
        struct widget *radio = add(item, "radio");

        radio->flags |= i == 1 ? WIDGET_CHECKED : 0;
    }
}

/* ---- the app ---- */

static void gallery_build(struct phone_app *app,
                          const struct phone_surroundings *around,
                          struct widget_tree *tree)
{
    static void (*const pages[GALLERY_PAGES])(struct build *,
                                              struct widget_tree *) = {
        [GALLERY_CONTROLS] = build_controls, [GALLERY_FIELDS] = build_fields,
        [GALLERY_LIST] = build_list,         [GALLERY_SHOP] = build_shop,
        [GALLERY_WEB] = build_web,           [GALLERY_DIALOG] = build_dialog,
        [GALLERY_SHEET] = build_sheet,
    };
    struct gallery *gallery = (struct gallery *)app;
    struct build build = {gallery, around->locale == LOCALE_ZH, OTHER + 1};

    pages[gallery->page](&build, tree);
    gallery->last_action = build.action - 1;
}

static void take_text(struct gallery *gallery,
                      const struct phone_app_event *event)
{
    if (event->action == TYPE_NAME)
        snprintf(gallery->name, sizeof(gallery->name), "%s", event->text);
    if (event->action == TYPE_SECRET)
        snprintf(gallery->secret, sizeof(gallery->secret), "%s", event->text);
    if (event->action == TYPE_NOTES)
        snprintf(gallery->notes, sizeof(gallery->notes), "%s", event->text);
}

static bool gallery_handle(struct phone_app *app,
                           const struct phone_app_event *event)
{
    struct gallery *gallery = (struct gallery *)app;

    gallery->events++;
    gallery->event = *event;
    snprintf(gallery->last_text, sizeof(gallery->last_text), "%s",
             event->text ? event->text : "");
    gallery->event.text = gallery->last_text;
    if (event->kind == APP_CHANGE && event->text)
        take_text(gallery, event);
    if (event->kind == APP_CHANGE && event->action == SLIDE)
        gallery->volume = event->value;
    if (event->kind == APP_CLICK && event->action == TOGGLE)
        gallery->on = !gallery->on;
    return true;
}

static void gallery_close(struct phone_app *app)
{
    free(app);
}

struct gallery *gallery_open(enum gallery_page page)
{
    static const struct phone_app_ops ops = {
        .build = gallery_build,
        .handle = gallery_handle,
        .close = gallery_close,
    };
    struct gallery *gallery = mem_new(1, sizeof(*gallery));

    gallery->app.ops = &ops;
    gallery->page = page;
    gallery->volume = 0.3F;
    gallery->rows = 24;
    return gallery;
}
