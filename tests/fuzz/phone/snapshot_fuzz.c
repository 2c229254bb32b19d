/*
 * Parts of a snapshot: the first byte selects one, the rest is its state. A
 * loaded state can be saved and loaded again, and the phone can show its
 * screen. There is no checksum here.
 */
#include "tools/phone/core/snapshot.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/phone/fuzz_phone.h"

#define STATE_MAX ((size_t)16 << 20)
#define PARTS (HANDSET_PARTS + 1)

SNAPSHOT_PART(screen)

static bool ready;
static struct fuzz_phone phone;
static struct snapshot_part parts[PARTS];
static struct buf new[PARTS]; /* initial state of each part */

static void make_phone(void)
{
    fuzz_phone_init(&phone);
    handset_parts(&phone.handset, parts);
    parts[HANDSET_PARTS] = (struct snapshot_part){"screen", save_screen,
                                                  load_screen, phone.screen};
    for (size_t i = 0; i < PARTS; i++) {
        new[i] = (struct buf)BUF_INIT(STATE_MAX);
        parts[i].save(parts[i].part, &new[i]);
    }
    ready = true;
}

/* Load it: once as a trial, once for real. False if it was refused. */
static bool load(const struct snapshot_part *part, const void *data,
                 size_t size)
{
    for (int trial = 1; trial >= 0; trial--) {
        struct saved_state in = {.data = data, .left = size, .trial = trial};

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
    if (!ready)
        make_phone();
    index = data[0] % PARTS;
    part = &parts[index];
    if (load(part, data + 1, size - 1)) {
        go_on(part);
        fuzz_expect(load(part, new[index].data, new[index].length));
    }
    return 0;
}
