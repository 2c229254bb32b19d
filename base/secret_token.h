/* A token that a client must know, in a file that only its owner can read. */
#ifndef BASE_SECRET_TOKEN_H
#define BASE_SECRET_TOKEN_H

#include <stdbool.h>

#include "base/err.h"

#define SECRET_TOKEN_SIZE 256

struct secret_token {
    char text[SECRET_TOKEN_SIZE]; /* "": none is needed */
};

/*
 * Read the token from a file, or make one and put it there, for the owner
 * alone. An empty file is an empty token. Fails with ERR_INVALID for a file
 * that others may read, or whose token is too long.
 */
MUST_USE bool secret_token_load(struct secret_token *token, const char *path,
                                struct err *err);

/* A new one with 96 random bits. */
MUST_USE bool secret_token_make(struct secret_token *token, struct err *err);

/* The time it takes does not depend on how much of it is right. */
bool secret_token_equal(const struct secret_token *token, const char *given);

#endif
