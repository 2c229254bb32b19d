#include "tests/fuzz/phone/fuzz_phone.h"

#include "tests/fuzz/fuzz.h"

#define FILE_BYTES ((uint64_t)1 << 20)

void fuzz_phone_init(struct fuzz_phone *phone)
{
    const struct handset_options options = {.files.bytes = FILE_BYTES};
    struct screen_options screen = {.seed = 0};
    struct err err;

    fuzz_expect(handset_init(&phone->handset, &options, &err) &&
                fonts_open(&phone->fonts, &err));
    phone->apps = (struct app_registry){.handset = &phone->handset};
    screen.app = task_stack_app(app_registry_task_stack(&phone->apps));
    screen.fonts = phone->fonts;
    screen.clock = virtual_clock_view(&phone->handset.clock);
    fuzz_expect(screen_open(&screen, &phone->screen, &err));
}
