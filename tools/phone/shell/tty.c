#include "tools/phone/shell/tty.h"

#include <string.h>

#define KEY_INTERRUPT 0x03
#define KEY_END 0x04
#define KEY_KILL 0x15
#define KEY_ESCAPE 0x1b
#define KEY_DELETE 0x7f

void tty_release(struct phone_tty *tty)
{
    buf_release(&tty->line);
}

static void show(struct buf *echo, char byte)
{
    unsigned char c = (unsigned char)byte;

    if (c == '\t' || (c >= 0x20 && c != KEY_DELETE))
        buf_byte(echo, byte);
    else
        buf_printf(echo, "^%c", (c + 0x40) & 0x7f);
}

/* Erase the last character, all of its bytes. */
static void rub_out(struct phone_tty *tty, struct buf *echo)
{
    size_t length = tty->line.length;

    if (!length)
        return;
    do {
        length--;
    } while (length && ((unsigned char)tty->line.data[length] & 0xc0) == 0x80);
    buf_truncate(&tty->line, length);
    buf_text(echo, "\b \b");
}

static void hand_on(struct phone_tty *tty, struct buf *ready)
{
    buf_append(ready, buf_cstr(&tty->line), tty->line.length);
    buf_clear(&tty->line);
}

static void add(struct phone_tty *tty, char byte, struct buf *echo)
{
    if (tty->line.length == TTY_LINE_MAX || !byte) {
        buf_byte(echo, '\a');
        return;
    }
    buf_byte(&tty->line, byte);
    show(echo, byte);
}

/* Ignores cursor keys and similar sequences; true inside of one. */
static bool is_escape(struct phone_tty *tty, char byte)
{
    switch (tty->escape) {
    case TTY_ESCAPE:
        tty->escape = byte == '[' || byte == 'O' ? TTY_SEQUENCE : TTY_PLAIN;
        return true;
    case TTY_SEQUENCE:
        if (byte >= '@' && byte <= '~')
            tty->escape = TTY_PLAIN;
        return true;
    case TTY_PLAIN:
        break;
    }
    if (byte != KEY_ESCAPE)
        return false;
    tty->escape = TTY_ESCAPE;
    return true;
}

static void end_line(struct phone_tty *tty, struct buf *ready, struct buf *echo)
{
    hand_on(tty, ready);
    buf_byte(ready, '\n');
    buf_text(echo, "\r\n");
}

enum tty_event tty_type(struct phone_tty *tty, char byte, struct buf *ready,
                        struct buf *echo)
{
    if (is_escape(tty, byte))
        return TTY_NOTHING;
    switch (byte) {
    case '\r':
    case '\n':
        end_line(tty, ready, echo);
        return TTY_NOTHING;
    case '\b':
    case KEY_DELETE:
        rub_out(tty, echo);
        return TTY_NOTHING;
    case KEY_KILL:
        while (tty->line.length)
            rub_out(tty, echo);
        return TTY_NOTHING;
    case KEY_INTERRUPT:
        buf_clear(&tty->line);
        buf_text(echo, "^C\r\n");
        return TTY_INTERRUPT;
    case KEY_END:
        if (!tty->line.length)
            return TTY_END;
        hand_on(tty, ready);
        return TTY_NOTHING;
    default:
        add(tty, byte, echo);
        return TTY_NOTHING;
    }
}

void tty_print(const char *data, size_t size, struct buf *out)
{
    const char *end = data + size;

    while (data < end) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        const char *stop = newline ? newline : end;

        buf_append(out, data, (size_t)(stop - data));
        if (newline)
            buf_text(out, "\r\n");
        data = stop + (newline != NULL);
    }
}
