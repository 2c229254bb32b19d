#include "tools/phone/graphics/theme.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* The approximate brightness: 0 to 255. */
static int brightness(uint32_t color)
{
    return (int)((color >> 16 & 0xff) * 2 + (color >> 8 & 0xff) * 7 +
                 (color & 0xff)) /
           10;
}

static void text_has_contrast_to_its_background(void **state)
{
    (void)state;
    for (int hue = 0; hue < 360; hue += 15) {
        for (int dark = 0; dark < 2; dark++) {
            struct phone_theme theme;

            theme_init(&theme, (float)hue, dark);
            assert_true(abs(brightness(theme.primary.base) -
                            brightness(theme.primary.on)) > 90);
            assert_true(abs(brightness(theme.secondary.container) -
                            brightness(theme.secondary.on_container)) > 90);
            assert_true(abs(brightness(theme.surface) -
                            brightness(theme.on_surface_variant)) > 90);
        }
    }
}

static void tones_go_from_black_to_white(void **state)
{
    (void)state;
    assert_int_equal(theme_tone(200, 0.1F, 0), 0xff000000);
    assert_int_equal(theme_tone(200, 0.1F, 100), 0xffffffff);
    for (int tone = 10; tone <= 100; tone += 10)
        assert_true(brightness(theme_tone(30, 0.15F, (float)tone)) >
                    brightness(theme_tone(30, 0.15F, (float)tone - 10)));
}

static void colours_have_names_and_numbers(void **state)
{
    static const char *const wrong[] = {
        "", "Primary", "dark", "#", "#12345", "#1234567", "#12345g", "123456"};
    struct phone_theme theme;
    uint32_t color;

    (void)state;
    theme_init(&theme, THEME_HUE, false);
    assert_true(theme_color(&theme, "on_primary_container", &color));
    assert_int_equal(color, theme.primary.on_container);
    assert_true(theme_color(&theme, "surface_container_high", &color));
    assert_int_equal(color, theme.surface_container_high);
    assert_true(theme_color(&theme, "#0a0B0c", &color));
    assert_int_equal(color, 0xff0a0b0c);
    assert_true(theme_color(&theme, "#800a0b0c", &color));
    assert_int_equal(color, 0x800a0b0c);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_false(theme_color(&theme, wrong[i], &color));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_has_contrast_to_its_background),
        cmocka_unit_test(tones_go_from_black_to_white),
        cmocka_unit_test(colours_have_names_and_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
