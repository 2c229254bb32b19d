#include "runner/farm_phones/stf_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clean_text.h"
#include "base/json.h"
#include "base/mem.h"
#include "runner/models/http.h"

#define URL_MAX ((size_t)4096)
#define WORDS_SIZE 120
#define API "/api/v1/"

struct stf_client {
    struct http *http;
    char *base;          /* owned; without a slash at its end */
    char *authorization; /* owned; the header */
};

/* ---- open and close ---- */

static bool is_this_computer(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t length = strlen(names[i]);

        if (!strncmp(host, names[i], length) &&
            strspn(host + length, ":/") >= (host[length] != '\0'))
            return true;
    }
    return false;
}

/* The token must not cross a network readably. */
static bool check_url(const char *url, struct err *err)
{
    const char *host = !strncmp(url, "http://", 7)    ? url + 7
                       : !strncmp(url, "https://", 8) ? url + 8
                                                      : "";

    if (!*host || strchr(host, '@') || strpbrk(host, " ?#\"\\"))
        return err_set(err, ERR_INVALID,
                       "%.80s is not the address of an STF: give "
                       "https://HOST[:PORT]",
                       url);
    return url[4] == 's' || is_this_computer(host) ||
           err_set(err, ERR_INVALID,
                   "%.80s: only https keeps the token secret; http is for an "
                   "STF on this computer",
                   url);
}

static bool check_token(const char *token, struct err *err)
{
    for (const char *c = token; *c; c++) {
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f)
            return err_set(err, ERR_INVALID,
                           "the token of STF has a character that no token "
                           "has");
    }
    return *token || err_set(err, ERR_INVALID, "the token of STF is empty");
}

bool stf_client_open(const char *url, const char *token,
                     struct stf_client **client, struct err *err)
{
    struct buf header = BUF_INIT(URL_MAX);
    struct stf_client *made;
    size_t length = strlen(url);

    if (!check_url(url, err) || !check_token(token, err))
        return false;
    made = mem_new(1, sizeof(*made));
    if (!http_open(NULL, &made->http, err)) {
        free(made);
        return false;
    }
    while (length && url[length - 1] == '/')
        length--;
    made->base = mem_dup(url);
    made->base[length] = '\0';
    buf_printf(&header, "Authorization: Bearer %s", token);
    made->authorization = mem_dup(buf_cstr(&header));
    explicit_bzero(header.data, header.length);
    buf_release(&header);
    *client = made;
    return true;
}

void stf_client_close(struct stf_client *client)
{
    if (!client)
        return;
    http_close(client->http);
    explicit_bzero(client->authorization, strlen(client->authorization));
    free(client->authorization);
    free(client->base);
    free(client);
}

/* It is part of addresses. */
bool stf_client_is_serial(const char *serial)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";
    size_t length = strlen(serial);

    return length && length < STF_SERIAL_MAX && serial[0] != '.' &&
           strspn(serial, allowed) == length;
}

/* ---- requests ---- */

static bool refuse(long status, const struct json *root, struct err *err)
{
    const char *given = "";
    char words[WORDS_SIZE] = "";
    struct err ignored;

    if (json_get_string(root, "description", &given, &ignored))
        clean_text_copy(words, sizeof(words), given, strlen(given));
    if (status == 401)
        return err_set(err, ERR_UNAUTHORIZED,
                       "STF does not accept the token; make one in its "
                       "settings, under Keys");
    return err_set(err,
                   status == 403   ? ERR_BUSY
                   : status == 404 ? ERR_NOT_FOUND
                                   : ERR_REMOTE,
                   "STF answers %ld%s%s", status, words[0] ? ": " : "", words);
}

static bool read_reply(const struct http_reply *reply, struct cJSON **tree,
                       struct err *err)
{
    struct cJSON *parsed = NULL;
    struct json root = JSON_ROOT(NULL);
    struct err why = ERR_INIT;
    bool success = false;

    (void)!json_parse(buf_cstr(&reply->body), reply->body.length, &parsed,
                      &why);
    root.value = parsed;
    if (reply->status < 200 || reply->status > 299) {
        static const struct cJSON nothing = {.type = cJSON_Object};

        if (!parsed)
            root.value = &nothing;
        (void)!refuse(reply->status, &root, err);
        cJSON_Delete(parsed);
        return false;
    }
    if (!parsed)
        return err_set(err, ERR_PROTOCOL, "this is not the API of an STF: %s",
                       why.text);
    if (json_get_bool(&root, "success", &success, &why) && success) {
        *tree = parsed;
        return true;
    }
    if (why.code == ERR_NONE)
        (void)!refuse(reply->status, &root, err);
    else
        (void)!err_set(err, ERR_PROTOCOL, "this is not the API of an STF: %s",
                       why.text);
    cJSON_Delete(parsed);
    return false;
}

/* The caller deletes the tree. */
static bool call(struct stf_client *client, const char *method,
                 const char *path, const struct request_body *body,
                 struct deadline by, const struct cancel *cancel,
                 struct cJSON **tree, struct err *err)
{
    const char *const headers[] = {client->authorization,
                                   "Accept: application/json", NULL};
    struct http_reply reply = HTTP_REPLY_INIT;
    struct buf url = BUF_INIT(URL_MAX);
    const struct http_client_request request = {
        .method = method, .headers = headers, .body = body};
    struct http_client_request made = request;
    bool done;

