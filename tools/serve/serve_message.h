/*
 * What the page sends: one JSON object per message, {"id": 7, "do": NAME, ...},
 * checked and bounded (docs/serve.md lists them). Pure.
 */
#ifndef TOOLS_SERVE_SERVE_MESSAGE_H
#define TOOLS_SERVE_SERVE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/transport/tcp.h"
#include "adb/trust/pairing.h"
#include "base/err.h"
#include "tools/live/phone_view.h"
#include "tools/phone/screen/app.h"
#include "tools/serve/record_request.h"

/* A text of VIEW_TEXT_MAX bytes may be six times as long in JSON. */
#define SERVE_MESSAGE_MAX (8 * VIEW_TEXT_MAX)

enum serve_verb {
    SERVE_PHONES,
    SERVE_WATCH,
    SERVE_UNWATCH,
    SERVE_SEEN,
    SERVE_RUNG,
    SERVE_TAKE,
    SERVE_RELEASE,
    SERVE_TOUCH,
    SERVE_KEY,
    SERVE_TEXT,
    SERVE_PASTE,
    SERVE_ROTATE,
    SERVE_LOCK,
    SERVE_TREE,
    SERVE_DESCRIBE,
    SERVE_SCREENSHOT,
    SERVE_SHELL,
    SERVE_CONNECT,
    SERVE_PAIR,
    SERVE_PAIR_QR,
    SERVE_START_PHONE,
    SERVE_STOP_PHONE,
    SERVE_RECORD,
    SERVE_RECORDINGS,
    SERVE_RECORDING,
    SERVE_RECORD_STOP,
    SERVE_RECORD_UNDO,
    SERVE_RECORD_STAR,
    SERVE_RECORD_NOTE,
    SERVE_RECORD_DELETE,
    SERVE_RECORD_EVIDENCE,
    SERVE_RECORD_WAIT,
    SERVE_RECORD_ANSWER,
    SERVE_RECORD_TRIM,
    SERVE_RECORD_RENAME,
    SERVE_RECORD_BLUR,
    SERVE_RECORD_SPLIT,
    SERVE_RECORD_FORM,
    SERVE_RECORD_SAVE,
    SERVE_RECORD_TWINS,
    SERVE_RECORD_RETAKE,
    SERVE_VERBS
};

struct serve_message {
    int64_t id; /* for the answer; 0: none is expected */
    enum serve_verb verb;
    char phone[TCP_ADDRESS_MAX]; /* its serial */
    uint16_t watch;              /* of UNWATCH and SEEN; of WATCH the number
                                    that is wanted, 0: any */
    enum live_rung rung;
    bool video;                  /* of WATCH: the page can show it */
    bool passive;                /* of WATCH: only as long as others do */
    struct view_command command; /* of what acts and reads; text is borrowed
                                    from own_text */
    char *own_text;              /* owned */
    char address[TCP_ADDRESS_MAX];
    char code[PAIRING_CODE_MAX + 1];
    int64_t seed;
    int skin;
    enum phone_locale locale;
    bool dark;
    struct record_request record; /* of what is about a recording */
};

/*
 * Parse one message; the caller releases it, also after a failure. Fails with
 * ERR_INVALID or ERR_LIMIT; id is then set if there is one to answer to.
 */
MUST_USE bool serve_message_parse(struct serve_message *message,
                                  const char *text, size_t length,
                                  struct err *err);
void serve_message_release(struct serve_message *message);

/* Does it change the phone, how it is shown to all, or which phones there are?
 */
bool serve_verb_acts(enum serve_verb verb);

/* Does it add a phone? */
bool serve_verb_adds(enum serve_verb verb);

#endif
