/* Messages of pages: what is accepted is within its bounds. */
#include "tools/serve/serve_message.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

static void expect_bounded(const struct record_request *request)
{
    fuzz_expect(!request->recording[0] ||
                recording_name_is_valid(request->recording));
    fuzz_expect(!request->name[0] || recording_name_is_valid(request->name));
    fuzz_expect(request->step >= -1 && request->step <= TRAJECTORY_STEPS_MAX);
    fuzz_expect(request->x >= 0 && request->y >= 0);
    fuzz_expect(request->from >= 0 && request->from <= request->to);
    fuzz_expect(request->box.left >= 0 && request->box.top >= 0);
    fuzz_expect(!request->text || strlen(request->text) <= RECORD_FORM_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct serve_message message;
    struct err err = ERR_INIT;
    bool parsed = serve_message_parse(&message, (const char *)data, size, &err);

    fuzz_expect(parsed || err.text[0]);
    fuzz_expect(message.id >= 0);
    if (parsed) {
        const struct view_command *command = &message.command;

        fuzz_expect(message.verb < SERVE_VERBS);
        fuzz_expect(strlen(message.phone) < sizeof(message.phone));
        fuzz_expect(strlen(message.address) < sizeof(message.address));
        fuzz_expect(strlen(message.code) < sizeof(message.code));
        fuzz_expect(command->pointer >= 0 && command->pointer < VIEW_POINTERS);
        fuzz_expect(command->x >= 0 && command->y >= 0);
        fuzz_expect(!command->text || strlen(command->text) <= VIEW_TEXT_MAX);
        fuzz_expect(message.seed >= 0 && message.skin >= 0);
        expect_bounded(&message.record);
    }
    serve_message_release(&message);
    return 0;
}
