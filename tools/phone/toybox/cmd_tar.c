/* tar: creates, lists and extracts archives. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/core/date_text.h"
#include "tools/phone/files/file_mode.h"
#include "tools/phone/files/users.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/tar_header.h"

#define PIECE ((size_t)16 * 1024)

struct tar {
    struct command_call *call;
    char mode;             /* 'c', 't' or 'x' */
    bool packed;           /* z */
    bool verbose;          /* v */
    bool to_output;        /* O */
    const char *archive;   /* NULL or "-": the input or output */
    const char *directory; /* C; or NULL */
    char **names;          /* owned; each is borrowed */
    size_t count;
    int status;
};

static void complain(struct tar *tar, const char *name, int number)
{
    tar->status = call_fail_path(tar->call, name, number);
}

/* The absolute path of name, relative to -C or the shell's directory. */
static char *path_of(struct tar *tar, const char *name)
{
    char *whole;
    char *path;

    if (!tar->directory || *name == '/')
        return call_path(tar->call, name);
    whole = cmd_join_path(tar->directory, name);
    path = call_path(tar->call, whole);
    free(whole);
    return path;
}

/* ---- an archive in memory, for compression ---- */

struct tar_memory {
    struct sh_out out;
    struct shared_bytes_writer writer;
};

static bool memory_write(struct sh_out *out, const void *data, size_t size)
{
    return shared_bytes_append(&((struct tar_memory *)out)->writer, data, size);
}

static bool memory_close(struct sh_out *out, int *number)
{
    (void)out, (void)number;
    return true;
}

static struct tar_memory memory_new(struct tar *tar)
{
    return (struct tar_memory){{memory_write, memory_close},
                               files_writer(tar->call->files)};
}

/* The written bytes, as an input. */
static struct sh_in *memory_input(struct tar_memory *memory)
{
    struct shared_bytes *bytes = shared_bytes_finish(&memory->writer);
    struct sh_in *in = sh_in_blob(bytes);

    shared_bytes_drop(bytes);
    return in;
}

/* ---- creating ---- */

static bool put_padding(struct sh_out *out, uint64_t size)
{
    static const uint8_t zeros[TAR_BLOCK];
    size_t rest = (size_t)(size % TAR_BLOCK);

    return !rest || sh_out_write(out, zeros, TAR_BLOCK - rest);
}

static void fill_header(const char *name, const struct files_stat *stat,
                        struct tar_header *header)
{
    *header = (struct tar_header){
        .type = S_ISDIR(stat->mode)   ? '5'
                : S_ISLNK(stat->mode) ? '2'
                                      : '0',
        .mode = stat->mode & 07777U,
        .uid = stat->uid,
        .gid = stat->gid,
        .mtime = stat->mtime / PHONE_SECOND,
    };
    snprintf(header->name, sizeof(header->name), "%.1000s%s", name,
             S_ISDIR(stat->mode) ? "/" : "");
}

/* Write the entry of a file, link or directory, and its contents. */
static bool add_entry(struct tar *tar, struct sh_out *out, const char *path,
                      const char *name, const struct files_stat *stat)
{
    struct shared_bytes *content = NULL;
    struct tar_header header;
    uint8_t block[TAR_BLOCK];
    int number = 0;
    bool done = true;

    fill_header(name, stat, &header);
    if (S_ISLNK(stat->mode))
        done = files_read_link(tar->call->files, path, &content, &number);
    else if (S_ISREG(stat->mode))
        done = files_open(tar->call->files, path, &content, &number);
    if (!done) {
        complain(tar, name, number);
        return true;
    }
    if (content && S_ISLNK(stat->mode))
        snprintf(header.link, sizeof(header.link), "%.*s", (int)content->size,
                 (const char *)content->data);
    else if (content)
        header.size = content->size;
    if (!tar_header_write(&header, block)) {
        complain(tar, name, ENAMETOOLONG);
    } else {
        if (tar->verbose)
            call_error(tar->call, "%.500s\n", header.name);
        done = sh_out_write(out, block, sizeof(block)) &&
               (!content || !header.size ||
                (sh_out_write(out, content->data, content->size) &&
                 put_padding(out, header.size)));
    }
    shared_bytes_drop(content);
    return done;
}

