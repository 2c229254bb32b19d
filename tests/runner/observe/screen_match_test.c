#include "runner/observe/screen_match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/replay/replay_texts.h"

#define SCREEN_SIZE 16384

/* A row of a screen. */
struct match_row {
    const char *id;
    const char *text;
    const char *detail; /* NULL: none */
    bool checked;
};

/* Make a tree with a row of 100 pixels for each; the caller releases it. */
static void make(struct tree *tree, const struct match_row *rows)
{
    char xml[SCREEN_SIZE];
    struct err err = ERR_INIT;
    int length = snprintf(
        xml, sizeof(xml),
        "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" "
        "package=\"a\" bounds=\"[0,0][1000,2000]\">");

    for (int i = 0; rows[i].id; i++) {
        int top = 200 + 100 * i;

        length += snprintf(
            xml + length, sizeof(xml) - (size_t)length,
            "<node class=\"android.widget.LinearLayout\" package=\"a\" "
            "resource-id=\"a:id/%s\" clickable=\"true\" checked=\"%s\" "
            "checkable=\"true\" bounds=\"[0,%d][1000,%d]\">"
            "<node class=\"android.widget.TextView\" package=\"a\" text=\"%s\" "
            "bounds=\"[0,%d][500,%d]\"/><node "
            "class=\"android.widget.TextView\" package=\"a\" text=\"%s\" "
            "bounds=\"[500,%d][1000,%d]\"/></node>",
            rows[i].id, rows[i].checked ? "true" : "false", top, top + 100,
            rows[i].text, top, top + 100, rows[i].detail ? rows[i].detail : "",
            top, top + 100);
    }
    snprintf(xml + length, sizeof(xml) - (size_t)length, "</node></hierarchy>");
    *tree = (struct tree)TREE_INIT;
    if (!tree_read(tree, xml, strlen(xml), &err))
        fail_msg("%s", err.text);
}

static uint32_t row_of(const struct tree *tree, const char *id)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (strstr(tree->nodes[i].id, id))
            return i;
    }
    fail_msg("no %s", id);
    return TREE_NONE;
}

/* Find a row of one screen on another. */
static struct screen_target find(const struct screen_matcher *matcher,
                                 const struct match_row *was, const char *id,
                                 const struct match_row *is, const char **found)
{
    struct tree a, b;
    struct screen_target target;
    static char name[64];

    make(&a, was);
    make(&b, is);
    screen_match_find(matcher, &a, row_of(&a, id), &b, &target);
    snprintf(name, sizeof(name), "%s",
             target.node == TREE_NONE ? "" : b.nodes[target.node].id);
    *found = name;
    tree_release(&a);
    tree_release(&b);
    return target;
}

static const struct match_row settings[] = {
    {"network", "Network", "Wi-Fi, mobile", false},
    {"display", "Display", "Dark theme, font size", false},
    {"sound", "Sound", "Volume", false},
    {"storage", "Storage", "31 GB used", false},
    {NULL, NULL, NULL, false},
};

static void renamed_and_moved_element_is_found_by_its_id(void **state)
{
    static const struct match_row now[] = {
        {"btn_storage", "Storage", "31 GB used", false},
        {"btn_sound", "Noise", "Volume", false},
        {"btn_display", "Screen", "Looks", false},
        {"btn_network", "Network", "Wi-Fi, mobile", false},
        {NULL, NULL, NULL, false},
    };
    const struct screen_matcher matcher = {.was = NULL};
    const char *found;
    struct screen_target target =
        find(&matcher, settings, "display", now, &found);

    (void)state;
    assert_string_equal(found, "a:id/btn_display");
    assert_true(target.confidence >= SCREEN_MATCH_MIN_CONFIDENCE);
    assert_non_null(strstr(target.reason, "same id"));
    assert_non_null(strstr(target.reason, "other text"));
}

static void element_with_another_id_is_found_by_its_text(void **state)
{
    static const struct match_row now[] = {
        {"x17", "Storage", "31 GB used", false},
        {"x18", "Display", "Dark theme, font size", false},
        {"x19", "Network", "Wi-Fi, mobile", false},
        {"x20", "Sound", "Volume", false},
        {NULL, NULL, NULL, false},
    };
    const struct screen_matcher matcher = {.was = NULL};
    const char *found;
    struct screen_target target =
        find(&matcher, settings, "display", now, &found);

    (void)state;
    assert_string_equal(found, "a:id/x18");
    assert_true(target.confidence >= SCREEN_MATCH_MIN_CONFIDENCE);
    assert_non_null(strstr(target.reason, "same text"));
}

