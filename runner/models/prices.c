#include "runner/models/prices.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "runner/embedded_files.h"

#define FILE_MAX ((size_t)1 << 20)
#define MILLION 1e6

void prices_release(struct prices *prices)
{
    for (size_t i = 0; i < prices->count; i++)
        free(prices->items[i].model);
    free(prices->items);
    *prices = (struct prices){.items = NULL};
}

static bool read_price(const struct json *json, struct price *price,
                       struct err *err)
{
    const char *model;

    if (!json_as_object(json, err) ||
        !json_get_string(json, "model", &model, err) ||
        !json_get_number(json, "input", &price->input, err) ||
        !json_get_number(json, "output", &price->output, err))
        return false;
    price->cached = price->input;
    price->fixed_sampling = false;
    if (!json_opt_number(json, "cached", &price->cached, err) ||
        !json_opt_bool(json, "fixed_sampling", &price->fixed_sampling, err))
        return false;
    if (!(price->input >= 0) || !(price->cached >= 0) || !(price->output >= 0))
        return err_set(err, ERR_INVALID, "%s: the price is negative", model);
    price->model = mem_dup(model);
    return true;
}

static bool read_all(const struct json *list, struct prices *prices,
                     struct err *err)
{
    struct json item = JSON_NONE;

    while (json_next(list, &item)) {
        prices->items = mem_resize(prices->items, prices->count + 1,
                                   sizeof(*prices->items));
        if (!read_price(&item, &prices->items[prices->count], err))
            return false;
        prices->count++;
    }
    return true;
}

bool prices_parse(const char *text, size_t length, struct prices *prices,
                  struct err *err)
{
    struct prices read = {.items = NULL};
    struct cJSON *tree = NULL;
    struct json root;
    struct json list = JSON_NONE;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return false;
    root = (struct json)JSON_ROOT(tree);
    done = json_as_object(&root, err) &&
           json_get_array(&root, "prices", &list, err) &&
           read_all(&list, &read, err);
    cJSON_Delete(tree);
    if (done)
        *prices = read;
    else
        prices_release(&read);
    return done;
}

bool prices_load(const char *path, struct prices *prices, struct err *err)
{
    const struct embedded_file *builtin =
        embedded_find(&runner_files, "models/prices.json");
    struct buf text = BUF_INIT(FILE_MAX);
    bool done;

    if (!path)
        return prices_parse(builtin->text, builtin->length, prices, err);
    done = file_load(path, &text, err) &&
           (prices_parse(buf_cstr(&text), text.length, prices, err) ||
            err_wrap(err, "%s", path));
    buf_release(&text);
    return done;
}

/* Suffixes of a model's name with the same price. */
static bool is_version(const char *rest)
{
    return !*rest || *rest == '@' || *rest == ':' ||
           (*rest == '-' && rest[1] >= '0' && rest[1] <= '9') ||
           !strncmp(rest, "-latest", 7) || !strncmp(rest, "-preview", 8);
}

const struct price *prices_find(const struct prices *prices, const char *model)
{
    const struct price *best = NULL;
    const char *vendor = strrchr(model, '/');
    size_t longest = 0;

    if (vendor)
        model = vendor + 1;
    for (size_t i = 0; i < prices->count; i++) {
        size_t length = strlen(prices->items[i].model);

        if (length >= longest &&
            !strncmp(prices->items[i].model, model, length) &&
            is_version(model + length)) {
            best = &prices->items[i];
            longest = length;
        }
    }
    return best;
}

double price_cost(const struct price *price, const struct model_usage *usage)
{
    double cached = usage->cached_tokens > 0 ? (double)usage->cached_tokens : 0;

    if (!price || usage->input_tokens < 0 || usage->output_tokens < 0)
        return -1;
    return (((double)usage->input_tokens - cached) * price->input +
            cached * price->cached +
            (double)usage->output_tokens * price->output) /
           MILLION;
}
