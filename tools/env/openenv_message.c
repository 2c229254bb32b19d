#include "tools/env/openenv_message.h"

#include "base/json_write.h"
#include "base/name_table.h"

/* ---- answers ---- */

struct cJSON *openenv_message_error(const char *code, const char *text)
{
    struct cJSON *message = json_new_object();
    struct cJSON *data;

    json_add_string(message, "type", "error");
    data = json_add_object(message, "data");
    json_add_string(data, "code", code);
    json_add_string(data, "message", text);
    return message;
}

static const char *error_code(enum err_code code)
{
    if (code == ERR_INVALID || code == ERR_NOT_FOUND)
        return "VALIDATION_ERROR";
    return code == ERR_LIMIT || code == ERR_BUSY ? "CAPACITY_REACHED"
                                                 : "EXECUTION_ERROR";
}

/* Move a member to another object, under another key. */
static void move_member(struct cJSON *from, const char *key, struct cJSON *to,
                        const char *new_key)
{
    struct cJSON *member = cJSON_DetachItemFromObjectCaseSensitive(from, key);

    if (member)
        cJSON_AddItemToObject(to, new_key, member);
}

/* OpenEnv has the info in the observation, as its metadata. */
static void put_observation(struct cJSON *answer, struct cJSON *data)
{
    struct cJSON *seen;

    move_member(answer, "observation", data, "observation");
    move_member(answer, "reward", data, "reward");
    move_member(answer, "done", data, "done");
    seen = cJSON_GetObjectItemCaseSensitive(data, "observation");
    if (seen)
        move_member(answer, "info", seen, "metadata");
}

static void put_state(const char *env, struct cJSON *answer,
                      struct cJSON *message)
{
    struct cJSON *state;

    move_member(answer, "state", message, "data");
    state = cJSON_GetObjectItemCaseSensitive(message, "data");
    if (!state)
        return;
    json_add_string(state, "episode_id", env);
    move_member(state, "step", state, "step_count");
}

struct cJSON *openenv_message_answer(const struct env_request *request,
                                     struct cJSON *answer,
                                     const struct err *err)
{
    struct cJSON *message;

    if (err->code != ERR_NONE)
        return openenv_message_error(error_code(err->code), err->text);
    message = json_new_object();
    if (request->method == ENV_STATE) {
        json_add_string(message, "type", "state");
        put_state(request->env, answer, message);
    } else {
        json_add_string(message, "type", "observation");
        put_observation(answer, json_add_object(message, "data"));
    }
    return message;
}

/* ---- requests ---- */

/* The data of a step is an action, or has a model's reply as "text". */
static bool read_step(const struct json *data, struct env_request *request,
                      struct err *err)
{
    if (!cJSON_GetObjectItemCaseSensitive(data->value, "action"))
        return env_request_read(data, request, err);
    request->has_action = action_from_json(data, &request->action, err);
    return request->has_action;
}

static bool read_data(const struct json *root, struct env_request *request,
                      struct err *err)
{
    struct cJSON *none = json_new_object();
    struct json data = JSON_ROOT(none);
    bool done = json_opt_object(root, "data", &data, err);

    if (done && request->method == ENV_STEP)
        done = read_step(&data, request, err);
    else if (done && request->method == ENV_RESET)
        done = env_request_read(&data, request, err);
    cJSON_Delete(none);
    return done;
}

static bool find_type(const char *type, enum env_method *method)
{
    static const char *const types[] = {"reset", "step", "state", "close"};
    static const enum env_method methods[] = {ENV_RESET, ENV_STEP, ENV_STATE,
                                              ENV_CLOSE};
    size_t at = name_table_find(types, ARRAY_LEN(types), type);

    if (at == ARRAY_LEN(types))
        return false;
    *method = methods[at];
    return true;
}

/* *code is OpenEnv's, of a failure. */
static bool read_root(const struct json *root, struct env_request *request,
                      const char **code, struct err *err)
{
    const char *type = NULL;

    *code = "VALIDATION_ERROR";
    if (!json_as_object(root, err) ||
        !json_get_string(root, "type", &type, err))
        return false;
    if (!find_type(type, &request->method)) {
        *code = "UNKNOWN_TYPE";
        return err_set(err, ERR_INVALID,
                       "give one of reset, step, state, close");
    }
    return read_data(root, request, err);
}

bool openenv_message_read(const char *text, size_t length,
                          struct env_request *request, const char **code,
                          struct err *err)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    *request = (struct env_request){.method = ENV_STATE};
    *code = "INVALID_JSON";
    if (length > ENV_REQUEST_MAX)
        return err_set(err, ERR_LIMIT, "a message of more than %zu bytes",
                       ENV_REQUEST_MAX);
    if (!json_parse(text, length, &tree, err))
        return false;
    root.value = tree;
    done = read_root(&root, request, code, err);
    cJSON_Delete(tree);
    return done;
}
