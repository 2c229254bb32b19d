#include "tools/env/env_request.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/name_table.h"
#include "base/nearest_word.h"
#include "runner/parse/model_family.h"
#include "tasks/trajectory/trajectory.h"

static const char *const methods[ENV_METHODS] = {
    [ENV_RESET] = "reset",      [ENV_STEP] = "step",
    [ENV_OBSERVE] = "observe",  [ENV_FORK] = "fork",
    [ENV_STATE] = "state",      [ENV_CLOSE] = "close",
    [ENV_LIST_TASKS] = "tasks", [ENV_LIST_ACTIONS] = "actions",
};

static const char *const screens[ENV_SCREENS] = {
    [ENV_SCREEN_NONE] = "none",
    [ENV_SCREEN_PATH] = "path",
    [ENV_SCREEN_BASE64] = "base64",
};

static const char *const trees[ENV_TREES] = {
    [ENV_TREE_NONE] = "none",
    [ENV_TREE_ELEMENTS] = "elements",
    [ENV_TREE_XML] = "xml",
};

static const char *const rewards[ENV_REWARDS] = {
    [ENV_REWARD_DEFAULT] = "default",
    [ENV_REWARD_TRUTH] = "truth",
    [ENV_REWARD_SHARE] = "share",
    [ENV_REWARD_NONE] = "none",
};

const char *env_method_name(enum env_method method)
{
    return methods[method];
}

bool env_name_is_valid(const char *name)
{
    size_t length = strlen(name);

    if (!length || length >= ENV_NAME_SIZE || name[0] == '.')
        return false;
    for (; *name; name++) {
        if (!isalnum((unsigned char)*name) && !strchr("_-.", *name))
            return false;
    }
    return true;
}

/* ---- members ---- */

/* One of a table of names; a missing member leaves *at as it is. */
static bool read_choice(const struct json *json, const char *key,
                        const char *const *names, size_t count, size_t *at,
                        bool *given, struct err *err)
{
    struct buf list = BUF_INIT(256);
    const char *text = NULL;
    size_t found;
    bool done;

    if (!json_opt_string(json, key, &text, err))
        return false;
    if (!text)
        return true;
    found = name_table_find(names, count, text);
    if (found < count) {
        *at = found;
        *given = true;
        return true;
    }
    for (size_t i = 0; i < count; i++)
        buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
    done = err_set(err, ERR_INVALID, "%s: \"%.40s\" is unknown; give one of %s",
                   key, text, buf_cstr(&list));
    buf_release(&list);
    return done;
}

static bool read_name(const struct json *json, const char *key, bool needed,
                      char name[ENV_NAME_SIZE], struct err *err)
{
    const char *text = NULL;

    if (!json_opt_string(json, key, &text, err))
        return false;
    if (!text)
        return !needed ||
               err_set(err, ERR_INVALID,
                       "%s: missing; give the environment's name", key);
    if (!env_name_is_valid(text))
        return err_set(err, ERR_INVALID,
                       "%s: \"%.70s\" is no name; give 1 to 64 letters, "
                       "digits, \"_\", \"-\" or \".\"",
                       key, text);
    snprintf(name, ENV_NAME_SIZE, "%s", text);
    return true;
}

static bool read_view(const struct json *json, struct env_request *request,
                      struct err *err)
{
    size_t screen = request->view.screen;
    size_t tree = request->view.tree;

    if (!read_choice(json, "screen", screens, ENV_SCREENS, &screen,
                     &request->has_screen, err) ||
        !read_choice(json, "tree", trees, ENV_TREES, &tree, &request->has_tree,
                     err))
        return false;
    request->view =
        (struct env_view){(enum env_screen)screen, (enum env_tree)tree};
    return true;
}

static bool read_number(const struct json *json, const char *key, int64_t max,
                        uint64_t *number, bool *given, struct err *err)
{
    int64_t value = -1;

    if (!json_opt_int(json, key, 0, max, &value, err))
        return false;
    *given = value >= 0;
    if (*given)
        *number = (uint64_t)value;
    return true;
}

static bool read_split(const struct json *json, struct env_request *request,
                       struct err *err)
{
    const char *name = NULL;

    if (!json_opt_string(json, "split", &name, err))
        return false;
    request->has_split = name != NULL;
    return !name || env_split_find(name, &request->split) ||
           err_set(err, ERR_INVALID,
                   "split: \"%.40s\" is unknown; give \"train\" or \"test\"",
                   name);
}

static bool read_locale(const struct json *json, struct env_request *request,
                        struct err *err)
{
    const char *locale = NULL;

    if (!json_opt_string(json, "locale", &locale, err))
        return false;
    if (locale && strcmp(locale, "en") && strcmp(locale, "zh"))
        return err_set(err, ERR_INVALID,
                       "locale: \"%.40s\" is unknown; give \"en\" or \"zh\"",
                       locale);
    snprintf(request->locale, sizeof(request->locale), "%s",
             locale ? locale : "");
    return true;
}

