#include "runner/prompt/profile_json.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/nearest_word.h"
#include "runner/embedded_files.h"
#include "runner/prompt/profile.h"

#define DEPTH_MAX 4 /* of profiles that extend each other */

/* Texts that may be lists of lines, or in their own files. */
static const char *const text_members[] = {"system", "prompt", "step"};

static bool load(const char *name, const char *folder, int depth,
                 struct cJSON **tree, struct err *err);

static void replace(struct cJSON *object, const char *key, const char *text)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    json_add_string(object, key, text);
}

/* ["a", "b"] is "a\nb". */
static bool join_lines(struct cJSON *object, const char *key, struct err *err)
{
    const struct cJSON *lines = cJSON_GetObjectItemCaseSensitive(object, key);
    struct buf text = BUF_INIT(PROFILE_TEXT_MAX);
    const struct cJSON *line;

    if (!cJSON_IsArray(lines))
        return true;
    cJSON_ArrayForEach(line, lines)
    {
        if (!cJSON_IsString(line)) {
            buf_release(&text);
            return err_set(err, ERR_INVALID, "%s: expected lines of text", key);
        }
        if (line != lines->child)
            buf_byte(&text, '\n');
        buf_text(&text, line->valuestring);
    }
    replace(object, key, buf_cstr(&text));
    buf_release(&text);
    return true;
}

/* "prompt_file": "x.txt" sets "prompt" to the content of the file. */
static bool read_file(struct cJSON *object, const char *key, const char *folder,
                      struct err *err)
{
    char member[32];
    struct buf path = BUF_INIT(4096);
    struct buf text = BUF_INIT(PROFILE_TEXT_MAX);
    const struct cJSON *file;
    bool done;

    snprintf(member, sizeof(member), "%s_file", key);
    file = cJSON_GetObjectItemCaseSensitive(object, member);
    if (!file)
        return true;
    if (!cJSON_IsString(file))
        return err_set(err, ERR_INVALID, "%s: expected a string", member);
    if (file->valuestring[0] != '/' && folder)
        buf_printf(&path, "%s/", folder);
    buf_text(&path, file->valuestring);
    done =
        file_load(buf_cstr(&path), &text, err) || err_wrap(err, "%s", member);
    if (done) {
        cJSON_DeleteItemFromObjectCaseSensitive(object, member);
        replace(object, key, buf_cstr(&text));
    }
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* Merge: objects by member, all other values replace the old ones. */
static void merge(struct cJSON *base, struct cJSON *over)
{
    while (over->child) {
        struct cJSON *item = cJSON_DetachItemViaPointer(over, over->child);
        struct cJSON *old =
            cJSON_GetObjectItemCaseSensitive(base, item->string);
        bool deeper = cJSON_IsObject(old) && cJSON_IsObject(item) &&
                      strcmp(item->string, "extra") != 0;

        if (deeper) {
            merge(old, item);
            cJSON_Delete(item);
            continue;
        }
        cJSON_DeleteItemFromObjectCaseSensitive(base, item->string);
        if (cJSON_IsNull(item))
            cJSON_Delete(item); /* null removes a member */
        else
            cJSON_AddItemToObject(base, item->string, item);
    }
}

static bool extend(struct cJSON **tree, const char *folder, int depth,
                   struct err *err)
{
    const struct cJSON *name =
        cJSON_GetObjectItemCaseSensitive(*tree, "extends");
    struct cJSON *base = NULL;

    if (!name)
        return true;
    if (!cJSON_IsString(name))
        return err_set(err, ERR_INVALID, "extends: expected a string");
    if (depth >= DEPTH_MAX)
        return err_set(err, ERR_INVALID, "extends: too deep, or a cycle");
    if (!load(name->valuestring, folder, depth + 1, &base, err))
        return err_wrap(err, "extends");
    cJSON_DeleteItemFromObjectCaseSensitive(*tree, "extends");
    merge(base, *tree);
    cJSON_Delete(*tree);
    *tree = base;
    return true;
}

static bool parse(const char *text, size_t length, const char *folder,
                  int depth, struct cJSON **tree, struct err *err)
{
    struct cJSON *parsed = NULL;
    bool done = json_parse(text, length, &parsed, err);

    if (done && !cJSON_IsObject(parsed))
        done = err_set(err, ERR_INVALID, "expected an object");
    for (size_t i = 0; done && i < ARRAY_LEN(text_members); i++)
        done = join_lines(parsed, text_members[i], err) &&
               read_file(parsed, text_members[i], folder, err);
    done = done && extend(&parsed, folder, depth, err);
    if (done)
        *tree = parsed;
    else
        cJSON_Delete(parsed);
    return done;
}

bool profile_json_parse(const char *text, size_t length, const char *folder,
                        struct cJSON **tree, struct err *err)
{
    return parse(text, length, folder, 0, tree, err);
}

static bool is_path(const char *name)
{
    size_t length = strlen(name);

    return strchr(name, '/') ||
           (length > 5 && !strcmp(name + length - 5, ".json"));
}

static bool load_file(const char *path, int depth, struct cJSON **tree,
                      struct err *err)
{
    struct buf text = BUF_INIT(PROFILE_FILE_MAX);
    char *copy = mem_dup(path);
    bool done =
        file_load(path, &text, err) &&
        (parse(buf_cstr(&text), text.length, dirname(copy), depth, tree, err) ||
         err_wrap(err, "%s", path));

    free(copy);
    buf_release(&text);
    return done;
}

static bool unknown(const char *name, struct err *err)
{
    struct nearest_word nearest;
    struct buf names = BUF_INIT(512);

    nearest_word_init(&nearest, name);
    for (size_t i = 0; profile_name(i); i++) {
        nearest_word_offer(&nearest, profile_name(i));
        buf_printf(&names, "%s%s", i ? ", " : "", profile_name(i));
    }
    if (nearest.best)
        (void)err_set(err, ERR_NOT_FOUND,
                      "there is no profile \"%.40s\"; did you mean \"%s\"?",
                      name, nearest.best);
    else
        (void)err_set(err, ERR_NOT_FOUND,
                      "there is no profile \"%.40s\": there are %s, and files",
                      name, buf_cstr(&names));
    buf_release(&names);
    return false;
}

/* folder: for relative paths; NULL: the current folder. */
static bool load(const char *name, const char *folder, int depth,
                 struct cJSON **tree, struct err *err)
{
    const struct embedded_file *file;
    struct buf path = BUF_INIT(4096);
    bool done;

    if (is_path(name)) {
        if (folder && name[0] != '/')
            buf_printf(&path, "%s/", folder);
        buf_text(&path, name);
        done = load_file(buf_cstr(&path), depth, tree, err);
    } else {
        buf_printf(&path, "prompt/profiles/%s.json", name);
        file = embedded_find(&runner_files, buf_cstr(&path));
        done = file ? parse(file->text, file->length, NULL, depth, tree, err)
                    : unknown(name, err);
    }
    buf_release(&path);
    return done;
}

bool profile_json_load(const char *name, struct cJSON **tree, struct err *err)
{
    return load(name, NULL, 0, tree, err);
}
