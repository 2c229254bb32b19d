/*
 * The computers that the phone trusts: their keys are in a file, as Android
 * keeps them, and its owner is asked about those that are not.
 *
 * Safe from any thread.
 */
#ifndef PHONE_TRUST_H
#define PHONE_TRUST_H

#include <stdbool.h>

#include "adb/auth.h"
#include "tools/phone/files.h"
#include "tools/phone/phone.h"

#define TRUST_FILE "/data/misc/adb/adb_keys"

/* Prompts that wait for an answer; more computers are refused. */
#define TRUST_PROMPTS_MAX 8

/* How long one waits, in the computer's time. */
#define TRUST_PROMPT_MS 120000

/* MD5 of the key, as "01:23:...:EF". */
#define TRUST_FINGERPRINT_SIZE 48

struct trust;

/* root, the files as the system sees them, is borrowed. */
struct trust *trust_open(struct files *root, enum phone_trust mode);

/* Nobody asks any more. NULL is fine. */
void trust_close(struct trust *trust);

/*
 * Refuse whoever waits for an answer, and all who ask until trust_resume: the
 * phone boots, or goes.
 */
void trust_pause(struct trust *trust);
void trust_resume(struct trust *trust);

/* Trust the computer with text's first line from now on, if there is room. */
void trust_add(struct trust *trust, const char *text);

/* The same for each line of text. */
void trust_add_all(struct trust *trust, const char *text);

/* For the gate's functions of the same names; their context is the trust. */
void trust_look(void *context, struct keyring *known);
bool trust_ask(void *context, const char *text);

/* ---- the prompt ---- */

struct trust_prompt {
    char fingerprint[TRUST_FINGERPRINT_SIZE];
    bool always; /* the box is checked */
};

/* What the owner is asked now. False: nothing. */
MUST_USE bool trust_prompt(struct trust *trust, struct trust_prompt *prompt);

/* The owner checks the box, or unchecks it. */
void trust_toggle(struct trust *trust);

void trust_answer(struct trust *trust, bool allow);

/* Was there another prompt, or none, when this was last called? */
bool trust_changed(struct trust *trust);

#endif