/* 价格从低到高 and 价格从高到低 have the meanings of the recorded names. */
static void other_language_is_understood_by_meaning(void **state)
{
    static const struct match_row was[] = {
        {"s1", "Best match", NULL, false},
        {"s2", "Price: low to high", NULL, false},
        {"s3", "Price: high to low", NULL, false},
        {NULL, NULL, NULL, false},
    };
    static const struct match_row now[] = {
        {"t7", "价格从高到低", NULL, false},
        {"t8", "综合", NULL, false},
        {"t9", "价格从低到高", NULL, false},
        {NULL, NULL, NULL, false},
    };
    struct screen_matcher matcher = {.was = thesaurus_open("en"),
                                     .is = thesaurus_open("zh"),
                                     .other_language = true};
    const char *found;
    struct screen_target target = find(&matcher, was, "s2", now, &found);

    (void)state;
    assert_string_equal(found, "a:id/t9");
    assert_true(target.confidence >= SCREEN_MATCH_MIN_CONFIDENCE);
    thesaurus_close(matcher.was);
    thesaurus_close(matcher.is);
}

static const struct match_row products[] = {
    {"item", "Blue lamp", "$12.50, 31 sold", false},
    {"item", "Red chair", "$99.00", false},
    {"item", "Green desk", "$210.00", false},
    {NULL, NULL, NULL, false},
};

static void row_is_found_by_its_numbers_in_another_language(void **state)
{
    static const struct match_row now[] = {
        {"item", "绿书桌", "¥210.00", false},
        {"item", "蓝台灯", "¥12.50，已售 31", false},
        {"item", "红椅子", "¥99.00", false},
        {NULL, NULL, NULL, false},
    };
    const struct screen_matcher matcher = {.other_language = true};
    struct screen_target target;
    struct tree a, b;

    (void)state;
    make(&a, products);
    make(&b, now);
    screen_match_find(&matcher, &a, row_of(&a, "item"), &b, &target);
    assert_true(target.confidence >= SCREEN_MATCH_MIN_CONFIDENCE);
    assert_int_equal(b.nodes[target.node].bounds.top, 300);
    tree_release(&a);
    tree_release(&b);
}

static void row_with_another_text_is_not_taken(void **state)
{
    static const struct match_row now[] = {
        {"item", "Yellow sofa", "$450.00", false},
        {"item", "Red chair", "$99.00", false},
        {"item", "Green desk", "$210.00", false},
        {NULL, NULL, NULL, false},
    };
    const struct screen_matcher matcher = {.was = NULL};
    const char *found;
    struct screen_target target = find(&matcher, products, "item", now, &found);

    (void)state;
    assert_true(target.confidence < SCREEN_MATCH_MIN_CONFIDENCE);
}

/* All have the same time, and the list is scrolled otherwise. */
static void row_of_another_name_is_not_taken_for_its_time(void **state)
{
    static const struct match_row was[] = {
        {"city", "Oslo", "13:01", false},
        {"city", "Paris", "13:01", false},
        {"city", "Perth", "20:01", false},
        {NULL, NULL, NULL, false},
    };
    static const struct match_row now[] = {
        {"city", "Bern", "13:01", false},
        {"city", "Berlin", "13:01", false},
        {"city", "Cairo", "14:01", false},
        {NULL, NULL, NULL, false},
    };
    struct screen_matcher matcher = {.was = NULL};
    struct screen_target target;
    struct tree a, b;
    uint32_t paris;

    (void)state;
    make(&a, was);
    make(&b, now);
    paris = row_of(&a, "city") + 3;
    assert_string_equal(a.nodes[paris + 1].text, "Paris");
    screen_match_find(&matcher, &a, paris, &b, &target);
    assert_true(target.confidence < SCREEN_MATCH_MIN_CONFIDENCE);
    tree_release(&a);
    tree_release(&b);
}

static void value_of_the_task_stands_for_the_recorded_one(void **state)
{
    static const struct match_row now[] = {
        {"item", "黄沙发", "¥450.00", false},
        {"item", "蓝台灯", "¥7.00", false},
        {NULL, NULL, NULL, false},
    };
    struct carried_texts texts = {.was = {0}};
    const struct screen_matcher matcher = {.texts = &texts};
    struct screen_target target;
    struct tree a, b;

    (void)state;
    carried_texts_add(&texts, "Blue lamp", "蓝台灯");
    make(&a, products);
    make(&b, now);
    screen_match_find(&matcher, &a, row_of(&a, "item"), &b, &target);
    assert_true(target.confidence >= SCREEN_MATCH_MIN_CONFIDENCE);
    assert_int_equal(b.nodes[target.node].bounds.top, 300);
    tree_release(&a);
    tree_release(&b);
    carried_texts_release(&texts);
}

