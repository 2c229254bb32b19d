/*
 * Walks through the apps: on each new screen, everything that can be pressed is
 * pressed once, which leads to the next screens.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/tools/phone/apps/app_phone.h"
#include "tests/tools/phone/graphics/fonts_fixture.h"

#define PLACE_MAX ((size_t)1 << 20)
#define SCREENS_MAX 60U   /* of one walk */
#define PRESSES_MAX 48U   /* on one screen */
#define OF_ONE_NAME_MAX 2 /* nodes of a list that are pressed */

static const char *const packages[] = {
    "com.android.calculator2", "com.android.deskclock",  "com.android.dialer",
    "com.android.settings",    "org.proctor.browser",    "org.proctor.chat",
    "org.proctor.darkroom",    "org.proctor.dictionary", "org.proctor.eats",
    "org.proctor.mail",        "org.proctor.maps",       "org.proctor.music",
    "org.proctor.news",        "org.proctor.notes",      "org.proctor.pay",
    "org.proctor.shop",        "org.proctor.sports",     "org.proctor.stays",
    "org.proctor.store",       "org.proctor.video",
};

/* ---- snapshots ---- */

/* A screen that is still to be explored. */
struct place {
    uint64_t mark; /* hash of its content, to recognize it */
    struct buf snapshot;
};

struct walk {
    struct app_phone phone;
    const char *package;
    struct place places[SCREENS_MAX];
    size_t count;
    size_t pressed;
};

static struct buf save(struct app_phone *phone)
{
    struct buf bytes = BUF_INIT(PLACE_MAX);

    screen_save(phone->screen, &bytes);
    assert_false(bytes.overflow);
    return bytes;
}

static void load(struct app_phone *phone, const struct buf *bytes)
{
    struct saved_state saved_state = {(const uint8_t *)bytes->data,
                                      bytes->length, false, false};

    screen_load(phone->screen, &saved_state);
    assert_false(saved_state.broken);
}

/* ---- one screen ---- */

