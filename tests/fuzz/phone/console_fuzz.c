/*
 * Lines for the console. The first byte says whether the client is
 * authenticated; one that is not can do nothing.
 */
#include "tools/phone/console/console.h"

#include <string.h>

#include "base/mem.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/phone/fuzz_phone.h"

#define TOKEN "a token that no line of the corpus has"

static bool ready;
static struct fuzz_phone phone;
static struct snapshot_part parts[HANDSET_PARTS];
static struct snapshot_state phone_state;

static void make_phone(void)
{
    fuzz_phone_init(&phone);
    handset_parts(&phone.handset, parts);
    phone_state =
        (struct snapshot_state){&phone.handset.clock, parts, HANDSET_PARTS};
    ready = true;
}

static void live_on(void *context)
{
    (void)context;
}

static void run_lines(const struct phone_console *console,
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
    struct phone_console console = {.token = {TOKEN}, .token_path = "/token"};
    struct console_session session = {.trusted = size && data[0] == 't'};
    struct snapshot_store snapshot_store;
    bool unknown = !session.trusted;
    char *lines;

    if (!size)
        return 0;
    if (!ready)
        make_phone();
    snapshot_store_init(&snapshot_store, &phone_state, NULL);
    console.handset = &phone.handset;
    console.screen = phone.screen;
    console.input = input_devices_new(phone.screen,
                                      virtual_clock_view(&phone.handset.clock));
    console.snapshot_store = &snapshot_store;
    console.kill = live_on;
    lines = mem_dup_n((const char *)data + 1, size - 1);
    run_lines(&console, &session, lines);
    fuzz_expect(!unknown || !session.trusted);
    free(lines);
    input_devices_free(console.input);
    snapshot_store_release(&snapshot_store);
    faults_clear(&phone.handset.faults);
    return 0;
}
