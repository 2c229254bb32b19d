/* Answers of an environment: observation, reward, end and info. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/json_write.h"
#include "process_provider/tree/tree.h"
#include "tools/env/environment_private.h"

#define BASE64_MAX ((size_t)128 << 20)

static struct env_view view_of(const struct environment *env,
                               const struct env_request *request)
{
    return (struct env_view){
        request->has_screen ? request->view.screen : env->view.screen,
        request->has_tree ? request->view.tree : env->view.tree,
    };
}

/* ---- the screen ---- */

static void put_base64(const struct buf *png, struct cJSON *into)
{
    struct buf text = BUF_INIT(BASE64_MAX);

    base64_append(png->data, png->length, &text);
    json_add_string(into, "screen", buf_cstr(&text));
    buf_release(&text);
}

static void screen_path(const struct environment *env, struct buf *path)
{
    buf_printf(path, "%s/%s.png", env->world->scratch, env->name);
}

void environment_erase_screen(const struct environment *env)
{
    struct buf path = BUF_INIT(PATH_MAX);

    screen_path(env, &path);
    (void)unlink(buf_cstr(&path));
    buf_release(&path);
}

/* One file for each environment, which the next observation replaces. */
static bool put_path(const struct environment *env, struct cJSON *into,
                     struct err *err)
{
    const struct buf *png = &env->seen.png;
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    screen_path(env, &path);
    done = file_save(buf_cstr(&path), 0600, png->data, png->length, err);
    if (done)
        json_add_string(into, "screen", buf_cstr(&path));
    buf_release(&path);
    return done;
}

static bool put_screen(struct environment *env, enum env_screen screen,
                       struct cJSON *into, struct err *err)
{
    struct env_phone *phone = env->phone;
    bool done = true;

    if (screen == ENV_SCREEN_NONE)
        return true;
    if (!env->seen.png.length &&
        !phone->ops->screenshot(phone, &env->seen, err))
        return false;
    if (screen == ENV_SCREEN_BASE64)
        put_base64(&env->seen.png, into);
    else
        done = put_path(env, into, err);
    return done;
}

/* ---- the tree ---- */

static void put_flag(struct cJSON *into, const char *key, bool flag)
{
    if (flag)
        json_add_bool(into, key, true);
}

static void put_element(const struct screen_element *element, int number,
                        struct cJSON *list)
{
    struct cJSON *item = json_add_object(list, NULL);
    struct cJSON *bounds;

    json_add_int(item, "index", number);
    json_add_string(item, "role", element->role);
    json_add_string(item, "name", element->name.text);
    bounds = json_add_array(item, "bounds");
    json_add_int(bounds, NULL, element->box.left);
    json_add_int(bounds, NULL, element->box.top);
    json_add_int(bounds, NULL, element->box.right);
    json_add_int(bounds, NULL, element->box.bottom);
    put_flag(item, "acts", element->acts);
    put_flag(item, "checked", element->flags & NODE_CHECKED);
    put_flag(item, "selected", element->flags & NODE_SELECTED);
    put_flag(item, "focused", element->flags & NODE_FOCUSED);
    put_flag(item, "scrollable", element->flags & NODE_SCROLLABLE);
}

static bool put_tree(struct environment *env, enum env_tree tree,
                     struct cJSON *into, struct err *err)
{
    struct cJSON *list;

    if (tree == ENV_TREE_NONE)
        return true;
    if (!environment_read_tree(env, err))
        return false;
    if (tree == ENV_TREE_XML) {
        json_add_string(into, "tree", buf_cstr(&env->seen.xml));
        return true;
    }
    if (!env->has_elements)
        element_list_build(&env->seen.tree, &env->elements);
    env->has_elements = true;
    list = json_add_array(into, "elements");
    for (size_t i = 0; i < env->elements.count; i++)
        put_element(&env->elements.items[i], (int)i + 1, list);
    return true;
}

/* ---- the rest ---- */

static bool put_observation(struct environment *env, struct env_view view,
                            struct cJSON *into, struct err *err)
{
    const struct observation *seen = &env->seen;

    json_add_int(into, "step", env->step);
    json_add_string(into, "instruction", env->assignment->instruction);
    json_add_string(into, "package", seen->package);
    json_add_string(into, "activity", seen->activity);
    json_add_int(into, "width", seen->screen.width);
    json_add_int(into, "height", seen->screen.height);
    json_add_opt_string(into, "notice", env->notice);
    json_add_opt_string(into, "doubt", seen->doubt[0] ? seen->doubt : NULL);
    return put_screen(env, view.screen, into, err) &&
           put_tree(env, view.tree, into, err);
}

static void put_score(const struct environment *env, struct cJSON *info)
{
    if (env->reward_kind == ENV_REWARD_NONE)
        return;
    json_add_bool(info, "met", env->score.met);
    json_add_number(info, "score", env_score_share(&env->score));
    json_add_int(info, "parts", env->score.parts);
    json_add_int(info, "parts_met", env->score.parts_met);
}

void environment_put_state(const struct environment *env, struct cJSON *into)
{
    bool over = env->ending != ENDING_NONE;

    json_add_opt_string(into, "task", env->task ? env->task->id : NULL);
    json_add_int(into, "seed", (int64_t)env->seed);
    json_add_string(into, "split", env_split_name(env_split_of(env->seed)));
    json_add_int(into, "step", env->step);
    json_add_int(into, "steps_left", env->steps - env->step);
    json_add_int(into, "blocked", env->blocked);
    json_add_int(into, "no_action", env->useless);
    json_add_opt_string(into, "ending",
                        over ? trajectory_ending_name(env->ending) : NULL);
    json_add_opt_string(into, "why", over ? env->reason : NULL);
    json_add_opt_string(into, "failed", env->broken[0] ? env->broken : NULL);
}

static bool is_truncated(const struct environment *env)
{
    return env->ending == ENDING_BUDGET || env->ending == ENDING_REPEATED;
}

bool environment_put(struct environment *env, const struct env_request *request,
                     struct cJSON *into, struct err *err)
{
    bool over = env->ending != ENDING_NONE;
    struct cJSON *info;

    if (!env->began || env->broken[0])
        return err_set(err, ERR_INVALID, "environment %s: reset it first",
                       env->name);
    if (!put_observation(env, view_of(env, request),
                         json_add_object(into, "observation"), err))
        return environment_break(env, err);
    json_add_number(into, "reward", env->reward);
    json_add_bool(into, "done", over);
    json_add_bool(into, "terminated", over && !is_truncated(env));
    json_add_bool(into, "truncated", is_truncated(env));
    info = json_add_object(into, "info");
    environment_put_state(env, info);
    put_score(env, info);
    return true;
}
