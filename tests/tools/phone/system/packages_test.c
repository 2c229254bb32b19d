#include "tools/phone/system/packages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int open_packages(void **state)
{
    static struct phone_packages packages;

    packages_init(&packages);
    *state = &packages;
    return 0;
}

static int close_packages(void **state)
{
    packages_release(*state);
    return 0;
}

static void put(struct phone_packages *packages, const char *name,
                const char *version)
{
    static struct phone_package package;

    memset(&package, 0, sizeof(package));
    snprintf(package.name, sizeof(package.name), "%s", name);
    snprintf(package.version, sizeof(package.version), "%s", version);
    assert_true(packages_put(packages, &package));
}

static void assert_listed(const struct package_list *list, size_t at,
                          const char *name, const char *version)
{
    assert_true(at < list->count);
    assert_string_equal(list->packages[at].name, name);
    assert_string_equal(list->packages[at].version, version);
}

static void a_list_stays_as_it_was(void **state)
{
    struct package_list before, after;

    put(*state, "one", "1");
    put(*state, "two", "1");
    before = packages_list(*state);
    put(*state, "two", "2");
    put(*state, "three", "1");
    assert_true(packages_remove(*state, "one"));
    after = packages_list(*state);
    assert_int_equal(before.count, 2);
    assert_listed(&before, 0, "one", "1");
    assert_listed(&before, 1, "two", "1");
    assert_int_equal(after.count, 2);
    assert_listed(&after, 0, "two", "2");
    assert_listed(&after, 1, "three", "1");
    package_list_release(&before);
    package_list_release(&after);
}

static void a_list_outlives_the_packages(void **state)
{
    struct phone_packages packages;
    struct package_list list;

    (void)state;
    packages_init(&packages);
    put(&packages, "one", "1");
    list = packages_list(&packages);
    packages_release(&packages);
    assert_listed(&list, 0, "one", "1");
    package_list_release(&list);
}

/* The launcher asks for them each time that it is shown. */
static void lists_of_the_same_packages_share_memory(void **state)
{
    struct package_list one, two;

    put(*state, "one", "1");
    one = packages_list(*state);
    two = packages_list(*state);
    assert_ptr_equal(one.packages, two.packages);
    package_list_release(&one);
    assert_listed(&two, 0, "one", "1");
    package_list_release(&two);
}

static void no_packages_are_an_empty_list(void **state)
{
    struct package_list list = packages_list(*state);

    assert_int_equal(list.count, 0);
    assert_false(packages_remove(*state, "one"));
    package_list_release(&list);
}

#define WITH_PACKAGES(test_)                                                   \
    cmocka_unit_test_setup_teardown(test_, open_packages, close_packages)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PACKAGES(a_list_stays_as_it_was),
        cmocka_unit_test(a_list_outlives_the_packages),
        WITH_PACKAGES(lists_of_the_same_packages_share_memory),
        WITH_PACKAGES(no_packages_are_an_empty_list),
    };

    return cmocka_run_group_tests_name("packages", tests, NULL, NULL);
}
