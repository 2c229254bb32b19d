/*
 * Files of a store: s3://BUCKET/KEY is an object of an S3-compatible store,
 * which is sent and fetched; http://… is a file of a worker, which is fetched.
 *
 * The environment has what is needed for S3, under the names that other
 * programs use: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
 * AWS_REGION, and AWS_ENDPOINT_URL for a store that is not Amazon's. Keys are
 * in no message.
 *
 * Requests that fail for a temporary reason (a lost connection, a busy store)
 * are repeated. An object is visible only when it is complete, as in S3.
 */
#ifndef RUNNER_STORE_STORE_CLIENT_H
#define RUNNER_STORE_STORE_CLIENT_H

#include <stdbool.h>

#include "base/cancel.h"
#include "base/err.h"

#define STORE_URL_MAX 2048
#define STORE_FILE_MAX ((int64_t)5 << 30) /* of one request of S3 */

struct store_client;

struct store_options {
    const struct cancel *cancel; /* borrowed */
    int tries; /* for what fails for now; 0: until it is cancelled */
    /* Called once for each file whose requests are repeated; may be NULL. */
    void (*warn)(void *context, const char *text);
    void *context;
};

/* May several threads use it at the same time? Yes. */
MUST_USE bool store_client_open(const struct store_options *options,
                                struct store_client **client, struct err *err);
void store_client_close(struct store_client *client); /* NULL is fine */

/* Is it one of S3? */
bool store_url_is_s3(const char *url);

/*
 * Is s3://BUCKET/KEY well-formed? Only letters, digits and "-._/" are taken,
 * which need no quoting anywhere. ERR_INVALID.
 */
MUST_USE bool store_url_check(const char *url, struct err *err);

/* The same for http://HOST… and https://HOST…, of a worker. */
MUST_USE bool store_url_check_http(const char *url, struct err *err);

/*
 * Send the file at path, or fetch into it (it appears when it is complete).
 * Both block, and fail with ERR_UNAUTHORIZED for keys that the store does not
 * accept, or that are missing; ERR_NOT_FOUND for a file or bucket that is not
 * there; ERR_INVALID for a URL; ERR_LIMIT for a file that is too large;
 * ERR_REMOTE and what the store says; and as file_transfer_do.
 */
MUST_USE bool store_client_send(struct store_client *client, const char *path,
                                const char *url, struct err *err);
MUST_USE bool store_client_fetch(struct store_client *client, const char *url,
                                 const char *path, struct err *err);

#endif
