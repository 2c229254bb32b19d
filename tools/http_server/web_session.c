#include "tools/http_server/web_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/secret_token.h"
#include "tools/http_server/http_status.h"
#include "tools/http_server/rate_limit.h"
#include "tools/http_server/web_origin.h"

#define COOKIE_NAME_SIZE 32
#define TEXT_MAX 512

const struct http_header web_session_headers[] = {
    {"content-security-policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; "
     "img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; "
     "connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
     "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
    {"x-content-type-options", "nosniff"},
    {"referrer-policy", "no-referrer"},
    {"cross-origin-opener-policy", "same-origin"},
    {"cross-origin-resource-policy", "same-origin"},
    {NULL, NULL},
};

/* A browser that is logged in. */
struct login {
    struct secret_token cookie; /* "": free */
    int64_t used_ns;
};

struct web_session {
    struct secret_token token;
    struct login logins[WEB_SESSIONS];
    struct rate_limit wrong;
};

bool web_session_open(struct web_session **session, struct err *err)
{
    struct web_session *made = mem_new(1, sizeof(*made));

    *made = (struct web_session){.token = {.text = ""}};
    rate_limit_init(&made->wrong, WEB_SESSION_WRONG_RATE,
                    WEB_SESSION_WRONG_BURST);
    if (!secret_token_make(&made->token, err)) {
        free(made);
        return false;
    }
    *session = made;
    return true;
}

void web_session_close(struct web_session *session)
{
    free(session);
}

void web_session_url(const struct web_session *session,
                     const struct http_server *server, struct buf *url)
{
    const char *address = http_server_address(server);
    bool is_six = strchr(address, ':') != NULL;

    buf_printf(url, "%s://%s%s%s:%u/?token=%s",
               http_server_certificate(server) ? "https" : "http",
               is_six ? "[" : "", address, is_six ? "]" : "",
               (unsigned)http_server_port(server), session->token.text);
}

/* ---- answers ---- */

static void answer_text(struct http_server *server, uint64_t id, int status,
                        const struct http_header *headers, const char *text)
{
    struct http_answer answer = {.status = status,
                                 .type = "text/plain; charset=utf-8",
                                 .headers = headers,
                                 .body = BUF_INIT(TEXT_MAX)};

    buf_text(&answer.body, text);
    http_server_answer(server, id, &answer);
}

static void refuse(struct http_server *server, uint64_t id, int status)
{
    static const struct http_header headers[] = {{"cache-control", "no-store"},
                                                 {NULL, NULL}};
    static const struct {
        int status;
        const char *text;
    } texts[] = {
        {STATUS_UNAUTHORIZED,
         "Open the address that proctor printed, with its token.\n"},
        {STATUS_FORBIDDEN, "This request comes from elsewhere.\n"},
        {STATUS_TOO_MANY_REQUESTS,
         "Too many wrong tokens. Wait a few seconds.\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        if (texts[i].status == status)
            answer_text(server, id, status, headers, texts[i].text);
    }
}

/* ---- cookies ---- */

/* Cookies are for all ports of a host, so each server has its own name. */
static void name_cookie(const struct http_server *server,
                        char name[COOKIE_NAME_SIZE])
{
    snprintf(name, COOKIE_NAME_SIZE, "proctor-%u",
             (unsigned)http_server_port(server));
}

/*
 * The next value of the name in "a=1; name=value; b=2", and *cookies behind it;
 * those that are empty or too long are skipped. False: there is no more.
 */
static bool next_cookie(const char **cookies, const char *name,
                        char value[SECRET_TOKEN_SIZE])
{
    size_t named = strlen(name);

    while (**cookies) {
        const char *at = *cookies;
        size_t length = strcspn(at, ";");

        *cookies += length;
        *cookies += strspn(*cookies, "; ");
        if (length > named + 1 && !strncmp(at, name, named) &&
            at[named] == '=' && length - named - 1 < SECRET_TOKEN_SIZE) {
            snprintf(value, SECRET_TOKEN_SIZE, "%.*s",
                     (int)(length - named - 1), at + named + 1);
            return true;
        }
    }
    return false;
}

/* NULL: there is none. */
static struct login *find_login(struct web_session *session, const char *cookie)
{
    struct login *found = NULL;

    for (size_t i = 0; i < WEB_SESSIONS; i++) {
        if (secret_token_equal(&session->logins[i].cookie, cookie))
            found = &session->logins[i];
    }
    return found;
}

/* Other servers of the host can set cookies of the same name. */
static bool is_logged_in(struct web_session *session,
                         const struct http_server *server,
                         const struct http_request *request)
{
    const char *cookies = http_request_header(request, "cookie");
    char name[COOKIE_NAME_SIZE];
    char value[SECRET_TOKEN_SIZE];
    struct login *found = NULL;

    name_cookie(server, name);
    while (cookies && !found && next_cookie(&cookies, name, value))
        found = find_login(session, value);
    if (found)
        found->used_ns = clock_ns();
    return found != NULL;
}

/* ---- logging in ---- */

static struct login *oldest_login(struct web_session *session)
{
    struct login *oldest = &session->logins[0];

    for (size_t i = 1; i < WEB_SESSIONS; i++) {
        if (session->logins[i].used_ns < oldest->used_ns)
            oldest = &session->logins[i];
    }
    return oldest;
}

/* To the same page, without the token in its address. */
static void log_in(struct web_session *session, struct http_server *server,
                   const struct http_request *request)
{
    struct login *login = oldest_login(session);
    char name[COOKIE_NAME_SIZE];
    char cookie[SECRET_TOKEN_SIZE + 128];
    const struct http_header headers[] = {{"location", "/"},
                                          {"set-cookie", cookie},
                                          {"cache-control", "no-store"},
                                          {NULL, NULL}};
    struct err err = ERR_INIT;

    if (!secret_token_make(&login->cookie, &err)) {
        answer_text(server, request->id, STATUS_ERROR, NULL, err.text);
        return;
    }
    login->used_ns = clock_ns();
    name_cookie(server, name);
    snprintf(cookie, sizeof(cookie),
             "%s=%s; Path=/; HttpOnly; SameSite=Strict%s", name,
             login->cookie.text,
             http_server_certificate(server) ? "; Secure" : "");
    answer_text(server, request->id, STATUS_SEE_OTHER, headers, "");
}

/* 0: the token is right. Or the status of the refusal. */
static int check_token(struct web_session *session, const char *token)
{
    if (secret_token_equal(&session->token, token))
        return 0;
    return rate_limit_take(&session->wrong) ? STATUS_UNAUTHORIZED
                                            : STATUS_TOO_MANY_REQUESTS;
}

/* ---- who may ask ---- */

/*
 * A page of another server on this computer belongs to the same site for a
 * browser, which sends our cookie along; but it names its origin, or says that
 * it is another one.
 */
static bool comes_from_elsewhere(const struct http_server *server,
                                 const struct http_request *request,
                                 bool is_socket)
{
    const char *host = http_request_header(request, "host");
    const char *origin = http_request_header(request, "origin");
    const char *site = http_request_header(request, "sec-fetch-site");
    const char *mode = http_request_header(request, "sec-fetch-mode");
    const char *dest = http_request_header(request, "sec-fetch-dest");

    if (!host || !web_origin_names_server(server, host))
        return true;
    if (origin ? !web_origin_is_same(server, origin, host) : is_socket)
        return true;
    if (!site || !strcmp(site, "same-origin") || !strcmp(site, "none"))
        return false;
    /* A link may lead here, in its own tab: no frame, no object. */
    return strcmp(request->method, "GET") != 0 || !mode ||
           strcmp(mode, "navigate") != 0 || !dest ||
           strcmp(dest, "document") != 0;
}

bool web_session_admit(struct web_session *session, struct http_server *server,
                       const struct http_request *request)
{
    char token[SECRET_TOKEN_SIZE];
    int status = STATUS_UNAUTHORIZED;

    if (comes_from_elsewhere(server, request, false)) {
        refuse(server, request->id, STATUS_FORBIDDEN);
        return false;
    }
    if (!strcmp(request->method, "GET") &&
        http_request_argument(request, "token", token, sizeof(token))) {
        status = check_token(session, token);
        if (!status) {
            log_in(session, server, request);
            return false;
        }
    } else if (is_logged_in(session, server, request)) {
        return true;
    }
    refuse(server, request->id, status);
    return false;
}

int web_session_admit_socket(struct web_session *session,
                             const struct http_server *server,
                             const struct http_request *request)
{
    if (comes_from_elsewhere(server, request, true))
        return STATUS_FORBIDDEN;
    return is_logged_in(session, server, request) ? 0 : STATUS_UNAUTHORIZED;
}
