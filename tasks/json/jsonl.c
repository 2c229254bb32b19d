#include "tasks/json/jsonl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"

#define LINE_MAX_BYTES ((size_t)16 << 20)

/* The end of the last complete line. */
static bool whole_lines(int fd, off_t *length, bool *torn)
{
    off_t all = lseek(fd, 0, SEEK_END);
    off_t end = all;
    char byte = '\n';

    while (end > 0) {
        if (pread(fd, &byte, 1, end - 1) != 1)
            return false;
        if (byte == '\n')
            break;
        end--;
    }
    *length = end;
    *torn = end < all;
    return end >= 0;
}

bool jsonl_open(struct jsonl_writer *writer, const char *path, struct err *err)
{
    off_t length;
    bool torn = false;
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        return err_errno(err, errno, "open %s", path);
    *writer = (struct jsonl_writer){.fd = fd, .path = mem_dup(path)};
    if (!whole_lines(fd, &length, &torn) || (torn && ftruncate(fd, length))) {
        int number = errno;

        jsonl_close(writer);
        return err_errno(err, number, "repair %s", path);
    }
    return true;
}

bool jsonl_add(struct jsonl_writer *writer, const struct cJSON *line,
               struct err *err)
{
    struct buf text = BUF_INIT(LINE_MAX_BYTES);
    bool done;

    json_format(line, &text);
    buf_byte(&text, '\n');
    done = !text.overflow ||
           err_set(err, ERR_LIMIT, "a line of more than %zu MiB for %s",
                   LINE_MAX_BYTES >> 20, writer->path);
    done = done && (file_write(writer->fd, text.data, text.length, err) ||
                    err_wrap(err, "write %s", writer->path));
    buf_release(&text);
    return done;
}

bool jsonl_sync(struct jsonl_writer *writer, struct err *err)
{
    return !fdatasync(writer->fd) ||
           err_errno(err, errno, "write %s", writer->path);
}

void jsonl_close(struct jsonl_writer *writer)
{
    if (writer->fd >= 0)
        close(writer->fd);
    free(writer->path);
    *writer = (struct jsonl_writer)JSONL_WRITER_INIT;
}

bool jsonl_next(struct jsonl_reader *reader, struct json *line, struct err *err)
{
    const char *text = reader->text;
    const char *end = reader->left ? memchr(text, '\n', reader->left) : NULL;
    size_t length = end ? (size_t)(end - text) : 0;

    *line = (struct json)JSON_NONE;
    cJSON_Delete(reader->tree);
    reader->tree = NULL;
    if (!end) {
        reader->torn = reader->left > 0;
        return true;
    }
    reader->text = end + 1;
    reader->left -= length + 1;
    reader->line++;
    if (!json_parse(text, length, &reader->tree, err))
        return jsonl_wrap(reader, err);
    if (!cJSON_IsObject(reader->tree))
        return err_set(err, ERR_INVALID, "line %d: expected an object",
                       reader->line);
    line->value = reader->tree;
    return true;
}

bool jsonl_wrap(const struct jsonl_reader *reader, struct err *err)
{
    return err_wrap(err, "line %d", reader->line);
}

void jsonl_reader_release(struct jsonl_reader *reader)
{
    cJSON_Delete(reader->tree);
    *reader = (struct jsonl_reader)JSONL_READER(NULL, 0);
}
