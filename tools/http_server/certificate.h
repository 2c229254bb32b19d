/* The certificate of a server, in PEM files of the user's. */
#ifndef TOOLS_HTTP_SERVER_CERTIFICATE_H
#define TOOLS_HTTP_SERVER_CERTIFICATE_H

#include <stdbool.h>

#include "base/err.h"

struct certificate;

/*
 * Read the certificate, and check that it can be used with this key. Fails with
 * ERR_INVALID and the reason; a key with a passphrase cannot be used.
 */
MUST_USE bool certificate_open(const char *file, const char *key,
                               struct certificate **certificate,
                               struct err *err);
void certificate_close(struct certificate *certificate); /* NULL is fine */

/* Is it for this name or numeric address? The file is not read again. */
bool certificate_is_for(const struct certificate *certificate,
                        const char *host);

#endif
