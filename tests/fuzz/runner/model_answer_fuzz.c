/* Answers of model services: whole, streamed, or errors. */
#include "runner/models/api.h"
#include "runner/models/api_fault.h"
#include "tests/fuzz/fuzz.h"

#include "base/json.h"

static const struct api *const services[] = {&api_openai, &api_responses,
                                             &api_anthropic, &api_gemini};

static void read_tree(const struct api *service, struct cJSON *tree)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    struct buf transcript = BUF_INIT(4 * MODEL_TEXT_MAX);
    struct err err;

    if (service->read(tree, &reply, &err))
        model_reply_transcript(&reply, &transcript);
    buf_release(&transcript);
    model_reply_release(&reply);
    cJSON_Delete(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf body = BUF_INIT((size_t)16 << 20);
    struct cJSON *tree = NULL;
    struct api_fault fault;
    struct err err;

    if (!size)
        return 0;
    buf_append(&body, data + 1, size - 1);
    for (size_t i = 0; i < 4; i++) {
        tree = NULL;
        if (json_parse(buf_cstr(&body), body.length, &tree, &err))
            read_tree(services[i], tree);
        tree = NULL;
        if (sse_read(services[i], buf_cstr(&body), body.length, &tree, &err))
            read_tree(services[i], tree);
    }
    api_fault_read(400 + data[0], &body, &fault);
    buf_release(&body);
    return 0;
}
