#include "runner/store/store_client.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "runner/models/clock_ops.h"
#include "runner/models/retry.h"
#include "runner/store/file_transfer.h"

#define SCHEME "s3://"
#define REGION "us-east-1" /* what stores that have no regions expect */
#define WORDS_SIZE 160
#define SHOWN_SIZE 101 /* of an address in a message */
#define HEADER_SIZE 3000
#define DATE_SIZE 40
#define NO_CONTENT "x-amz-content-sha256: UNSIGNED-PAYLOAD"
#define WARN_TRIES 3 /* a short trouble is not worth a message */

static const struct retry_rules retries = {.first_ms = 250,
                                           .longest_ms = 15000};

/* The environment's, of one store. */
struct store_keys {
    char *endpoint; /* owned, as all; NULL: Amazon's, in the region */
    char *region;
    char *key_id; /* NULL: there is none */
    char *secret;
    char *token; /* the header; NULL: none */
    char *scope;
};

struct store_client {
    struct store_options options;
    struct store_keys keys;
};

/* ---- open and close ---- */

static char *variable(const char *name, const char *other)
{
    const char *value = getenv(name);

    if (!(value && *value) && other)
        value = getenv(other);
    return value && *value ? mem_dup(value) : NULL;
}

static void forget(char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

static void release_keys(struct store_keys *keys)
{
    free(keys->endpoint);
    free(keys->region);
    forget(keys->key_id);
    forget(keys->secret);
    forget(keys->token);
    free(keys->scope);
}

/* A region is a part of a host's name; a token of a header. */
static bool is_plain(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text <= ' ' || (unsigned char)*text >= 0x7f)
            return false;
    }
    return true;
}

static char *join(const char *before, const char *value, const char *after)
{
    struct buf text = BUF_INIT(HEADER_SIZE);
    char *copy;

    buf_printf(&text, "%s%s%s", before, value, after);
    copy = mem_dup(buf_cstr(&text));
    explicit_bzero(text.data, text.length);
    buf_release(&text);
    return copy;
}

static bool read_keys(struct store_keys *keys, struct err *err)
{
    char *token = variable("AWS_SESSION_TOKEN", NULL);
    size_t length;

    *keys = (struct store_keys){
        .endpoint = variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
        .region = variable("AWS_REGION", "AWS_DEFAULT_REGION"),
        .key_id = variable("AWS_ACCESS_KEY_ID", NULL),
        .secret = variable("AWS_SECRET_ACCESS_KEY", NULL),
    };
    if (!keys->region)
        keys->region = mem_dup(REGION);
    if (token)
        keys->token = join("x-amz-security-token: ", token, "");
    keys->scope = join("aws:amz:", keys->region, ":s3");
    for (length = keys->endpoint ? strlen(keys->endpoint) : 0;
         length && keys->endpoint[length - 1] == '/'; length--)
        keys->endpoint[length - 1] = '\0';
    if (!is_plain(keys->region) || strpbrk(keys->region, ":/@?#") ||
        (token && !is_plain(token))) {
        forget(token);
        return err_set(err, ERR_INVALID,
                       "AWS_REGION or AWS_SESSION_TOKEN has a character that "
                       "none has");
    }
    forget(token);
    return true;
}

bool store_client_open(const struct store_options *options,
                       struct store_client **client, struct err *err)
{
    struct store_client *opened = mem_new(1, sizeof(*opened));

    opened->options = *options;
    if (!read_keys(&opened->keys, err)) {
        release_keys(&opened->keys);
        free(opened);
        return false;
    }
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        mem_out();
    *client = opened;
    return true;
}

void store_client_close(struct store_client *client)
{
    if (!client)
        return;
    release_keys(&client->keys);
    curl_global_cleanup();
    free(client);
}

/* ---- addresses ---- */

bool store_url_is_s3(const char *url)
{
    return !strncmp(url, SCHEME, strlen(SCHEME));
}

/* No part of it may be empty, or lead elsewhere. */
static bool is_clean_path(const char *path)
{
    for (const char *part = path;; part++) {
        size_t length = strcspn(part, "/");

        if (!length || (length == 1 && *part == '.') ||
            (length == 2 && !strncmp(part, "..", 2)))
            return false;
        part += length;
        if (!*part)
            return true;
    }
}

bool store_url_check(const char *url, struct err *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/";
    const char *path = url + strlen(SCHEME);

    return (store_url_is_s3(url) && strlen(url) < STORE_URL_MAX &&
            !path[strspn(path, allowed)] && is_clean_path(path)) ||
           err_set(err, ERR_INVALID,
                   "%.100s is not a place in a store: give "
                   "s3://BUCKET/FOLDER, with letters, digits and - . _ alone",
                   url);
}

