/* The address of a queue: a connection URL of PostgreSQL. */
#ifndef TOOLS_FARM_QUEUE_FARM_URL_H
#define TOOLS_FARM_QUEUE_FARM_URL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

#define FARM_URL_MAX 4096

/*
 * Split a URL into the parameters that libpq takes, and add those that proctor
 * wants. A host beyond this computer gets sslmode=verify-full unless the URL
 * says otherwise, with the system's certificates unless there is a root
 * certificate for PostgreSQL. The caller releases them. Fails with ERR_INVALID;
 * the message shows nothing of the URL, which may hold a password.
 */
struct farm_parameters {
    char **keywords; /* owned; ends with NULL */
    char **values;   /* owned; ends with NULL */
    size_t count;
};

MUST_USE bool farm_url_parse(const char *url,
                             struct farm_parameters *parameters,
                             struct err *err);
void farm_parameters_release(struct farm_parameters *parameters);

/* The value of a parameter; NULL: it is not given. */
const char *farm_parameters_find(const struct farm_parameters *parameters,
                                 const char *keyword);

/* Append the URL without its secrets: for messages, and for run.json. */
void farm_url_show(const struct farm_parameters *parameters, struct buf *text);

#endif
