#include "tests/support/zip_maker.h"

#include <stdint.h>
#include <string.h>

static void put_u16(struct buf *zip, size_t value)
{
    buf_byte(zip, (char)(value & 0xff));
    buf_byte(zip, (char)(value >> 8));
}

static void put_zeros(struct buf *zip, size_t count)
{
    while (count--)
        buf_byte(zip, '\0');
}

static void put_entry(struct buf *zip, const char *name)
{
    buf_u32le(zip, 0x02014b50);
    put_zeros(zip, 24);
    put_u16(zip, strlen(name));
    put_zeros(zip, 16);
    buf_text(zip, name);
}

void zip_maker_write(struct buf *zip, const char *const *names,
                     const char *comment)
{
    size_t count = 0;
    size_t start;
    size_t end;

    buf_u32le(zip, 0x04034b50);
    put_zeros(zip, 26);
    start = zip->length;
    for (; names[count]; count++)
        put_entry(zip, names[count]);
    end = zip->length;
    buf_u32le(zip, 0x06054b50);
    put_zeros(zip, 4);
    put_u16(zip, count);
    put_u16(zip, count);
    buf_u32le(zip, (uint32_t)(end - start));
    buf_u32le(zip, (uint32_t)start);
    put_u16(zip, strlen(comment));
    buf_text(zip, comment);
}