bool store_url_check_http(const char *url, struct err *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-._/:[]";
    const char *host = !strncmp(url, "http://", 7)    ? url + 7
                       : !strncmp(url, "https://", 8) ? url + 8
                                                      : "";

    return (strlen(url) < STORE_URL_MAX && !host[strspn(host, allowed)] &&
            is_clean_path(host)) ||
           err_set(err, ERR_INVALID,
                   "%.100s is not the address of a worker: give "
                   "https://HOST:PORT",
                   url);
}

/* Amazon has each bucket at a separate host; other stores, as a folder. */
static void format_address(const struct store_keys *keys, const char *url,
                           struct buf *address)
{
    const char *path = url + strlen(SCHEME);
    size_t bucket = strcspn(path, "/");

    if (keys->endpoint)
        buf_printf(address, "%s/%s", keys->endpoint, path);
    else
        buf_printf(address, "https://%.*s.s3.%s.amazonaws.com%s", (int)bucket,
                   path, keys->region, path + bucket);
}

/* ---- one request ---- */

/* An address of S3 is signed; its content is that of the header. */
static bool send_once(struct store_client *client,
                      const struct file_transfer *transfer, const char *url,
                      const char *content, struct http_reply *reply,
                      struct err *err)
{
    const struct store_keys *keys = &client->keys;
    const struct transfer_signature signature = {
        .scope = keys->scope, .key_id = keys->key_id, .secret = keys->secret};
    const char *const headers[] = {content, keys->token, NULL};
    struct file_transfer once = *transfer;

    if (store_url_is_s3(url)) {
        once.signature = &signature;
        once.headers = headers;
    }
    return file_transfer_do(&once, reply, err);
}

/* ---- replies ---- */

/* The text of an element of the store's answer, for people. */
static void find_element(const char *xml, const char *name, char *text,
                         size_t size)
{
    char opening[24];
    const char *at;

    *text = '\0';
    snprintf(opening, sizeof(opening), "<%s>", name);
    at = strstr(xml, opening);
    if (at) {
        at += strlen(opening);
        clean_text_copy(text, size, at, strcspn(at, "<"));
    }
}

/* The store's clock must be that of this computer, by a quarter of an hour. */
static bool refuse_time(const struct http_reply *reply, const char *url,
                        struct err *err)
{
    char date[DATE_SIZE];
    time_t then = -1;

    if (http_header(reply, "date", date, sizeof(date)))
        then = curl_getdate(date, NULL);
    return err_set(err, ERR_UNAUTHORIZED,
                   "%s: the store's clock and this computer's differ by "
                   "%lld minutes: set the clock",
                   url,
                   then < 0 ? 15 : llabs((long long)(then - time(NULL))) / 60);
}

