/* Banners: a parsed banner is clean, and reads the same after formatting. */
#include "adb/wire/banner.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

static void expect_clean(const char *text, size_t size)
{
    fuzz_expect(memchr(text, '\0', size));
    for (; *text; text++)
        fuzz_expect((unsigned char)*text >= 0x20 && *text != 0x7f);
}

static void expect_same(const struct banner *a, const struct banner *b)
{
    fuzz_expect(!strcmp(a->state, b->state));
    fuzz_expect(!strcmp(a->product, b->product));
    fuzz_expect(!strcmp(a->model, b->model));
    fuzz_expect(!strcmp(a->device, b->device));
    fuzz_expect(a->features == b->features);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf text = BUF_INIT(4096);
    struct banner banner;
    struct banner again;
    struct err err;

    if (!banner_parse((const char *)data, size, &banner, &err)) {
        fuzz_expect(err.code == ERR_PROTOCOL);
        return 0;
    }
    expect_clean(banner.state, sizeof(banner.state));
    expect_clean(banner.product, sizeof(banner.product));
    expect_clean(banner.model, sizeof(banner.model));
    expect_clean(banner.device, sizeof(banner.device));
    fuzz_expect(banner.features < FEATURE_BIT(FEATURE_COUNT));
    banner_format(&banner, &text);
    fuzz_expect(!text.overflow);
    fuzz_expect(banner_parse(text.data, text.length, &again, &err));
    expect_same(&banner, &again);
    buf_release(&text);
    return 0;
}
