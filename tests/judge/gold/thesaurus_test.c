#include "judge/gold/thesaurus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/regex.h"

static const char *meaning_of(const char *locale, const char *name)
{
    struct thesaurus *thesaurus = thesaurus_open(locale);
    const struct thesaurus_meaning *found = thesaurus_find(thesaurus, name);
    static char is[64];

    snprintf(is, sizeof(is), "%s", found ? found->is : "nothing");
    thesaurus_close(thesaurus);
    return is;
}

static void names_have_their_meaning(void **state)
{
    static const struct {
        const char *locale;
        const char *name;
        const char *is;
    } cases[] = {
        {"en", "Price: low to high", "price, lowest first"},
        {"en", "Cheapest first", "price, lowest first"},
        {"en", "Price (high to low)", "price, highest first"},
        {"en", "Most expensive first", "price, highest first"},
        {"en", "Top rated", "rating, highest first"},
        {"en", "Lowest rated first", "rating, lowest first"},
        {"en", "Most recent", "newest first"},
        {"en", "Most popular", "bestsellers first"},
        {"en", "Closest", "nearest first"},
        {"en", "Delivery time", "fastest first"},
        {"en", "Free delivery", "free delivery"},
        {"en", "Best match", "in no order"},
        {"en", "Flight mode", "airplane mode"},
        {"en", "Night mode", "dark theme"},
        {"en", "Add to wish list", "put into the favourites"},
        {"en", "Remove from wish list", "take out of the favourites"},
        {"en", "Add to bag", "put into the cart"},
        {"en", "Basket", "the cart"},
        {"en", "Next-day delivery", "express delivery"},
        {"en", "Pay on delivery", "in cash"},
        {"en", "Pick it up", "to be picked up"},
        {"en", "Resume", "begin"},
        {"en", "Stop", "stop for now"},
        {"en", "Stopwatch", "stopwatch"},
        {"en", "Tuesday", "Tuesday"},
        {"en", "Thu", "Thursday"},
        {"en", "+", "one more"},
        {"en", "Undo", "undo"},
        {"en", "Undo send", "nothing"},
        {"en", "Unblock", "unblock"},
        {"en", "Send", "send"},
        {"en", "Pay now", "place the order"},
        {"en", "Export", "export"},
        {"en", "On foot", "on foot"},
        {"en", "Only what is necessary", "only necessary cookies"},
        {"en", "Zenvo", "nothing"},
        {"zh-CN", "价格从低到高", "price, lowest first"},
        {"zh-CN", "价格由高到低", "price, highest first"},
        {"zh-CN", "最便宜", "price, lowest first"},
        {"zh-CN", "评分最低", "rating, lowest first"},
        {"zh-CN", "好评优先", "rating, highest first"},
        {"zh-CN", "免运费", "free delivery"},
        {"zh-CN", "离我最近", "nearest first"},
        {"zh-CN", "加入收藏", "put into the favourites"},
        {"zh-CN", "取消收藏", "take out of the favourites"},
        {"zh-CN", "放入购物袋", "put into the cart"},
        {"zh-CN", "飞行模式", "airplane mode"},
        {"zh-CN", "黑色主题", "dark theme"},
        {"zh-CN", "黑色", "nothing"},
        {"zh-CN", "星期三", "Wednesday"},
        {"zh-CN", "货到付款", "in cash"},
        {"zh-CN", "到店自取", "to be picked up"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *is = meaning_of(cases[i].locale, cases[i].name);

        if (strcmp(is, cases[i].is) != 0)
            fail_msg("'%s' is '%s', not '%s'", cases[i].name, is, cases[i].is);
    }
}

static void pattern_of_a_meaning_matches_its_names(void **state)
{
    struct thesaurus *thesaurus = thesaurus_open("en-US");
    const struct thesaurus_meaning *cheap =
        thesaurus_find(thesaurus, "Price: low to high");
    struct buf text = BUF_INIT(PATTERN_MAX);
    struct regex *pattern;
    struct err err;

    (void)state;
    assert_non_null(cheap);
    thesaurus_pattern(cheap, &text);
    assert_true(regex_open(buf_cstr(&text), REGEX_CASELESS, &pattern, &err));
    assert_true(regex_matches(pattern, "cheapest first"));
    assert_true(regex_matches(pattern, "Lowest price"));
    assert_false(regex_matches(pattern, "Price: high to low"));
    assert_false(regex_matches(pattern, "Rating"));
    regex_close(pattern);
    buf_release(&text);
    thesaurus_close(thesaurus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_their_meaning),
        cmocka_unit_test(pattern_of_a_meaning_matches_its_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