static bool refuse_key(const struct http_reply *reply, const char *url,
                       const char *code, struct err *err)
{
    if (!store_url_is_s3(url))
        return err_set(err, ERR_UNAUTHORIZED,
                       "%s: what is there answers %ld: recordings of a worker "
                       "must be readable without a login",
                       url, reply->status);
    return err_set(err, ERR_UNAUTHORIZED,
                   "%s: the store does not accept the key (%ld%s%s): check "
                   "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                   url, reply->status, code[0] ? " " : "", code);
}

static bool refuse(const struct http_reply *reply, const char *url,
                   struct err *err)
{
    char code[48];
    char words[WORDS_SIZE];

    find_element(buf_cstr(&reply->body), "Code", code, sizeof(code));
    find_element(buf_cstr(&reply->body), "Message", words, sizeof(words));
    if (!strcmp(code, "RequestTimeTooSkewed"))
        return refuse_time(reply, url, err);
    if (reply->status == 401 || reply->status == 403)
        return refuse_key(reply, url, code, err);
    return err_set(err, reply->status == 404 ? ERR_NOT_FOUND : ERR_REMOTE,
                   "%s: the %s answers %ld%s%s%s%s", url,
                   store_url_is_s3(url) ? "store" : "worker", reply->status,
                   code[0] ? " " : "", code, words[0] ? ": " : "", words);
}

/* ---- requests ---- */

/* Wait before another try. False: there is none, or it was cancelled. */
static bool may_repeat(struct store_client *client, int tries,
                       const struct http_reply *reply, struct err *err)
{
    const struct store_options *options = &client->options;
    const struct clock_ops *clock = &clock_ops_real;
    struct err cancelled;
    int64_t wait_ns;

    if (options->tries && tries >= options->tries)
        return false;
    if (tries == WARN_TRIES && options->warn) {
        struct err text = *err;

        err_prepend(&text, "to be tried again");
        options->warn(options->context, text.text);
    }
    wait_ns = retry_wait_ns(&retries, tries < 16 ? tries : 16,
                            retry_floor_ns(reply, clock),
                            clock->chance(clock->context));
    if (clock->wait(clock->context, clock->now_ns(clock->context) + wait_ns,
                    options->cancel, &cancelled))
        return true;
    *err = cancelled;
    return false;
}

/* The address of a recording on a worker lets read it: messages name the worker
 * alone. */
static void show_url(const char *url, char shown[SHOWN_SIZE])
{
    const char *host = strstr(url, "://") + 3;
    size_t length = store_url_is_s3(url)
                        ? strlen(url)
                        : (size_t)(host - url) + strcspn(host, "/");

    snprintf(shown, SHOWN_SIZE, "%.*s", (int)length, url);
}

static bool request(struct store_client *client,
                    const struct file_transfer *transfer, const char *content,
                    const char *url, struct err *err)
{
    struct http_reply reply = HTTP_REPLY_INIT;
    char shown[SHOWN_SIZE];
    bool done = false;

    show_url(url, shown);
    for (int tries = 1;; tries++) {
        bool answered = send_once(client, transfer, url, content, &reply, err);

        done = answered && reply.status == 200;
        if (done)
            break;
        if (answered)
            refuse(&reply, shown, err);
        else
            err_prepend(err, "%s", shown);
        if (!(answered ? retry_status(reply.status) : retry_code(err->code)) ||
            !may_repeat(client, tries, &reply, err))
            break;
    }
    http_reply_release(&reply);
    return done;
}

static bool check_keys(const struct store_keys *keys, const char *url,
                       struct err *err)
{
    return (keys->key_id && keys->secret) ||
           err_set(err, ERR_UNAUTHORIZED,
                   "%.100s: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                   url);
}

static bool send_file(struct store_client *client, int fd, const char *address,
                      const char *url, struct err *err)
{
    char content[32 + SHA256_HEX_SIZE] = "x-amz-content-sha256: ";
    struct stat facts;
    struct file_transfer transfer = {
        .method = "PUT",
        .url = address,
        .fd = fd,
        .cancel = client->options.cancel,
    };

    if (fstat(fd, &facts))
        return err_errno(err, errno, "read a recording");
    if (facts.st_size > STORE_FILE_MAX)
        return err_set(err, ERR_LIMIT,
                       "%.100s: %" PRId64 " bytes are more than a store takes "
                       "at once",
                       url, (int64_t)facts.st_size);
    transfer.size = facts.st_size;
    return sha256_file_hex(fd, content + strlen(content), err) &&
           request(client, &transfer, content, url, err);
}

bool store_client_send(struct store_client *client, const char *path,
                       const char *url, struct err *err)
{
    struct buf address = BUF_INIT(2 * STORE_URL_MAX);
    bool done;
    int fd;

    if (!store_url_check(url, err) || !check_keys(&client->keys, url, err))
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_errno(err, errno, "open %s", path);
    format_address(&client->keys, url, &address);
    done = send_file(client, fd, buf_cstr(&address), url, err);
    buf_release(&address);
    (void)close(fd);
    return done;
}

static bool fetch_file(struct store_client *client, struct file *file,
                       const char *url, struct err *err)
{
    struct buf address = BUF_INIT(2 * STORE_URL_MAX);
    struct file_transfer transfer = {
        .method = "GET",
        .fd = file->fd,
        .limit = STORE_FILE_MAX,
        .cancel = client->options.cancel,
    };
    bool done = true;

    if (store_url_is_s3(url)) {
        done = store_url_check(url, err) && check_keys(&client->keys, url, err);
        format_address(&client->keys, url, &address);
    } else {
        done = store_url_check_http(url, err);
        buf_text(&address, url);
    }
    transfer.url = buf_cstr(&address);
    done = done && request(client, &transfer, NO_CONTENT, url, err);
    buf_release(&address);
    return done;
}

bool store_client_fetch(struct store_client *client, const char *url,
                        const char *path, struct err *err)
{
    struct file file = FILE_INIT;

    if (!file_begin(&file, path, 0666, err))
        return false;
    if (!fetch_file(client, &file, url, err)) {
        file_abandon(&file);
        return false;
    }
    return file_commit(&file, err);
}
