/* OpenEnv's messages: what is accepted is a request of an open connection. */
#include "tools/env/openenv_message.h"

#include <string.h>

#include "base/json_write.h"
#include "tests/fuzz/fuzz.h"

#define MESSAGE_MAX ((size_t)1 << 20)

static bool is_known_code(const char *code)
{
    return !strcmp(code, "INVALID_JSON") || !strcmp(code, "UNKNOWN_TYPE") ||
           !strcmp(code, "VALIDATION_ERROR");
}

/* A message of ours is JSON, whatever it is about. */
static void expect_json(struct cJSON *message)
{
    struct buf text = BUF_INIT(MESSAGE_MAX);
    struct cJSON *again;

    json_format(message, &text);
    again = cJSON_ParseWithLength(text.data, text.length);
    fuzz_expect(again != NULL);
    cJSON_Delete(again);
    cJSON_Delete(message);
    buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct env_request request;
    struct err err = ERR_INIT;
    const char *code = NULL;

    if (!openenv_message_read((const char *)data, size, &request, &code,
                              &err)) {
        fuzz_expect(err.text[0] && is_known_code(code));
        expect_json(openenv_message_error(code, err.text));
        return 0;
    }
    fuzz_expect(!request.env[0] && !request.to[0]);
    fuzz_expect(request.method == ENV_RESET || request.method == ENV_STEP ||
                request.method == ENV_STATE || request.method == ENV_CLOSE);
    fuzz_expect(request.seed <= (uint64_t)ENV_SEED_MAX);
    fuzz_expect(request.method != ENV_STEP ||
                request.has_action == !request.text);
    env_request_release(&request);
    return 0;
}