static bool add_tree(struct tar *tar, struct sh_out *out, const char *path,
                     const char *name, const struct files_stat *stat)
{
    struct files_list list = FILES_LIST_INIT;
    bool done = call_step(tar->call) && add_entry(tar, out, path, name, stat);
    int number;

    if (!done || !S_ISDIR(stat->mode))
        return done;
    if (!files_list(tar->call->files, path, &list, &number)) {
        complain(tar, name, number);
        return true;
    }
    for (size_t i = 0; done && i < list.count; i++) {
        char *inner = cmd_join_path(path, list.entries[i].name);
        char *inner_name = cmd_join_path(name, list.entries[i].name);

        done = add_tree(tar, out, inner, inner_name, &list.entries[i].stat);
        free(inner);
        free(inner_name);
    }
    files_list_release(&list);
    return done;
}

static bool add_all(struct tar *tar, struct sh_out *out)
{
    static const uint8_t zeros[2 * TAR_BLOCK];
    bool done = true;

    for (size_t i = 0; done && i < tar->count; i++) {
        const char *name = tar->names[i];
        char *path = path_of(tar, name);
        struct files_stat stat;
        int number = ENAMETOOLONG;

        if (path && files_stat(tar->call->files, path, false, &stat, &number))
            done = add_tree(tar, out, path,
                            name + strspn(name, "/") *
                                       (strspn(name, "/") < strlen(name)),
                            &stat);
        else
            complain(tar, name, number);
        free(path);
    }
    return done && sh_out_write(out, zeros, sizeof(zeros));
}

static int create(struct tar *tar)
{
    struct sh_out *out = tar->call->ports.out;
    bool file = tar->archive && strcmp(tar->archive, "-") != 0;
    struct tar_memory memory = memory_new(tar);
    bool done;

    if (!tar->count)
        return call_fail(tar->call, "empty archive");
    if (file && !call_create(tar->call, tar->archive, false, &out))
        return 1;
    done = add_all(tar, tar->packed ? &memory.out : out);
    if (done && tar->packed) {
        struct sh_in *in = memory_input(&memory);

        done = gzip_pack(tar->call, in, out, 6);
        sh_in_close(in);
    }
    shared_bytes_writer_release(&memory.writer);
    if (file && !call_finish(tar->call, out))
        return 1;
    if (!done && !tar->call->ended && !tar->status)
        tar->status = call_fail(tar->call, "write: %s", files_reason(ENOSPC));
    return tar->status;
}

/* ---- reading ---- */

/* Read exactly size bytes; false at the end, or when the command must end. */
static bool read_whole(struct tar *tar, struct sh_in *in, void *data,
                       size_t size)
{
    char *to = data;

    while (size) {
        size_t got;

        if (!call_read(tar->call, in, to, size, &got) || !got)
            return false;
        to += got;
        size -= got;
    }
    return true;
}

