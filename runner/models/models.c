#include "runner/models/models.h"

#include <ctype.h>
#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/models/models_private.h"

#define TRY_MS (5 * 60 * 1000)
#define WIDEST 64

/* ---- shared by models ---- */

static void set_defaults(struct models *models)
{
    struct models_options *options = &models->options;

    if (!options->clock_ops)
        options->clock_ops = &clock_ops_real;
    if (!options->retry.tries)
        options->retry = (struct retry_rules)RETRY_RULES;
    if (!options->try_ms)
        options->try_ms = TRY_MS;
    if (!options->max_parallel)
        options->max_parallel = WIDEST;
}

bool models_open(const struct models_options *options, struct models **models,
                 struct err *err)
{
    struct models *opened = mem_new(1, sizeof(*opened));

    opened->options = *options;
    set_defaults(opened);
    pthread_mutex_init(&opened->lock, NULL);
    secret_mask_init(&opened->mask);
    if (!http_open(getenv("SSL_CERT_FILE"), &opened->http, err) ||
        !prices_load(options->prices, &opened->prices, err) ||
        (options->cache &&
         !model_cache_open(options->cache, &opened->cache, err))) {
        models_close(opened);
        return false;
    }
    *models = opened;
    return true;
}

void models_close(struct models *models)
{
    if (!models)
        return;
    while (models->endpoints) {
        struct models_endpoint *endpoint = models->endpoints;

        models->endpoints = endpoint->next;
        concurrency_limit_release(&endpoint->concurrency_limit);
        free(endpoint->base);
        free(endpoint);
    }
    model_cache_close(models->cache);
    prices_release(&models->prices);
    http_close(models->http);
    secret_mask_release(&models->mask);
    pthread_mutex_destroy(&models->lock);
    free(models);
}

/* Models with the same base URL share their limits. */
static struct models_endpoint *get_endpoint(struct models *models,
                                            const char *base)
{
    struct models_endpoint *endpoint;

    pthread_mutex_lock(&models->lock);
    endpoint = models->endpoints;
    while (endpoint && strcmp(endpoint->base, base) != 0)
        endpoint = endpoint->next;
    if (!endpoint) {
        endpoint = mem_new(1, sizeof(*endpoint));
        endpoint->base = mem_dup(base);
        concurrency_limit_init(&endpoint->concurrency_limit,
                               models->options.max_parallel);
        endpoint->next = models->endpoints;
        models->endpoints = endpoint;
    }
    pthread_mutex_unlock(&models->lock);
    return endpoint;
}

/* ---- one model ---- */

bool models_is_model_name(const char *name)
{
    const char *colon = strchr(name, ':');

    return colon && api_find(name, (size_t)(colon - name));
}

/* Names are used in URLs and records, so they need no quoting. */
static bool check_name(const char *name, struct err *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._:/@+-";

    if (!*name || strlen(name) > 200 || name[strspn(name, allowed)] ||
        strstr(name, ".."))
        return err_set(
            err, ERR_INVALID,
            "\"%.80s\" is not a model name: use letters, digits and ._:/@+-",
            name);
    return true;
}

static bool check_base(struct models *models, const char *base,
                       const char *variable, struct err *err)
{
    CURLU *url = curl_url();
    char *password = NULL;
    char *decoded = NULL;
    char *scheme = NULL;
    bool good = url && !curl_url_set(url, CURLUPART_URL, base, 0) &&
                !curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) &&
                (!strcmp(scheme, "http") || !strcmp(scheme, "https")) &&
                !strpbrk(base, "?#");

    if (good && !curl_url_get(url, CURLUPART_PASSWORD, &password, 0))
        secret_mask_add(&models->mask, password);
    if (password &&
        !curl_url_get(url, CURLUPART_PASSWORD, &decoded, CURLU_URLDECODE))
        secret_mask_add(&models->mask, decoded);
    curl_free(decoded);
    curl_free(password);
    curl_free(scheme);
    curl_url_cleanup(url);
    if (!good)
        return err_set(err, ERR_INVALID,
                       "%s: expected a URL such as http://127.0.0.1:8000/v1",
                       variable);
    return true;
}

/* The key without surrounding white space; NULL: none. */
static bool read_key(struct models *models, const struct api *api,
                     bool official, char **key, struct err *err)
{
    const char *value = getenv(api->key_variable);
    size_t length;

    while (value && isspace((unsigned char)*value))
        value++;
    length = value ? strlen(value) : 0;
    while (length && isspace((unsigned char)value[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)value[i] <= ' ' || (unsigned char)value[i] >= 0x7f)
            return err_set(
                err, ERR_INVALID,
                "%s contains a character that is not allowed in a key",
                api->key_variable);
    }
    if (!length && official && !models->options.nothing_is_sent)
        return err_set(err, ERR_INVALID,
                       "%s is not set: export the key, or set %s to a server "
                       "that needs none",
                       api->key_variable, api->base_variable);
    *key = length ? mem_dup_n(value, length) : NULL;
    secret_mask_add(&models->mask, *key);
    return true;
}