static bool read_reset(const struct json *json, struct env_request *request,
                       struct err *err)
{
    size_t reward = ENV_REWARD_DEFAULT;
    bool given;

    if (!json_opt_copy(json, "task", &request->task, err) ||
        !read_number(json, "seed", ENV_SEED_MAX, &request->seed,
                     &request->has_seed, err) ||
        !read_number(json, "index", ENV_INDEX_MAX, &request->index,
                     &request->has_index, err) ||
        !read_split(json, request, err) || !read_locale(json, request, err) ||
        !read_choice(json, "reward", rewards, ENV_REWARDS, &reward, &given,
                     err) ||
        !json_opt_small(json, "steps", 1, TRAJECTORY_STEPS_MAX, &request->steps,
                        err) ||
        !json_opt_bool(json, "ends_when_met", &request->ends_when_met, err))
        return false;
    request->reward = (enum env_reward_kind)reward;
    if (request->has_index && request->has_seed)
        return err_set(err, ERR_INVALID, "index: give it or seed, not both");
    return true;
}

static bool read_family(const struct json *json, struct env_request *request,
                        struct err *err)
{
    const char *family = NULL;

    if (!json_opt_string(json, "family", &family, err))
        return false;
    if (family && (strlen(family) >= sizeof(request->family) ||
                   !model_family_find(family)))
        return err_set(err, ERR_INVALID,
                       "family: there is no family \"%.40s\"; leave it out to "
                       "have it guessed",
                       family);
    snprintf(request->family, sizeof(request->family), "%s",
             family ? family : "");
    return true;
}

static bool read_step(const struct json *json, struct env_request *request,
                      struct err *err)
{
    struct json action = JSON_NONE;

    if (!json_opt_copy(json, "text", &request->text, err) ||
        !read_family(json, request, err) ||
        !json_opt_object(json, "action", &action, err))
        return false;
    if (request->text && strlen(request->text) > ENV_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "text: more than %zu bytes",
                       ENV_TEXT_MAX);
    if (!action.value == !request->text)
        return err_set(err, ERR_INVALID,
                       "give \"action\", an object, or \"text\", a model's "
                       "reply; see {\"method\": \"actions\"}");
    if (!action.value)
        return true;
    if (!action_from_json(&action, &request->action, err))
        return false;
    request->has_action = true;
    return true;
}

bool env_request_read(const struct json *json, struct env_request *request,
                      struct err *err)
{
    bool done = read_view(json, request, err);

    if (done && request->method == ENV_RESET)
        done = read_reset(json, request, err);
    if (done && request->method == ENV_STEP)
        done = read_step(json, request, err);
    if (!done)
        env_request_release(request);
    return done;
}

/* ---- the whole ---- */

/* A number or a short text, which is given back as it was. */
static bool read_id(const struct json *json, struct env_request *request,
                    struct err *err)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(json->value, "id");
    struct buf text = BUF_INIT(sizeof(request->id) - 1);
    bool done;

    if (!id || cJSON_IsNull(id))
        return true;
    done = cJSON_IsNumber(id) ||
           (cJSON_IsString(id) && strlen(id->valuestring) <= ENV_ID_MAX);
    if (done)
        json_format(id, &text);
    done = done && !text.overflow;
    if (done)
        snprintf(request->id, sizeof(request->id), "%s", buf_cstr(&text));
    buf_release(&text);
    return done || err_set(err, ERR_INVALID,
                           "id: give a number, or a text of up to %d bytes",
                           ENV_ID_MAX);
}

static bool read_method(const struct json *json, struct env_request *request,
                        struct err *err)
{
    size_t method = 0;
    bool given = false;

    if (!read_choice(json, "method", methods, ENV_METHODS, &method, &given,
                     err))
        return false;
    request->method = (enum env_method)method;
    return given ||
           err_set(err, ERR_INVALID,
                   "method: missing; give \"reset\", \"step\" or another one");
}

static bool read_names(const struct json *json, struct env_request *request,
                       struct err *err)
{
    bool lists = request->method == ENV_LIST_TASKS ||
                 request->method == ENV_LIST_ACTIONS;

    return read_name(json, "env", !lists, request->env, err) &&
           read_name(json, "to", request->method == ENV_FORK, request->to, err);
}

bool env_request_parse(const char *text, size_t length,
                       struct env_request *request, struct err *err)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    *request = (struct env_request){.method = ENV_STATE};
    if (length > ENV_REQUEST_MAX)
        return err_set(err, ERR_LIMIT, "a request of more than %zu bytes",
                       ENV_REQUEST_MAX);
    if (!json_parse(text, length, &tree, err))
        return false;
    root.value = tree;
    done = json_as_object(&root, err) && read_id(&root, request, err) &&
           read_method(&root, request, err) &&
           read_names(&root, request, err) &&
           env_request_read(&root, request, err);
    cJSON_Delete(tree);
    return done;
}

void env_request_release(struct env_request *request)
{
    action_release(&request->action);
    free(request->task);
    free(request->text);
    request->task = NULL;
    request->text = NULL;
    request->has_action = false;
}