/* Copy an entry's bytes to out, and skip the rest of its last block. */
static bool copy_content(struct tar *tar, struct sh_in *in, uint64_t size,
                         struct sh_out *out)
{
    char data[PIECE];
    uint64_t left = (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;

    while (left) {
        size_t part = left < PIECE ? (size_t)left : PIECE;
        size_t wanted = size < part ? (size_t)size : part;

        if (!read_whole(tar, in, data, part))
            return false;
        if (out && wanted && !sh_out_write(out, data, wanted))
            out =
                NULL; /* a lack of space is reported when the file is closed */
        size -= wanted;
        left -= part;
    }
    return true;
}

/* The name without leading "/"; NULL if it leads out of the directory. */
static const char *safe_name(char *name)
{
    size_t length = strlen(name);
    const char *at = name;

    while (length > 1 && name[length - 1] == '/')
        name[--length] = '\0';
    while (*at == '/')
        at++;
    for (const char *part = at; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
            return NULL;
    }
    return *at ? at : ".";
}

static bool is_wanted(const struct tar *tar, const char *name)
{
    for (size_t i = 0; i < tar->count; i++) {
        size_t length = strlen(tar->names[i]);

        while (length > 1 && tar->names[i][length - 1] == '/')
            length--;
        if (!strncmp(tar->names[i], name, length) &&
            (!name[length] || name[length] == '/'))
            return true;
    }
    return !tar->count;
}

static void list_entry(struct tar *tar, const struct tar_header *header)
{
    struct buf time = BUF_INIT(64);
    char letters[FILE_MODE_SIZE];
    char user[USERS_NAME_SIZE];
    char group[USERS_NAME_SIZE];
    uint32_t kind = header->type == '5'   ? S_IFDIR
                    : header->type == '2' ? S_IFLNK
                                          : S_IFREG;

    if (tar->verbose) {
        file_mode_letters(kind | header->mode, letters);
        users_name(header->uid, user);
        users_name(header->gid, group);
        date_text_format(header->mtime * PHONE_SECOND, "%Y-%m-%d %H:%M", &time);
        call_print(tar->call, "%s %s/%s %9llu %s ", letters, user, group,
                   (unsigned long long)header->size, buf_cstr(&time));
    }
    call_print(tar->call, "%s%s", header->name, header->type == '5' ? "/" : "");
    if (tar->verbose && header->type == '2')
        call_print(tar->call, " -> %s", header->link);
    call_print(tar->call, "\n");
    buf_release(&time);
}

/* Create the directories of a name. */
static void make_parents(struct tar *tar, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *parent =
        slash && slash > path ? mem_dup_n(path, (size_t)(slash - path)) : NULL;
    int number;

    if (parent &&
        !files_make_directory(tar->call->files, parent, 0755, true, &number))
        complain(tar, parent, number);
    free(parent);
}

static bool extract_file(struct tar *tar, struct sh_in *in,
                         const struct tar_header *header, const char *path)
{
    struct tar_memory memory = memory_new(tar);
    struct shared_bytes *content;
    uint64_t before = header->size;
    int number = ENOSPC;
    bool fits;

    if (!copy_content(tar, in, header->size, &memory.out)) {
        shared_bytes_writer_release(&memory.writer);
        return false;
    }
    fits = memory.writer.size == before;
    content = shared_bytes_finish(&memory.writer);
    if (!fits || !files_replace(tar->call->files, path, content, header->mode,
                                header->mtime * PHONE_SECOND, &number))
        complain(tar, header->name, number);
    shared_bytes_drop(content);
    return true;
}

/* False when the archive ends too early. */
static bool extract_entry(struct tar *tar, struct sh_in *in,
                          const struct tar_header *header, const char *name)
{
    char *path = path_of(tar, name);
    int number = ENAMETOOLONG;
    bool fine = true;

    if (!path) {
        complain(tar, name, number);
        return copy_content(tar, in, header->size, NULL);
    }
    if (tar->verbose)
        call_error(tar->call, "%.500s\n", header->name);
    make_parents(tar, path);
    if (header->type == '5') {
        if (!files_make_directory(tar->call->files, path, header->mode, true,
                                  &number))
            complain(tar, name, number);
    } else if (header->type == '2') {
        if (!files_link(tar->call->files, header->link, path, &number) &&
            number != EEXIST)
            complain(tar, name, number);
    } else {
        fine = extract_file(tar, in, header, path);
        free(path);
        return fine;
    }
    free(path);
    return copy_content(tar, in, header->size, NULL);
}

/* GNU's long names are in a separate entry before the file's own. */
static bool take_long_name(struct tar *tar, struct sh_in *in,
                           const struct tar_header *header,
                           char name[static TAR_NAME_SIZE])
{
    uint8_t block[TAR_BLOCK];
    uint64_t left = header->size;
    size_t used = 0;

    while (left) {
        size_t part = left < TAR_BLOCK ? (size_t)left : TAR_BLOCK;

        if (!read_whole(tar, in, block, TAR_BLOCK))
            return false;
        if (used + part < TAR_NAME_SIZE) {
            memcpy(name + used, block, part);
            used += part;
        }
        left -= part;
    }
    name[used] = '\0';
    return true;
}

static bool use_entry(struct tar *tar, struct sh_in *in,
                      struct tar_header *header)
{
    const char *name = safe_name(header->name);
    bool known = strchr("0257", header->type) && header->type;

