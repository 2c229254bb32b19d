#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tools/phone/core/still_clock.h"
#include "tests/tools/phone/graphics/contact_sheet.h"
#include "tests/tools/phone/graphics/fonts_fixture.h"
#include "tests/tools/phone/widgets/gallery.h"
#include "tools/phone/screen/screen.h"

#define NINE_O_CLOCK (INT64_C(1736154000) * PHONE_SECOND)

/* Where the name's field is, for the keyboard to be on one of the pages. */
#define FIELD_X 540
#define FIELD_Y 570

static void add_page(struct contact_sheet *sheet, enum gallery_page page,
                     enum phone_locale locale)
{
    struct gallery *gallery = gallery_open(page);
    int64_t now = NINE_O_CLOCK;
    const struct screen_options options = {
        .fonts = fonts,
        .clock = still_clock(&now),
        .app = &gallery->app,
        .locale = locale,
        .dark = locale == LOCALE_ZH,
    };
    struct err err = ERR_INIT;
    struct phone_screen *screen;
    struct phone_frame *frame;

    assert_true(screen_open(&options, &screen, &err));
    if (page == GALLERY_FIELDS) {
        screen_touch(screen, SCREEN_DOWN, FIELD_X, FIELD_Y);
        screen_touch(screen, SCREEN_UP, FIELD_X, FIELD_Y);
        screen_type(screen, "李 Ana 🦊");
    }
    assert_true(screen_look(screen, &frame, &err));
    contact_sheet_add(sheet, &frame->picture);
    screen_frame_drop(frame);
    screen_close(screen);
}

static void gallery_equals_the_golden(void **state)
{
    struct contact_sheet sheet;

    (void)state;
    contact_sheet_init(&sheet, GALLERY_PAGES, 2 * GALLERY_PAGES);
    for (int locale = LOCALE_EN; locale <= LOCALE_ZH; locale++) {
        for (int page = 0; page < GALLERY_PAGES; page++)
            add_page(&sheet, (enum gallery_page)page,
                     (enum phone_locale)locale);
    }
    contact_sheet_check(&sheet, "gallery");
    contact_sheet_release(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gallery_equals_the_golden),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
