/*
 * Parts of a snapshot: the first byte says which, the rest is its state. What
 * is taken over can be saved and loaded again as it is, and the phone shows
 * itself with it. The checksum is left out: it is no protection.
 */
#include "tools/phone/snapshot.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/apps.h"
#include "tools/phone/handset.h"
#include "tools/phone/screen.h"

#define FILE_BYTES ((uint64_t)1 << 20)
#define STATE_MAX ((size_t)16 << 20)
#define PARTS (HANDSET_PARTS + 1)

SNAPSHOT_PART(screen)

static struct {
    bool ready;
    struct handset handset;
    struct apps apps;
    struct fonts *fonts;
    struct screen *screen;
    struct snapshot_part parts[PARTS];
    struct buf new[PARTS]; /* each as it was made */
} phone;

static void make_phone(void)
{
    const struct handset_options options = {.files.bytes = FILE_BYTES};
    struct screen_options screen = {.seed = 0};
    struct err err;

    fuzz_expect(handset_init(&phone.handset, &options, &err) &&
                fonts_open(&phone.fonts, &err));
    phone.apps = (struct apps){.handset = &phone.handset};
    screen.app = stage_app(apps_stage(&phone.apps));
    screen.fonts = phone.fonts;
    screen.clock = virtual_clock_view(&phone.handset.clock);
    fuzz_expect(screen_open(&screen, &phone.screen, &err));
    handset_parts(&phone.handset, phone.parts);
    phone.parts[HANDSET_PARTS] = (struct snapshot_part){
        "screen", save_screen, load_screen, phone.screen};
    for (size_t i = 0; i < PARTS; i++) {
        phone.new[i] = (struct buf)BUF_INIT(STATE_MAX);
        phone.parts[i].save(phone.parts[i].part, &phone.new[i]);
    }
    phone.ready = true;
}

/* Once to see, once to take over. False when it was refused. */
static bool load(const struct snapshot_part *part, const void *data,
                 size_t size)
{
    for (int trial = 1; trial >= 0; trial--) {
        struct parcel in = {.data = data, .left = size, .trial = trial};

        part->load(part->part, &in);
        if (in.broken || in.left)
            return false;
    }
    return true;
}

static void go_on(const struct snapshot_part *part)
{
    struct buf saved = BUF_INIT(STATE_MAX);
    struct buf again = BUF_INIT(STATE_MAX);
    struct buf xml = BUF_INIT(STATE_MAX);

    part->save(part->part, &saved);
    fuzz_expect(load(part, saved.data, saved.length));
    part->save(part->part, &again);
    fuzz_expect(saved.length == again.length &&
                !memcmp(saved.data, again.data, saved.length));
    screen_dump(phone.screen, false, &xml);
    buf_release(&saved);
    buf_release(&again);
    buf_release(&xml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct snapshot_part *part;
    size_t index;

    if (!size)
        return 0;
    if (!phone.ready)
        make_phone();
    index = data[0] % PARTS;
    part = &phone.parts[index];
    if (load(part, data + 1, size - 1)) {
        go_on(part);
        fuzz_expect(load(part, phone.new[index].data, phone.new[index].length));
    }
    return 0;
}