/* Append the path to the base URL; a version that both have is kept once. */
static char *make_url(const struct api *api, const char *base,
                      const char *model)
{
    struct buf path = BUF_INIT(1024);
    struct buf url = BUF_INIT(4096);
    size_t length = strlen(base);
    const char *tail;
    size_t version;

    api->put_path(model, &path);
    tail = buf_cstr(&path);
    version = strcspn(tail + 1, "/") + 1;
    if (tail[1] == 'v' && length > version &&
        !strncmp(base + length - version, tail, version))
        tail += version;
    buf_append(&url, base, length);
    buf_text(&url, tail);
    buf_release(&path);
    return url.data;
}

static char *read_base(const struct api *api, bool *official)
{
    const char *value = getenv(api->base_variable);
    const char *base = value && *value ? value : api->base;
    size_t length = strlen(base);

    while (length > 1 && base[length - 1] == '/')
        length--;
    *official =
        length == strlen(api->base) && !strncmp(base, api->base, length);
    return mem_dup_n(base, length);
}

/* Remove user name and password from a URL. */
static char *make_shown(const char *url)
{
    CURLU *parts = curl_url();
    char *user = NULL;
    char *whole = NULL;
    char *shown;

    if (parts && !curl_url_set(parts, CURLUPART_URL, url, 0) &&
        !curl_url_get(parts, CURLUPART_USER, &user, 0) &&
        !curl_url_set(parts, CURLUPART_USER, "****", 0) &&
        !curl_url_set(parts, CURLUPART_PASSWORD, NULL, 0))
        (void)!curl_url_get(parts, CURLUPART_URL, &whole, 0);
    shown = mem_dup(whole ? whole : user ? "****" : url);
    curl_free(user);
    curl_free(whole);
    curl_url_cleanup(parts);
    return shown;
}

static char *make_key_header(const struct api *api, const char *key)
{
    struct buf line = BUF_INIT(16384);

    buf_text(&line, api->key_header);
    buf_text(&line, key);
    return line.data;
}

static void model_client_close(struct model *model)
{
    struct model_client *client = (struct model_client *)model;

    if (client->key_header)
        explicit_bzero(client->key_header, strlen(client->key_header));
    free(client->key_header);
    free(client->full_name);
    free(client->url);
    free(client->shown_url);
    free(client->served);
    pthread_mutex_destroy(&client->lock);
    free(client);
}

static const struct model_ops client_ops = {
    .ask = model_client_ask,
    .close = model_client_close,
};

static bool set_up(struct models *models, struct model_client *client,
                   const char *model, struct err *err)
{
    char *base = read_base(client->api, &client->target.official);
    char *key = NULL;
    bool done =
        check_base(models, base, client->api->base_variable, err) &&
        read_key(models, client->api, client->target.official, &key, err);

    if (done) {
        client->url = make_url(client->api, base, model);
        client->shown_url = make_shown(client->url);
        client->endpoint = get_endpoint(models, base);
    }
    if (key) {
        client->key_header = make_key_header(client->api, key);
        explicit_bzero(key, strlen(key));
    }
    free(key);
    free(base);
    return done;
}

bool models_open_model(struct models *models, const char *name,
                       struct model **model, struct err *err)
{
    const char *colon = strchr(name, ':');
    const struct api *api =
        colon ? api_find(name, (size_t)(colon - name)) : NULL;
    struct model_client *client;

    if (!api)
        return err_set(err, ERR_INVALID,
                       "\"%.80s\" is not a model: names begin with openai:, "
                       "responses:, anthropic: or gemini:",
                       name);
    if (!check_name(colon + 1, err))
        return false;
    client = mem_new(1, sizeof(*client));
    pthread_mutex_init(&client->lock, NULL);
    client->models = models;
    client->api = api;
    client->full_name = mem_dup(name);
    client->model = (struct model){&client_ops, client->full_name};
    client->target.name = client->full_name + (colon + 1 - name);
    client->price = prices_find(&models->prices, client->target.name);
    client->target.fixed_sampling =
        client->price && client->price->fixed_sampling;
    if (!set_up(models, client, client->target.name, err)) {
        model_client_close(&client->model);
        return false;
    }
    *model = &client->model;
    return true;
}

const char *models_service(const struct model *model)
{
    return ((const struct model_client *)model)->api->name;
}

const struct price *models_price(const struct model *model)
{
    return ((const struct model_client *)model)->price;
}
