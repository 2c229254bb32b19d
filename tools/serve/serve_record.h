/*
 * Recordings in the browser: one thread carries out what pages ask for, in its
 * order, reads recordings again when they have changed, and tells the pages
 * that follow them.
 *
 *     acting thread of a view ──▶ live_recorder ──▶ disk ─┐
 *     page ──▶ request ──▶ queue ──▶ edit on the disk ────┤
 *                                                         ▼
 *     page ◀── push "recording" ◀── recording_view ◀── read again
 */
#ifndef TOOLS_SERVE_SERVE_RECORD_H
#define TOOLS_SERVE_SERVE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json_write.h"
#include "tools/http_server/http_server.h"
#include "tools/serve/serve_message.h"

struct serve;
struct serve_page;
struct serve_record;
struct served_phone;

/* Fails when no thread can be started. */
MUST_USE bool serve_record_start(struct serve *serve, const char *folder,
                                 struct serve_record **record, struct err *err);

/* Finish what was asked for, and end recordings so that they can go on. Views
 * must still be open, without the lock. NULL is fine. */
void serve_record_stop(struct serve_record *record);

/* A message about recordings; with the lock. Answered later, or fails. */
MUST_USE bool serve_record_ask(struct serve_record *record,
                               struct serve_page *page,
                               const struct serve_message *message,
                               struct err *err);

/*
 * Start to record a phone, whose view is open, or take a step again on it; with
 * the lock, without blocking. The page is answered later, and drives the phone
 * then that is recorded. Fails with ERR_BUSY if it or a phone under the same
 * name is recorded already.
 */
MUST_USE bool serve_record_begin(struct serve_record *record,
                                 struct serve_page *page,
                                 struct served_phone *phone,
                                 const struct serve_message *message,
                                 struct err *err);

/* The name under which a phone is being recorded; "": it is not. With the
 * lock. */
const char *serve_record_name(const struct served_phone *phone);

/* End the recording of a phone so that it can go on, before its view is closed:
 * in the thread that closes it, without the lock. */
void serve_record_end(struct served_phone *phone);

/* Answer a request for a picture; false: it is none. */
bool serve_record_picture(struct serve_record *record,
                          struct http_server *server,
                          const struct http_request *request);

#endif
