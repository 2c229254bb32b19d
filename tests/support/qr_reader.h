/* Reads a QR code that is complete and not rotated, as a phone does. */
#ifndef TESTS_SUPPORT_QR_READER_H
#define TESTS_SUPPORT_QR_READER_H

#include <stddef.h>

/* Modules of a row, at most. */
#define QR_READER_WIDTH_MAX 33
#define QR_READER_TEXT_MAX 256

/*
 * Read rows of '1' (dark) and '0'. Only versions 3 and 4 of level M are known
 * (ISO/IEC 18004); the test fails with any other.
 */
void qr_reader_text(const char *const *rows, int width,
                    char text[QR_READER_TEXT_MAX]);

#endif
