/* Requests to environments: a name that is accepted is safe in a path. */
#include "tools/env/env_request.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct env_request request;
    struct err err = ERR_INIT;
    bool parsed = env_request_parse((const char *)data, size, &request, &err);

    fuzz_expect(parsed || err.text[0]);
    fuzz_expect(strlen(request.id) < sizeof(request.id));
    if (!parsed)
        return 0;
    fuzz_expect(!request.env[0] || env_name_is_valid(request.env));
    fuzz_expect(!strchr(request.env, '/'));
    fuzz_expect(request.seed <= (uint64_t)ENV_SEED_MAX);
    fuzz_expect(request.method != ENV_STEP ||
                request.has_action == !request.text);
    env_request_release(&request);
    return 0;
}
