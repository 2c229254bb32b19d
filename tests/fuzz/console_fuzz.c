/*
 * Lines for the console. The first byte says whether the client has told the
 * token; one that has not gets nowhere, whatever it says.
 */
#include "tools/phone/console.h"

#include <string.h>

#include "base/mem.h"
#include "tests/fuzz/fuzz.h"
#include "tools/phone/apps.h"

#define FILE_BYTES ((uint64_t)1 << 20)
#define TOKEN "a token that no line of the corpus has"

static struct {
    bool ready;
    struct handset handset;
    struct apps apps;
    struct fonts *fonts;
    struct screen *screen;
    struct snapshot_part parts[HANDSET_PARTS];
    struct snapshot_state state;
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
    phone.state = (struct snapshot_state){&phone.handset.clock, phone.parts,
                                          HANDSET_PARTS};
    phone.ready = true;
}

static void live_on(void *context)
{
    (void)context;
}

static void run_lines(const struct console *console,
                      struct console_session *session, char *lines)
{
    struct buf reply = BUF_INIT(CONSOLE_REPLY_MAX);

    while (lines && !session->ended) {
        char *end = strchr(lines, '\n');

        if (end)
            *end++ = '\0';
        buf_clear(&reply);
        console_run(console, session, lines, &reply);
        fuzz_expect(!reply.overflow);
        lines = end;
    }
    buf_release(&reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct console console = {.token = TOKEN, .token_path = "/token"};
    struct console_session session = {.trusted = size && data[0] == 't'};
    struct album album;
    bool stranger = !session.trusted;
    char *lines;

    if (!size)
        return 0;
    if (!phone.ready)
        make_phone();
    album_init(&album, &phone.state, NULL);
    console.handset = &phone.handset;
    console.screen = phone.screen;
    console.input = input_devices_new(phone.screen,
                                      virtual_clock_view(&phone.handset.clock));
    console.album = &album;
    console.kill = live_on;
    lines = mem_dup_n((const char *)data + 1, size - 1);
    run_lines(&console, &session, lines);
    fuzz_expect(!stranger || !session.trusted);
    free(lines);
    input_devices_free(console.input);
    album_release(&album);
    faults_clear(&phone.handset.faults);
    return 0;
}
