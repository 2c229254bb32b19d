#include "runner/episode/guard_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define TEXT_MAX 100
#define TEXTS_MAX 2000
#define TASKS_MAX 1000

static void forget_allowances(struct guard_list *list)
{
    for (size_t i = 0; i < list->allowance_count; i++) {
        free(list->allowances[i].task);
        text_list_release(&list->allowances[i].words);
    }
    free(list->allowances);
    list->allowances = NULL;
    list->allowance_count = 0;
}

void guard_list_release(struct guard_list *list)
{
    text_list_release(&list->words);
    text_list_release(&list->keypad);
    text_list_release(&list->packages);
    text_list_release(&list->system);
    forget_allowances(list);
}

/* Add an array's texts. */
static bool add_texts(const struct json *array, struct text_list *texts,
                      struct err *err)
{
    struct json item = JSON_NONE;

    if (!json_as_array(array, err))
        return false;
    while (json_next(array, &item)) {
        const char *text;

        if (!json_as_string(&item, &text, err))
            return false;
        if (!*text || strlen(text) > TEXT_MAX || texts->count == TEXTS_MAX)
            return err_set(err, ERR_INVALID,
                           "expected a few short texts that are not empty");
        text_list_add(texts, text);
    }
    return true;
}

/* The words of all languages. */
static bool read_words(const struct json *json, struct guard_list *list,
                       struct err *err)
{
    struct json language = JSON_NONE;

    if (!json_as_object(json, err))
        return false;
    text_list_release(&list->words);
    while (json_next(json, &language)) {
        if (!add_texts(&language, &list->words, err))
            return false;
    }
    return true;
}

static bool read_keypad(const struct json *json, struct guard_list *list,
                        struct err *err)
{
    text_list_release(&list->keypad);
    return add_texts(json, &list->keypad, err);
}

static bool read_packages(const struct json *json, struct guard_list *list,
                          struct err *err)
{
    text_list_release(&list->packages);
    return add_texts(json, &list->packages, err);
}

static bool read_system(const struct json *json, struct guard_list *list,
                        struct err *err)
{
    text_list_release(&list->system);
    return add_texts(json, &list->system, err);
}

static bool read_allow(const struct json *json, struct guard_list *list,
                       struct err *err)
{
    struct json task = JSON_NONE;

    if (!json_as_object(json, err))
        return false;
    forget_allowances(list);
    while (json_next(json, &task)) {
        struct guard_allowance *made;

        if (list->allowance_count == TASKS_MAX)
            return err_set(err, ERR_LIMIT, "allow: more than %d tasks",
                           TASKS_MAX);
        list->allowances =
            mem_resize(list->allowances, list->allowance_count + 1,
                       sizeof(*list->allowances));
        made = &list->allowances[list->allowance_count++];
        *made = (struct guard_allowance){
            .task = mem_dup(task.value->string ? task.value->string : "")};
        if (!add_texts(&task, &made->words, err))
            return false;
    }
    return true;
}

static const struct {
    const char *name;
    bool (*read)(const struct json *json, struct guard_list *list,
                 struct err *err);
} members[] = {
    {"words", read_words},       {"keypad", read_keypad},
    {"packages", read_packages}, {"system", read_system},
    {"allow", read_allow},
};

static bool read_member(const struct json *member, struct guard_list *list,
                        struct err *err)
{
    const char *name = member->value->string;

    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        if (!strcmp(members[i].name, name))
            return members[i].read(member, list, err);
    }
    return err_set(err, ERR_INVALID,
                   "unknown member %.60s: expected words, keypad, packages, "
                   "system or allow",
                   name);
}

bool guard_list_read(struct guard_list *list, const char *text, size_t length,
                     struct err *err)
{
    struct cJSON *tree;
    struct json root;
    struct json member = JSON_NONE;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return false;
    root = (struct json)JSON_ROOT(tree);
    done = json_as_object(&root, err);
    while (done && json_next(&root, &member))
        done = read_member(&member, list, err);
    cJSON_Delete(tree);
    return done;
}
