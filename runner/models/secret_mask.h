/*
 * Masks secrets in texts. Services quote keys in their errors, and models
 * repeat what they were sent.
 */
#ifndef RUNNER_MODELS_SECRET_MASK_H
#define RUNNER_MODELS_SECRET_MASK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"

#define SECRET_MASK_SECRETS_MAX 64
/* Shorter secrets are ignored: they would match harmless text. */
#define SECRET_MASK_SHORTEST 4

struct secret_mask {
    pthread_mutex_t lock;                   /* guards all below */
    char *secrets[SECRET_MASK_SECRETS_MAX]; /* owned, longest first */
    size_t count;
};

void secret_mask_init(struct secret_mask *mask);
void secret_mask_release(struct secret_mask *mask);

/*
 * Add a secret; NULL and short ones are ignored. All functions are safe from
 * any thread.
 */
void secret_mask_add(struct secret_mask *mask, const char *secret);

/*
 * Add the values of environment variables whose names say that they are
 * secret, such as OPENAI_API_KEY or GITHUB_TOKEN.
 */
void secret_mask_add_environment(struct secret_mask *mask);

/*
 * Replace each secret by the same number of asterisks. A secret is also found
 * with characters escaped as in JSON or a URL, and with invisible characters in
 * between. True if there was one.
 */
bool secret_mask_text(struct secret_mask *mask, char *text, size_t length);
bool secret_mask_buf(struct secret_mask *mask, struct buf *text);
void secret_mask_err(struct secret_mask *mask, struct err *err);

/* The same in every name and string of a JSON tree. */
bool secret_mask_json(struct secret_mask *mask, struct cJSON *tree);

#endif