    if (!known || !name || !is_wanted(tar, name)) {
        if (known && !name)
            tar->status =
                call_fail(tar->call, "skipping '%.300s'", header->name);
        return copy_content(tar, in, header->size, NULL);
    }
    if (tar->mode == 't') {
        list_entry(tar, header);
        return copy_content(tar, in, header->size, NULL);
    }
    if (tar->to_output)
        return copy_content(tar, in, header->size, tar->call->ports.out);
    return extract_entry(tar, in, header, name);
}

static bool read_entries(struct tar *tar, struct sh_in *in)
{
    struct tar_header header;
    uint8_t block[TAR_BLOCK];
    char name[TAR_NAME_SIZE] = "";

    while (read_whole(tar, in, block, sizeof(block))) {
        if (tar_header_is_end(block))
            return true;
        if (!tar_header_read(block, &header))
            return false;
        if (header.type == 'L') {
            if (!take_long_name(tar, in, &header, name))
                return false;
            continue;
        }
        if (*name)
            memcpy(header.name, name, sizeof(name));
        name[0] = '\0';
        if (!use_entry(tar, in, &header))
            return false;
    }
    return false;
}

static int read_archive(struct tar *tar)
{
    struct tar_memory memory = memory_new(tar);
    struct sh_in *in;
    bool done = true;

    if (!call_open(tar->call, tar->archive ? tar->archive : "-", &in))
        return 1;
    if (tar->packed) {
        done = gzip_unpack(tar->call, in, &memory.out);
        call_close(tar->call, in);
        in = memory_input(&memory);
    }
    done = done && read_entries(tar, in);
    shared_bytes_writer_release(&memory.writer);
    if (tar->packed)
        sh_in_close(in);
    else
        call_close(tar->call, in);
    if (!done && !tar->call->ended)
        tar->status = call_fail(tar->call, "bad archive, or a short one");
    return tar->status;
}

/* ---- the command ---- */

/* Parse the letters of an argument; moves *at to its last argument. */
static bool read_letters(struct tar *tar, const char *letters, size_t *at)
{
    struct command_call *call = tar->call;

    for (; *letters; letters++) {
        switch (*letters) {
        case 'c':
        case 't':
        case 'x':
            tar->mode = *letters;
            break;
        case 'z':
            tar->packed = true;
            break;
        case 'v':
            tar->verbose = true;
            break;
        case 'O':
            tar->to_output = true;
            break;
        case 'f':
        case 'C':
            if (*at + 1 >= call->argc) {
                call_fail(call, "Missing argument to '%c'", *letters);
                return false;
            }
            *(*letters == 'f' ? &tar->archive : &tar->directory) =
                call->argv[++*at];
            break;
        default:
            if (strchr("hkmpo", *letters))
                break; /* these have no effect here */
            call_fail(call, "Unknown option '%c' (see \"tar --help\")",
                      *letters);
            return false;
        }
    }
    return true;
}

static bool read_words(struct tar *tar)
{
    struct command_call *call = tar->call;

    tar->names = mem_new(call->argc, sizeof(*tar->names));
    for (size_t i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];

        if (i == 1 || (word[0] == '-' && word[1])) {
            if (!read_letters(tar, word + (word[0] == '-'), &i))
                return false;
        } else {
            tar->names[tar->count++] = call->argv[i];
        }
    }
    return true;
}

int do_tar(struct command_call *call)
{
    struct tar tar = {.call = call};
    int status = 1;

    if (call->argc < 2)
        return call_fail(call, "Needs -txc (see \"tar --help\")");
    if (read_words(&tar)) {
        if (tar.mode == 'c')
            status = create(&tar);
        else if (tar.mode)
            status = read_archive(&tar);
        else
            status = call_fail(call, "Needs -txc (see \"tar --help\")");
    }
    free(tar.names);
    return status;
}
