/*
 * The computers that the phone trusts: their keys are in a file, as on Android,
 * and a dialog asks about others. Safe from any thread.
 */
#ifndef TOOLS_PHONE_ADBD_HOST_TRUST_H
#define TOOLS_PHONE_ADBD_HOST_TRUST_H

#include <stdbool.h>

#include "adb/trust/auth.h"
#include "tools/phone/files/files.h"
#include "tools/phone/system/phone_options.h"

#define TRUST_FILE "/data/misc/adb/adb_keys"

/* Limit of waiting prompts; further computers are refused. */
#define TRUST_PROMPTS_MAX 8

/* Timeout of a prompt, in real time. */
#define TRUST_PROMPT_MS 120000

/* MD5 of the key, as "01:23:...:EF". */
#define TRUST_FINGERPRINT_SIZE 48

struct host_trust;

/* root is the file tree as the system sees it; borrowed. */
struct host_trust *trust_open(struct phone_files *root, enum phone_trust mode);

/* No call may be running. NULL is fine. */
void trust_close(struct host_trust *trust);

/*
 * Refuse all waiting prompts, and new ones until trust_resume: for a reboot or
 * shutdown of the phone.
 */
void trust_pause(struct host_trust *trust);
void trust_resume(struct host_trust *trust);

/* Trust the key in text's first line from now on, if there is room. */
void trust_add(struct host_trust *trust, const char *text);

/* The same for each line of text. */
void trust_add_all(struct host_trust *trust, const char *text);

/* Functions of the gate with the same names; their context is the trust. */
void trust_look(void *context, struct keyring *known);
bool trust_ask(void *context, const char *text);

/* ---- the prompt ---- */

struct trust_prompt {
    char fingerprint[TRUST_FINGERPRINT_SIZE];
    bool always; /* the box is checked */
};

/* The prompt to show. False if there is none. */
MUST_USE bool trust_prompt(struct host_trust *trust,
                           struct trust_prompt *prompt);

/* Check or uncheck the box. */
void trust_toggle(struct host_trust *trust);

void trust_answer(struct host_trust *trust, bool allow);

/* Has the current prompt changed since the last call? */
bool trust_changed(struct host_trust *trust);

#endif
