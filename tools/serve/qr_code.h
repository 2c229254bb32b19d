/* QR codes, by libqrencode. */
#ifndef TOOLS_SERVE_QR_CODE_H
#define TOOLS_SERVE_QR_CODE_H

#include <cjson/cJSON.h>

#include "base/err.h"

/*
 * Add the rows of a QR code of this text to an array: each is a text of "0" and
 * "1" (dark), without a margin. Fails with ERR_LIMIT for a text that is too
 * long.
 */
MUST_USE bool qr_code_rows(const char *text, struct cJSON *rows,
                           struct err *err);

#endif
