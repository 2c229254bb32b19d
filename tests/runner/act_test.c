#include "runner/act.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/runner/test_phone.h"

/* Open the page with a field to search in, and have the field in use. */
static void begin_to_search(struct test_phone *phone)
{
    test_phone_open(phone, "Settings");
    test_phone_see(phone);
    for (uint32_t i = 0; i < phone->seen.tree.count; i++) {
        const struct tree_node *node = &phone->seen.tree.nodes[i];

        if (strstr(node->text, "earch") || strstr(node->description, "earch")) {
            test_phone_do(
                phone,
                &(struct action){
                    .kind = ACTION_CLICK,
                    .has_from = true,
                    .from = {(node->bounds.left + node->bounds.right) / 2,
                             (node->bounds.top + node->bounds.bottom) / 2}});
            test_phone_see(phone);
            return;
        }
    }
    fail_msg("nothing to search with in %s", buf_cstr(&phone->seen.xml));
}

static const struct tree_node *field_of(const struct test_phone *phone)
{
    for (uint32_t i = 0; i < phone->seen.tree.count; i++) {
        if (phone->seen.tree.nodes[i].role == ROLE_FIELD)
            return &phone->seen.tree.nodes[i];
    }
    fail_msg("no field in %s", buf_cstr(&phone->seen.xml));
    return NULL;
}

static void type(struct test_phone *phone, const char *text)
{
    char *own = mem_dup(text);

    test_phone_do(phone, &(struct action){.kind = ACTION_TYPE, .text = own});
    free(own);
    test_phone_see(phone);
}

static void plain_text_arrives_exactly_by_the_phones_own_keys(void **state)
{
    const struct phone_options options = {.seed = 1};
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    begin_to_search(&phone);
    type(&phone,
         "it's \"100%\" %s %%s $(reboot) `id`; rm -rf / & | > < \\ ~*?");
    assert_string_equal(field_of(&phone)->text,
                        "it's \"100%\" %s %%s $(reboot) `id`; rm -rf / & | > "
                        "< \\ ~*?");
    test_phone_stop(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_arrives_exactly_by_the_phones_own_keys),
    };

    return cmocka_run_group_tests_name("act", tests, NULL, NULL);
}
