/*
 * One HTTP transfer between a file and a server: the file is sent, or written,
 * piece by piece, so that its size is no matter of memory.
 */
#ifndef RUNNER_STORE_FILE_TRANSFER_H
#define RUNNER_STORE_FILE_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/err.h"
#include "runner/models/http.h"

/* AWS Signature Version 4. */
struct transfer_signature {
    const char *scope; /* as CURLOPT_AWS_SIGV4 takes it */
    const char *key_id;
    const char *secret;
};

/* All of it is borrowed. */
struct file_transfer {
    const char *method; /* PUT sends the file, GET fills it */
    const char *url;
    const char *const *headers; /* "name: value"; the last is NULL */
    const struct transfer_signature *signature; /* NULL: it is not signed */
    int fd;        /* at its beginning; a GET truncates it */
    int64_t size;  /* of what is sent */
    int64_t limit; /* of what is received */
    const struct cancel *cancel;
};

/*
 * Do it once. The file is filled by a reply of status 200 alone; reply->body
 * has the text of any other reply. Redirects are not followed. A transfer
 * without progress for a minute fails with ERR_TIMEOUT; otherwise as http_send,
 * and as file_write.
 */
MUST_USE bool file_transfer_do(const struct file_transfer *transfer,
                               struct http_reply *reply, struct err *err);

#endif
