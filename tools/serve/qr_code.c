#include "tools/serve/qr_code.h"

#include <qrencode.h>

#include "base/json_write.h"

#define ROW_MAX 177 /* modules of the largest code: version 40 */
#define DARK 1

bool qr_code_rows(const char *text, struct cJSON *rows, struct err *err)
{
    QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    char row[ROW_MAX + 1];

    if (!code)
        return err_set(err, ERR_LIMIT, "the text does not fit a QR code");
    for (int y = 0; y < code->width; y++) {
        for (int x = 0; x < code->width; x++)
            row[x] = code->data[y * code->width + x] & DARK ? '1' : '0';
        row[code->width] = '\0';
        json_add_string(rows, NULL, row);
    }
    QRcode_free(code);
    return true;
}
