#include "tools/mcp/jsonrpc.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

void jsonrpc_release(struct jsonrpc_message *message)
{
    cJSON_Delete(message->tree);
    *message = (struct jsonrpc_message){.tree = NULL};
}

static const struct cJSON *member(const struct cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool invalid(enum jsonrpc_code *code, struct err *err, const char *why)
{
    *code = JSONRPC_INVALID_REQUEST;
    return err_set(err, ERR_INVALID, "%s", why);
}

/* A number that JSON writes back as it was read. */
static bool is_whole(const struct cJSON *id)
{
    return cJSON_IsNumber(id) && id->valuedouble == floor(id->valuedouble) &&
           fabs(id->valuedouble) <= (double)JSON_INT_MAX;
}

static bool is_id(const struct cJSON *id)
{
    return is_whole(id) ||
           (cJSON_IsString(id) && strlen(id->valuestring) <= JSONRPC_ID_MAX);
}

static bool check(struct jsonrpc_message *message, enum jsonrpc_code *code,
                  struct err *err)
{
    const struct cJSON *tree = message->tree;
    const struct cJSON *version = member(tree, "jsonrpc");
    const struct cJSON *method = member(tree, "method");
    const struct cJSON *id = member(tree, "id");

    if (cJSON_IsArray(tree))
        return invalid(code, err, "batches are not supported");
    if (!cJSON_IsObject(tree))
        return invalid(code, err, "a message is an object");
    if (id && !is_id(id))
        return invalid(code, err, "id: give a string or a whole number");
    message->id = id;
    if (!cJSON_IsString(version) || strcmp(version->valuestring, "2.0") != 0)
        return invalid(code, err, "jsonrpc: give \"2.0\"");
    message->kind = id ? JSONRPC_REQUEST : JSONRPC_NOTIFICATION;
    if (!method && id && (member(tree, "result") || member(tree, "error"))) {
        message->kind = JSONRPC_RESPONSE;
        return true;
    }
    if (!method || !cJSON_IsString(method) ||
        strlen(method->valuestring) > JSONRPC_METHOD_MAX)
        return invalid(code, err, "method: give a short string");
    message->method = method->valuestring;
    message->params = member(tree, "params");
    if (message->params && !cJSON_IsObject(message->params)) {
        *code = JSONRPC_INVALID_PARAMS;
        return err_set(err, ERR_INVALID, "params: give an object");
    }
    return true;
}

bool jsonrpc_parse(const char *text, size_t length,
                   struct jsonrpc_message *message, enum jsonrpc_code *code,
                   struct err *err)
{
    *message = (struct jsonrpc_message){.tree = NULL};
    *code = JSONRPC_PARSE_ERROR;
    if (length > JSONRPC_MESSAGE_MAX) {
        *code = JSONRPC_INVALID_REQUEST;
        return err_set(err, ERR_LIMIT, "a message has at most %zu bytes",
                       JSONRPC_MESSAGE_MAX);
    }
    return json_parse(text, length, &message->tree, err) &&
           check(message, code, err);
}

/* ---- ids ---- */

bool jsonrpc_id_equal(const struct cJSON *a, const struct cJSON *b)
{
    if (cJSON_IsString(a) && cJSON_IsString(b))
        return !strcmp(a->valuestring, b->valuestring);
    return cJSON_IsNumber(a) && cJSON_IsNumber(b) &&
           a->valuedouble == b->valuedouble;
}

struct cJSON *jsonrpc_id_copy(const struct cJSON *id)
{
    return id ? cJSON_Duplicate(id, true) : NULL;
}

static void add_id(struct cJSON *answer, const struct cJSON *id)
{
    if (cJSON_IsString(id))
        json_add_string(answer, "id", id->valuestring);
    else if (cJSON_IsNumber(id))
        json_add_int(answer, "id", (int64_t)id->valuedouble);
    else
        json_add_null(answer, "id");
}

/* ---- answers ---- */

static struct cJSON *new_answer(const struct cJSON *id)
{
    struct cJSON *answer = json_new_object();

    json_add_string(answer, "jsonrpc", "2.0");
    add_id(answer, id);
    return answer;
}

struct cJSON *jsonrpc_result(const struct cJSON *id, struct cJSON *result)
{
    struct cJSON *answer = new_answer(id);

    cJSON_AddItemToObject(answer, "result", result);
    return answer;
}

struct cJSON *jsonrpc_error(const struct cJSON *id, enum jsonrpc_code code,
                            const char *text, struct cJSON *data)
{
    struct cJSON *answer = new_answer(id);
    struct cJSON *error = json_add_object(answer, "error");

    json_add_int(error, "code", code);
    json_add_string(error, "message", text);
    if (data)
        cJSON_AddItemToObject(error, "data", data);
    return answer;
}