static void another_screen_is_not_similar(void **state)
{
    const struct screen_matcher matcher = {.was = NULL};
    struct tree a, b;

    (void)state;
    make(&a, settings);
    make(&b, products);
    assert_true(screen_match_similarity(&matcher, &a, &a, NULL) > 0.99);
    assert_true(screen_match_similarity(&matcher, &a, &b, NULL) <
                SCREEN_MATCH_MIN_SIMILARITY);
    tree_release(&a);
    tree_release(&b);
}

static void other_state_is_named(void **state)
{
    struct match_row before[] = {{"dark", "Dark theme", NULL, false},
                                 {"wifi", "Wi-Fi", NULL, true},
                                 {NULL, NULL, NULL, false}};
    struct match_row after[] = {{"dark", "Dark theme", NULL, true},
                                {"wifi", "Wi-Fi", NULL, true},
                                {NULL, NULL, NULL, false}};
    struct match_row now[] = {{"dark", "Dark theme", NULL, false},
                              {"wifi", "Wi-Fi", NULL, false},
                              {NULL, NULL, NULL, false}};
    const struct screen_matcher matcher = {.was = NULL};
    char why[SCREEN_MATCH_REASON_MAX] = "";
    struct tree a, b, c;

    (void)state;
    make(&a, before);
    make(&b, after);
    make(&c, now);
    assert_false(screen_match_states(&matcher, &a, &b, &c, why));
    assert_string_equal(why, "'Dark theme' is not on as recorded");
    assert_true(screen_match_states(&matcher, &a, &b, &b, why));
    tree_release(&c);
    now[0].checked = true; /* that Wi-Fi is off was not the step's doing */
    make(&c, now);
    assert_true(screen_match_states(&matcher, &a, &b, &c, why));
    tree_release(&a);
    tree_release(&b);
    tree_release(&c);
}

static void whole_words_are_replaced_the_longest_first(void **state)
{
    struct carried_texts texts = {.was = {0}};
    char *made;

    (void)state;
    carried_texts_add(&texts, "Lamp", "灯");
    carried_texts_add(&texts, "Lamp E2", "灯 E2");
    carried_texts_add(&texts, "1", "one");
    carried_texts_add(&texts, "", "x");
    carried_texts_add(&texts, "same", "same");
    made = carried_texts_apply(&texts, "Lamp E2, Lamp, Lamps, 1 of 11");
    assert_string_equal(made, "灯 E2, 灯, Lamps, one of 11");
    free(made);
    assert_null(carried_texts_apply(&texts, "nothing"));
    assert_null(carried_texts_apply(NULL, "Lamp"));
    carried_texts_release(&texts);
}

static void values_are_read_from_a_filled_text(void **state)
{
    static const struct {
        const char *blank;
        const char *filled;
        const char *values; /* NULL: it does not fit */
    } cases[] = {
        {"Order {dish} for {day}.", "Order Hot Pot for Monday.",
         "dish=Hot Pot;day=Monday;"},
        {"{a} and {b}", "x and y", "a=x;b=y;"},
        {"No blanks", "No blanks", ""},
        {"A {{b}", "A {b}", ""},
        {"Order {dish}.", "Buy Hot Pot.", NULL},
        {"Order {dish}.", "Order .", NULL},
        {"{a}{b}", "xy", NULL},
        {"Order {dish", "Order x", NULL},
        {"Go to {city}", "Go to Paris", "city=Paris;"},
        {"{x}.", "a.b.", "x=a.b;"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct text_list names = {0}, values = {0};
        char all[200] = "";
        bool fits = replay_texts_values(cases[i].blank, cases[i].filled, &names,
                                        &values);

        for (size_t j = 0; fits && j < names.count; j++) {
            size_t length = strlen(all);

            snprintf(all + length, sizeof(all) - length, "%s=%s;",
                     names.items[j], values.items[j]);
        }
        if (fits != (cases[i].values != NULL))
            fail_msg("case %zu", i);
        if (fits && cases[i].values)
            assert_string_equal(all, cases[i].values);
        text_list_release(&names);
        text_list_release(&values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renamed_and_moved_element_is_found_by_its_id),
        cmocka_unit_test(element_with_another_id_is_found_by_its_text),
        cmocka_unit_test(other_language_is_understood_by_meaning),
        cmocka_unit_test(row_is_found_by_its_numbers_in_another_language),
        cmocka_unit_test(row_with_another_text_is_not_taken),
        cmocka_unit_test(row_of_another_name_is_not_taken_for_its_time),
        cmocka_unit_test(value_of_the_task_stands_for_the_recorded_one),
        cmocka_unit_test(another_screen_is_not_similar),
        cmocka_unit_test(other_state_is_named),
        cmocka_unit_test(whole_words_are_replaced_the_longest_first),
        cmocka_unit_test(values_are_read_from_a_filled_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