    buf_printf(&url, "%s" API "%s", client->base, path);
    made.url = buf_cstr(&url);
    done = http_send(client->http, &made, by, cancel, &reply, err) &&
           read_reply(&reply, tree, err);
    http_reply_release(&reply);
    buf_release(&url);
    return done || err_wrap(err, "%.80s", client->base);
}

/* A call whose reply holds nothing more. */
static bool call_simply(struct stf_client *client, const char *method,
                        const char *path, const struct request_body *body,
                        struct deadline by, const struct cancel *cancel,
                        struct err *err)
{
    struct cJSON *tree = NULL;
    bool done = call(client, method, path, body, by, cancel, &tree, err);

    cJSON_Delete(tree);
    return done;
}

static void name_phone(char path[static 200], const char *serial,
                       const char *more)
{
    snprintf(path, 200, "user/devices/%.*s%s", STF_SERIAL_MAX, serial, more);
}

/* ---- phones ---- */

void stf_phones_release(struct stf_phones *phones)
{
    free(phones->items);
    *phones = (struct stf_phones){.items = NULL};
}

static bool is_true(const struct json *json, const char *name)
{
    struct err ignored;
    bool value = false;

    return json_get_bool(json, name, &value, &ignored) && value;
}

static bool has_owner(const struct json *json)
{
    const struct cJSON *owner =
        cJSON_GetObjectItemCaseSensitive(json->value, "owner");

    return owner && !cJSON_IsNull(owner);
}

/* A phone that cannot be named in a request is left out. */
static void add_phone(const struct json *json, struct stf_phones *phones)
{
    const char *serial;
    struct stf_phone *phone;
    struct err ignored;

    if (!json_get_string(json, "serial", &serial, &ignored) ||
        !stf_client_is_serial(serial) || phones->count == STF_PHONES_MAX)
        return;
    phones->items =
        mem_resize(phones->items, phones->count + 1, sizeof(*phones->items));
    phone = &phones->items[phones->count++];
    *phone = (struct stf_phone){
        .usable = is_true(json, "present") && is_true(json, "ready"),
        .free = !is_true(json, "using") && !has_owner(json),
    };
    snprintf(phone->serial, sizeof(phone->serial), "%s", serial);
}

bool stf_client_list(struct stf_client *client, struct deadline by,
                     const struct cancel *cancel, struct stf_phones *phones,
                     struct err *err)
{
    struct json root = JSON_ROOT(NULL), list, phone = JSON_NONE;
    struct cJSON *tree;

    *phones = (struct stf_phones){.items = NULL};
    if (!call(client, "GET", "devices?fields=serial,present,ready,using,owner",
              NULL, by, cancel, &tree, err))
        return false;
    root.value = tree;
    if (!json_get_array(&root, "devices", &list, err)) {
        cJSON_Delete(tree);
        err->code = ERR_PROTOCOL;
        return err_wrap(err, "the phones of STF");
    }
    while (json_next(&list, &phone))
        add_phone(&phone, phones);
    cJSON_Delete(tree);
    return true;
}

bool stf_client_reserve(struct stf_client *client, const char *serial,
                        int64_t idle_ms, struct deadline by,
                        const struct cancel *cancel, struct err *err)
{
    struct request_body body = REQUEST_BODY_INIT;
    bool done;

    request_body_json(&body, "{\"serial\":");
    request_body_string(&body, serial);
    request_body_printf(&body, ",\"timeout\":%lld}", (long long)idle_ms);
    done = call_simply(client, "POST", "user/devices", &body, by, cancel, err);
    request_body_release(&body);
    return done || err_wrap(err, "reserve %s", serial);
}

bool stf_client_check(struct stf_client *client, const char *serial,
                      struct deadline by, const struct cancel *cancel,
                      struct err *err)
{
    char path[200];

    name_phone(path, serial, "?fields=serial");
    return call_simply(client, "GET", path, NULL, by, cancel, err) ||
           err_wrap(err, "look at the reservation of %s", serial);
}

static bool read_address(struct cJSON *tree, char address[TCP_ADDRESS_MAX],
                         struct err *err)
{
    struct json root = JSON_ROOT(tree);
    char host[TCP_HOST_MAX];
    const char *given;
    uint16_t port = 0;

    if (!json_get_string(&root, "remoteConnectUrl", &given, err) ||
        !tcp_parse_address(given, 0, host, &port, err) || !port) {
        err->code = ERR_PROTOCOL;
        return err_wrap(err, "the address that STF gives");
    }
    tcp_format_address(host, port, address);
    return true;
}

bool stf_client_connect(struct stf_client *client, const char *serial,
                        struct deadline by, const struct cancel *cancel,
                        char address[TCP_ADDRESS_MAX], struct err *err)
{
    char path[200];
    struct cJSON *tree = NULL;
    bool done;

    name_phone(path, serial, "/remoteConnect");
    done = call(client, "POST", path, NULL, by, cancel, &tree, err) &&
           read_address(tree, address, err);
    cJSON_Delete(tree);
    return done || err_wrap(err, "connect %s", serial);
}

bool stf_client_release(struct stf_client *client, const char *serial,
                        struct deadline by, struct err *err)
{
    struct err ignored; /* the end of the reservation ends it, too */
    char path[200];

    name_phone(path, serial, "/remoteConnect");
    (void)!call_simply(client, "DELETE", path, NULL, by, NULL, &ignored);
    name_phone(path, serial, "");
    return call_simply(client, "DELETE", path, NULL, by, NULL, err) ||
           err_wrap(err, "release %s", serial);
}