static uint64_t mix(uint64_t mark, const char *text)
{
    for (; *text; text++)
        mark = (mark ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return mark;
}

/* Two screens are the same if nodes of the same names can be used on them. */
static uint64_t mark_of(const struct buf *xml)
{
    struct app_node_reader reader = {buf_cstr(xml), 0};
    struct app_node node;
    uint64_t mark = 0;
    char last[128] = "";

    while (app_node_next(&reader, &node)) {
        if (!node.clickable || !strcmp(node.id, last))
            continue;
        mark = mix(mark, node.id) + node.enabled;
        memcpy(last, node.id, sizeof(last));
    }
    return mark;
}

/* Tags match, and each node is within its parent. */
static void check_tree(const struct buf *xml)
{
    struct app_node_reader reader = {buf_cstr(xml), 0};
    struct box above[64];
    struct app_node node;
    int nodes = 0;

    while (app_node_next(&reader, &node)) {
        struct box *outer = node.depth ? &above[node.depth - 1] : NULL;

        assert_true(node.depth >= 0 && node.depth < 64);
        assert_false(box_is_empty(node.bounds));
        if (outer &&
            (node.bounds.left < outer->left || node.bounds.top < outer->top ||
             node.bounds.right > outer->right ||
             node.bounds.bottom > outer->bottom))
            fail_msg("%s %s reaches out of its parent in %s", node.id,
                     node.text, buf_cstr(xml));
        above[node.depth] = node.bounds;
        nodes++;
    }
    assert_true(nodes > 0);
    assert_non_null(strstr(buf_cstr(xml), "</hierarchy>"));
}

static void remember(struct walk *walk, const struct buf *xml)
{
    uint64_t mark = mark_of(xml);

    for (size_t i = 0; i < walk->count; i++) {
        if (walk->places[i].mark == mark)
            return;
    }
    if (walk->count == SCREENS_MAX)
        return;
    walk->places[walk->count++] = (struct place){mark, save(&walk->phone)};
}

/* What can be pressed, without too many of one name. */
static size_t list_nodes(const struct buf *xml, struct app_node *nodes)
{
    struct app_node_reader reader = {buf_cstr(xml), 0};
    struct app_node node;
    size_t count = 0;

    while (count < PRESSES_MAX && app_node_next(&reader, &node)) {
        int same = 0;

        for (size_t i = 0; i < count; i++)
            same += !strcmp(nodes[i].id, node.id) && *node.id;
        if (node.clickable && node.enabled && same < OF_ONE_NAME_MAX)
            nodes[count++] = node;
    }
    return count;
}

/* ---- walking ---- */

static const char *last_log(struct app_phone *phone)
{
    static struct logs_line line;
    uint64_t number = logs_end(&phone->handset.logs) - 1;

    return logs_read(&phone->handset.logs, &number, &line) ? line.text : "";
}

/* A press on what has the focus, or is selected already, may change nothing. */
static bool may_be_still(const struct app_node *node)
{
    return !strcmp(node->class, "android.widget.EditText") ||
           !strcmp(node->class, "android.widget.SeekBar");
}

static void press(struct walk *walk, const struct buf *before,
                  const struct app_node *node)
{
    struct app_phone *phone = &walk->phone;
    struct buf after;

    app_phone_events(phone);
    app_phone_tap(phone, (node->bounds.left + node->bounds.right) / 2,
                  (node->bounds.top + node->bounds.bottom) / 2);
    after = app_phone_dump(phone);
    if (strstr(buf_cstr(&after), "aerr_close"))
        fail_msg("%s stopped by %s: %s", walk->package, node->id,
                 last_log(phone));
    check_tree(&after);
    if (!*app_phone_events(phone) && !may_be_still(node) &&
        !strcmp(buf_cstr(before), buf_cstr(&after)))
        fail_msg("%s: nothing happened for %s %s %s", walk->package, node->id,
                 node->text, node->description);
    if (strstr(buf_cstr(&after), walk->package))
        remember(walk, &after);
    buf_release(&after);
    walk->pressed++;
}

/* Restore a snapshot: starting the app again takes most of the time. */
static void go_back(struct walk *walk, const struct buf *snapshot)
{
    struct buf now = save(&walk->phone);

    if (now.length != snapshot->length ||
        memcmp(now.data, snapshot->data, now.length) != 0)
        load(&walk->phone, snapshot);
    buf_release(&now);
}

static void press_all(struct walk *walk, const struct buf *snapshot)
{
    struct app_node *nodes = mem_new(PRESSES_MAX, sizeof(*nodes));
    struct buf before;
    size_t count;

    load(&walk->phone, snapshot);
    before = app_phone_dump(&walk->phone);
    count = list_nodes(&before, nodes);
    for (size_t i = 0; i < count; i++) {
        press(walk, &before, &nodes[i]);
        go_back(walk, snapshot);
    }
    buf_release(&before);
    free(nodes);
}

static void walk_through(const char *package, enum phone_locale locale,
                         unsigned skin, size_t screens)
{
    struct walk *walk = mem_new(1, sizeof(*walk));
    struct buf first;

    walk->package = package;
    app_phone_open(&walk->phone, &(struct app_phone_options){
                                     .fonts = fonts,
                                     .locale = locale,
                                     .skin = skin,
                                     .dark = skin == 2,
                                     .seed = skin + 1,
                                 });
    if (skin == 2)
        assert_true(settings_put(&walk->phone.handset.settings, SETTINGS_SYSTEM,
                                 "font_scale", "1.3"));
    app_phone_launch(&walk->phone, package);
    first = app_phone_dump(&walk->phone);
    check_tree(&first);
    remember(walk, &first);
    buf_release(&first);
    for (size_t i = 0; i < walk->count && i < screens; i++)
        press_all(walk, &walk->places[i].snapshot);
    assert_true(walk->pressed > walk->count);
    for (size_t i = 0; i < walk->count; i++)
        buf_release(&walk->places[i].snapshot);
    app_phone_close(&walk->phone);
    free(walk);
}

/* A short walk takes one language for each skin, and the screens nearby. */
static void every_clickable_node_has_an_effect(void **state)
{
    bool full = getenv("PROCTOR_FULL") != NULL;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(packages); i++) {
        for (unsigned skin = 0; skin < 3; skin++) {
            if (full || skin != 1)
                walk_through(packages[i], LOCALE_EN, skin,
                             full ? SCREENS_MAX : 4);
            if (full || skin == 1)
                walk_through(packages[i], LOCALE_ZH, skin,
                             full ? SCREENS_MAX : 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_clickable_node_has_an_effect),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
