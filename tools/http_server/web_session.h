/*
 * The login of web pages, and who may ask at all.
 *
 *     proctor prints  http://127.0.0.1:PORT/?token=TOKEN
 *     browser ── GET /?token=TOKEN ──▶ 303 to "/", with the cookie of a session
 *     browser ── GET / with the cookie ──▶ the page
 *
 * Every request and every upgrade must name this server in its Host header, so
 * that no name of another site leads here, and must come from a page of this
 * server or from none. A token is compared in constant time; wrong ones are
 * limited in number, which never keeps the right one out.
 */
#ifndef TOOLS_HTTP_SERVER_WEB_SESSION_H
#define TOOLS_HTTP_SERVER_WEB_SESSION_H

#include "base/err.h"
#include "tools/http_server/http_server.h"

/* Browsers that are logged in; the one that was silent for longest goes. */
#define WEB_SESSIONS 32

/* Wrong tokens per second, and how many may come at once. */
#define WEB_SESSION_WRONG_RATE 1
#define WEB_SESSION_WRONG_BURST 10

/*
 * For the answers of a server with pages: scripts and styles only from files of
 * this server, no frames, no other types than given, no referrers.
 */
extern const struct http_header web_session_headers[];

/* Used in the server's thread only. */
struct web_session;

/* Make a token. */
MUST_USE bool web_session_open(struct web_session **session, struct err *err);
void web_session_close(struct web_session *session); /* NULL is fine */

/* Append the address to open in a browser, with the token. */
void web_session_url(const struct web_session *session,
                     const struct http_server *server, struct buf *url);

/*
 * May this request be handled? False: it was answered, with the redirect of a
 * login or a refusal.
 */
MUST_USE bool web_session_admit(struct web_session *session,
                                struct http_server *server,
                                const struct http_request *request);

/* The same for an upgrade to WebSocket: 0, or the status of the refusal. */
MUST_USE int web_session_admit_socket(struct web_session *session,
                                      const struct http_server *server,
                                      const struct http_request *request);

#endif
