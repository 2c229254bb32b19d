#include "tools/farm_queue/recording_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/secret_token.h"
#include "base/sha256.h"
#include "runner/store/store_client.h"
#include "tools/http_server/http_server.h"

#define WORDS_MAX 100
#define SIGNATURE_LENGTH 32 /* hexadecimal digits */
#define SECRET_FILE ".secret"

struct recording_server {
    struct http_server *server;
    struct secret_token secret;
    char *folder; /* owned */
    char *base;   /* owned; "https://desk1.example.org:8443" */
};

/* ---- addresses ---- */

static void sign(const struct recording_server *server, const char *path,
                 struct secret_token *signature)
{
    char hex[SHA256_HEX_SIZE];
    struct buf text = BUF_INIT(SECRET_TOKEN_SIZE + PATH_MAX);

    buf_printf(&text, "%s\n%s", server->secret.text, path);
    sha256_hex(text.data, text.length, hex);
    *signature = (struct secret_token){.text = ""};
    memcpy(signature->text, hex, SIGNATURE_LENGTH);
    explicit_bzero(text.data, text.length);
    buf_release(&text);
}

void recording_server_locate(const struct recording_server *server,
                             const char *path, struct buf *url)
{
    const char *below = path + strlen(server->folder) + 1;
    struct secret_token signature;

    sign(server, below, &signature);
    buf_printf(url, "%s/%s/%s", server->base, signature.text, below);
}

/* The path of a request without its signature; NULL: it is not signed. */
static const char *check_path(const struct recording_server *server,
                              const char *path)
{
    struct secret_token expected;
    char given[SIGNATURE_LENGTH + 1] = "";

    if (strlen(path) < SIGNATURE_LENGTH + 3 ||
        path[SIGNATURE_LENGTH + 1] != '/')
        return NULL;
    memcpy(given, path + 1, SIGNATURE_LENGTH);
    path += SIGNATURE_LENGTH + 2;
    sign(server, path, &expected);
    return secret_token_equal(&expected, given) ? path : NULL;
}

/* ---- HTTP ---- */

/* Only what was signed is looked for, so no path leads out of the folder. */
static bool open_archive(const struct recording_server *server,
                         const struct http_request *request,
                         struct http_file *archive)
{
    const char *below = check_path(server, request->path);
    struct buf path = BUF_INIT(PATH_MAX);
    struct stat facts;

    if (!below || strcmp(request->method, "GET") != 0)
        return false;
    buf_printf(&path, "%s/%s", server->folder, below);
    archive->fd = open(buf_cstr(&path), O_RDONLY | O_CLOEXEC);
    buf_release(&path);
    if (archive->fd < 0)
        return false;
    if (!fstat(archive->fd, &facts) && S_ISREG(facts.st_mode))
        archive->length = (size_t)facts.st_size;
    if (!archive->length)
        (void)close(archive->fd);
    return archive->length;
}

static void handle(void *context, const struct http_request *request)
{
    struct recording_server *server = context;
    struct http_answer answer = {
        .status = 200, .type = "application/zip", .body = BUF_INIT(WORDS_MAX)};

    if (!open_archive(server, request, &answer.file)) {
        answer.status = 404;
        answer.type = "text/plain; charset=utf-8";
        buf_text(&answer.body, "There is no such recording.\n");
    }
    http_server_answer(server->server, request->id, &answer);
}

/* ---- start and stop ---- */

static bool read_secret(struct recording_server *server, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/" SECRET_FILE, server->folder);
    done = file_make_folder(server->folder, 0777, err) &&
           secret_token_load(&server->secret, buf_cstr(&path), err) &&
           (server->secret.text[0] ||
            err_set(err, ERR_INVALID,
                    "%.150s is empty: remove it, and another one is made",
                    buf_cstr(&path)));
    buf_release(&path);
    return done;
}

static char *name_base(const struct recording_server_options *options,
                       uint16_t port)
{
    struct buf base = BUF_INIT(STORE_URL_MAX);
    const char *scheme = options->certificate ? "https" : "http";
    bool is_six = strchr(options->address, ':') != NULL;
    char *copy;

    if (options->url)
        buf_text(&base, options->url);
    else
        buf_printf(&base, is_six ? "%s://[%s]:%u" : "%s://%s:%u", scheme,
                   options->address, (unsigned)port);
    copy = mem_dup(buf_cstr(&base));
    buf_release(&base);
    return copy;
}

/* Others cannot reach a worker at "any address of this computer". */
static bool check_reached(const struct recording_server_options *options,
                          struct err *err)
{
    struct in6_addr six;
    struct in_addr four;
    bool is_any = (inet_pton(AF_INET, options->address, &four) == 1 &&
                   four.s_addr == htonl(INADDR_ANY)) ||
                  (inet_pton(AF_INET6, options->address, &six) == 1 &&
                   IN6_IS_ADDR_UNSPECIFIED(&six));

    if (options->url)
        return store_url_check_http(options->url, err);
    return !is_any ||
           err_set(err, ERR_INVALID,
                   "%.60s does not say how others reach this computer: add "
                   "--serve-url https://HOST:PORT",
                   options->address);
}

bool recording_server_start(const struct recording_server_options *options,
                            struct recording_server **server, struct err *err)
{
    struct recording_server *started = mem_new(1, sizeof(*started));
    const struct http_server_options http = {
        .address = options->address,
        .port = options->port,
        .certificate = options->certificate,
        .private_key = options->private_key,
        .handle = handle,
        .context = started,
    };

    started->folder = mem_dup(options->folder);
    if (check_reached(options, err) && read_secret(started, err) &&
        http_server_open(&http, &started->server, err)) {
        started->base = name_base(options, http_server_port(started->server));
        if (http_server_start(started->server, err)) {
            *server = started;
            return true;
        }
    }
    recording_server_stop(started);
    return false;
}

void recording_server_stop(struct recording_server *server)
{
    if (!server)
        return;
    http_server_close(server->server);
    explicit_bzero(&server->secret, sizeof(server->secret));
    free(server->folder);
    free(server->base);
    free(server);
}
