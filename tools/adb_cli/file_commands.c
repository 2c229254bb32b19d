/* push, pull, sync and ls. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/sync/sync.h"
#include "base/file.h"
#include "base/mem.h"
#include "tools/adb_cli/adb_cli.h"

/* What is reported of one transfer, or of all. */
struct ledger {
    unsigned long long files;
    unsigned long long skipped;
    unsigned long long bytes;
    int64_t start_ns;
};

struct file_command {
    struct sync *sync;
    bool push;
    bool newer_only;      /* --sync */
    bool keep_attributes; /* -a */
    enum sync_compression compression;
    const char *target;
    bool target_exists;
    bool target_is_folder;
    unsigned transfers;
    struct ledger all;
};

/*
 * Print "adb: error: ..." on stdout, where AOSP prints what becomes of
 * transfers. Always false.
 */
PRINTF_LIKE(1, 2) static bool fail(const char *fmt, ...)
{
    va_list values;

    fputs("adb: error: ", stdout);
    va_start(values, fmt);
    vprintf(fmt, values);
    va_end(values);
    putchar('\n');
    return false;
}

/* The reason without "pushing PATH: ", which the message has already. */
static const char *reason_of(const struct err *err, const char *path)
{
    const char *found = strstr(err->text, path);

    if (found && !strncmp(found + strlen(path), ": ", 2))
        return found + strlen(path) + 2;
    return err->text;
}

static bool fail_copy(const char *from, const char *to, const char *remote,
                      const struct err *err)
{
    return fail("failed to copy '%s' to '%s': %s%s", from, to,
                err->code == ERR_REMOTE ? "remote " : "",
                reason_of(err, remote));
}

/* ---- reports ---- */

static void report(const struct file_command *command, const char *name,
                   const struct ledger *ledger)
{
    double seconds = (double)(clock_ns() - ledger->start_ns) / 1e9;

    if (*name)
        printf("%s: ", name);
    printf("%llu file%s %s, %llu skipped.", ledger->files,
           ledger->files == 1 ? "" : "s", command->push ? "pushed" : "pulled",
           ledger->skipped);
    if (ledger->bytes)
        printf(" %.1f MB/s (%llu bytes in %.3fs)",
               (double)ledger->bytes / (1024 * 1024) /
                   (seconds > 0 ? seconds : 1e-9),
               ledger->bytes, seconds);
    putchar('\n');
}

static void add_up(struct file_command *command, const char *name,
                   const struct ledger *one)
{
    command->transfers++;
    command->all.files += one->files;
    command->all.skipped += one->skipped;
    command->all.bytes += one->bytes;
    report(command, name, one);
}

/* ---- names ---- */

/* The last part of path; the caller frees it. */
static char *last_part(const char *path)
{
    char *copy = mem_dup(path);
    char *part = mem_dup(basename(copy));

    free(copy);
    return part;
}

static void join_path(struct buf *path, const char *folder, const char *name)
{
    size_t length = strlen(folder);

    buf_printf(path, "%s%s%s", folder,
               length && folder[length - 1] == '/' ? "" : "/", name);
}

/* Where a source goes: the target, or a name in it. */
static void place_of(const struct file_command *command, const char *source,
                     bool inside, struct buf *place)
{
    char *name = last_part(source);

    if (inside)
        join_path(place, command->target, name);
    else
        buf_text(place, command->target);
    free(name);
}

/* ---- one source ---- */

/* A whole folder; its content goes into the place, which is made. */
static bool copy_folder(struct file_command *command, const char *source)
{
    struct buf place = BUF_INIT(8192);
    struct buf content = BUF_INIT(8192);
    struct buf name = BUF_INIT(8192);
    struct ledger one = {.start_ns = clock_ns()};
    struct sync_totals totals = {0};
    struct err err = ERR_INIT;
    bool done;

    place_of(command, source, command->target_exists, &place);
    join_path(&content, source, ".");
    join_path(&name, source, "");
    done = command->push
               ? sync_push(command->sync, buf_cstr(&content), buf_cstr(&place),
                           DEADLINE_NEVER, &totals, &err)
               : sync_pull(command->sync, buf_cstr(&content), buf_cstr(&place),
                           DEADLINE_NEVER, &totals, &err);
    one.files = totals.files;
    one.skipped = totals.skipped;
    one.bytes = totals.bytes;
    if (done)
        add_up(command, buf_cstr(&name), &one);
    else
        fail_copy(source, buf_cstr(&place),
                  command->push ? buf_cstr(&place) : source, &err);
    buf_release(&place);
    buf_release(&content);
    buf_release(&name);
    return done;
}

/* With --sync, a file of the same size and time is left out. */
static bool is_same(struct file_command *command, const char *place,
                    const struct stat *facts)
{
    struct sync_stat there;
    struct err err = ERR_INIT;

    return command->newer_only &&
           sync_stat(command->sync, place, false, DEADLINE_NEVER, &there,
                     &err) &&
           there.mode && there.size == (uint64_t)facts->st_size &&
           there.mtime == facts->st_mtime;
}

static bool push_file(struct file_command *command, const char *source,
                      const char *place, const struct stat *facts)
{
    struct ledger one = {.start_ns = clock_ns()};
    struct err err = ERR_INIT;
    bool done;
    int fd;

    if (is_same(command, place, facts)) {
        one.skipped = 1;
        add_up(command, source, &one);
        return true;
    }
    fd = open(source, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail("cannot open '%s': %s", source, strerror(errno));
    done = sync_send(command->sync, fd, place, facts->st_mode, facts->st_mtime,
                     (uint64_t)facts->st_size, DEADLINE_NEVER, &err);
    close(fd);
    one.files = 1;
    one.bytes = (unsigned long long)facts->st_size;
    /* As AOSP does, which learns of a failure only later. */
    add_up(command, source, &one);
    return done || fail_copy(source, place, place, &err);
}

static bool push_one(struct file_command *command, const char *source)
{
    struct buf place = BUF_INIT(8192);
    struct stat facts;
    bool done = true;

    if (stat(source, &facts))
        return fail("cannot stat '%s': %s", source, strerror(errno));
    if (S_ISDIR(facts.st_mode))
        return command->target_exists && !command->target_is_folder
                   ? fail("target '%s' is not a directory", command->target)
                   : copy_folder(command, source);
    place_of(command, source, command->target_is_folder, &place);
    if (S_ISREG(facts.st_mode)) {
        done = push_file(command, source, buf_cstr(&place), &facts);
    } else {
        printf("adb: warning: skipping special file '%s' (mode = 0o%o)\n",
               source, facts.st_mode);
    }
    buf_release(&place);
    return done;
}

static void set_attributes(const struct file *file,
                           const struct sync_stat *facts)
{
    const struct timespec times[2] = {{.tv_sec = facts->mtime},
                                      {.tv_sec = facts->mtime}};

    (void)fchmod(file->fd, facts->mode & 0777);
    (void)futimens(file->fd, times);
}

static bool pull_file(struct file_command *command, const char *source,
                      const char *place, const struct sync_stat *facts)
{
    struct ledger one = {.files = 1, .start_ns = clock_ns()};
    struct file file = FILE_INIT;
    struct err err = ERR_INIT;
    struct stat got;

    if (!file_begin(&file, place, 0644, &err))
        return fail("cannot create '%s': %s", place, reason_of(&err, place));
    if (!sync_receive(command->sync, source, file.fd, facts->size,
                      DEADLINE_NEVER, &err)) {
        file_abandon(&file);
        return fail_copy(source, place, source, &err);
    }
    if (command->keep_attributes)
        set_attributes(&file, facts);
    if (!fstat(file.fd, &got))
        one.bytes = (unsigned long long)got.st_size;
    if (!file_commit(&file, &err))
        return fail("cannot write '%s': %s", place, err.text);
    add_up(command, source, &one);
    return true;
}

static bool pull_one(struct file_command *command, const char *source)
{
    struct buf place = BUF_INIT(8192);
    struct sync_stat facts;
    struct err err = ERR_INIT;
    bool done = true;

    if (!sync_stat(command->sync, source, true, DEADLINE_NEVER, &facts, &err))
        return fail("failed to stat remote object '%s': %s", source,
                    reason_of(&err, source));
    if (!facts.mode)
        return fail("failed to stat remote object '%s': %s", source,
                    strerror(ENOENT));
    if (S_ISDIR(facts.mode))
        return command->target_exists && !command->target_is_folder
                   ? fail("target '%s' is not a directory", command->target)
                   : copy_folder(command, source);
    place_of(command, source, command->target_is_folder, &place);
    done = pull_file(command, source, buf_cstr(&place), &facts);
    buf_release(&place);
    return done;
}

/* ---- the target ---- */

/* "FILE/" is no place, although it does not exist. */
static bool check_slashes(const struct file_command *command)
{
    char *path = mem_dup(command->target);
    size_t length = strlen(path);
    struct sync_stat facts = {0};
    struct err err = ERR_INIT;
    bool slashes = length > 1 && path[length - 1] == '/';

    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    if (slashes &&
        !sync_stat(command->sync, path, true, DEADLINE_NEVER, &facts, &err))
        facts.mode = 0;
    free(path);
    return !facts.mode || fail("stat failed when trying to push to %s: %s",
                               command->target, strerror(ENOTDIR));
}

static bool look_at_remote_target(struct file_command *command)
{
    struct sync_stat facts;
    struct err err = ERR_INIT;

    if (!sync_stat(command->sync, command->target, true, DEADLINE_NEVER, &facts,
                   &err))
        return fail("failed to stat remote object '%s': %s", command->target,
                    reason_of(&err, command->target));
    command->target_exists = facts.mode;
    command->target_is_folder = S_ISDIR(facts.mode);
    return facts.mode || check_slashes(command);
}

static bool look_at_local_target(struct file_command *command, bool several)
{
    char *copy;
    struct stat facts;
    bool has_parent;

    command->target_exists = !stat(command->target, &facts);
    command->target_is_folder =
        command->target_exists && S_ISDIR(facts.st_mode);
    if (command->target_exists)
        return true;
    if (several || errno != ENOENT)
        return fail("failed to access '%s': %s", command->target,
                    strerror(errno));
    copy = mem_dup(command->target);
    has_parent = !stat(dirname(copy), &facts);
    free(copy);
    return has_parent || fail("cannot create file/directory '%s': %s",
                              command->target, strerror(errno));
}

static bool check_target(const struct file_command *command, bool several)
{
    size_t length = strlen(command->target);

    if (command->target_is_folder)
        return true;
    if (several)
        return fail("target '%s' is not a directory", command->target);
    if (command->target_exists && length && command->target[length - 1] == '/')
        return fail("failed to access '%s': Not a directory", command->target);
    return true;
}

/* ---- push and pull ---- */

static bool copy_all(struct file_command *command, char **sources, int count)
{
    bool several = count > 1;
    bool done = true;

    if (!(command->push ? look_at_remote_target(command)
                        : look_at_local_target(command, several)) ||
        !check_target(command, several))
        return false;
    for (int i = 0; i < count; i++)
        done &= command->push ? push_one(command, sources[i])
                              : pull_one(command, sources[i]);
    if (command->transfers > 1)
        report(command, "", &command->all);
    return done;
}

static bool parse_compression(const char *name, enum sync_compression *found)
{
    static const char *const names[] = {
        [SYNC_ANY] = "any", [SYNC_NONE] = "none", [SYNC_BROTLI] = "brotli",
        [SYNC_LZ4] = "lz4", [SYNC_ZSTD] = "zstd",
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(name, names[i])) {
            *found = (enum sync_compression)i;
            return true;
        }
    }
    return false;
}

/* Options may stand anywhere before "--"; words keeps the rest. */
static bool parse_words(struct file_command *command, int argc, char **argv,
                        char **words, int *count)
{
    bool options = true;

    *count = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];

        if (!options || word[0] != '-' || !word[1]) {
            words[(*count)++] = argv[i];
        } else if (!strcmp(word, "--")) {
            options = false;
        } else if (!strcmp(word, "-a") && !command->push) {
            command->keep_attributes = true;
        } else if (!strcmp(word, "-p") || !strcmp(word, "-q")) {
            continue; /* both print what they print anyway */
        } else if (!strcmp(word, "--sync") && command->push) {
            command->newer_only = true;
        } else if (!strcmp(word, "-Z")) {
            command->compression = SYNC_NONE;
        } else if (!strcmp(word, "-z")) {
            if (++i == argc)
                return !adb_cli_fail("-z requires an argument");
            if (!parse_compression(argv[i], &command->compression))
                return !adb_cli_fail("unexpected compression type %s", argv[i]);
        } else if (!strcmp(word, "-n") && command->push) {
            return !adb_cli_fail("dry runs are not supported");
        } else {
            return !adb_cli_fail("unrecognized option '%s'", word);
        }
    }
    return true;
}

static int run_copy(struct adb_cli *cli, struct file_command *command,
                    char **sources, int count)
{
    struct sync_options options = {.compression = command->compression};
    struct device *device = NULL;
    struct err err = ERR_INIT;
    bool done = false;

    if (!adb_cli_device(cli, &device, &err)) {
        fail("failed to get feature set: %s", adb_cli_reason(cli, &err));
    } else if (!sync_open(device, &options, DEADLINE_NEVER, &command->sync,
                          &err)) {
        fail("connect failed: %s", adb_cli_reason(cli, &err));
    } else {
        command->all.start_ns = clock_ns();
        done = copy_all(command, sources, count);
    }
    sync_close(command->sync);
    device_close(device);
    return done ? 0 : 1;
}

static int run_push(struct adb_cli *cli, int argc, char **argv)
{
    struct file_command command = {.push = true};
    char **words = mem_new((size_t)argc + 1, sizeof(*words));
    int count;
    int code = 1;

    if (!parse_words(&command, argc, argv, words, &count)) {
        code = 1;
    } else if (count < 2) {
        code = adb_cli_fail("push requires <source> and <destination> "
                            "arguments");
    } else {
        command.target = words[count - 1];
        code = run_copy(cli, &command, words, count - 1);
    }
    free(words);
    return code;
}

static int run_pull(struct adb_cli *cli, int argc, char **argv)
{
    struct file_command command = {.push = false};
    char **words = mem_new((size_t)argc + 1, sizeof(*words));
    int count;
    int code = 1;

    if (!parse_words(&command, argc, argv, words, &count)) {
        code = 1;
    } else if (!count) {
        code = adb_cli_fail("pull requires an argument");
    } else {
        command.target = count > 1 ? words[count - 1] : ".";
        code = run_copy(cli, &command, words, count > 1 ? count - 1 : 1);
    }
    free(words);
    return code;
}

static bool is_partition(const char *name)
{
    static const char *const names[] = {
        "all",     "data",   "odm",        "oem",
        "product", "system", "system_ext", "vendor",
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(names[i], name))
            return true;
    }
    return false;
}

/* "sync" copies a build of Android over that of the phone, which is refused. */
static int run_sync(struct adb_cli *cli, int argc, char **argv)
{
    int count = 0;
    const char *partition = "all";

    (void)cli;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-z"))
            i++;
        else if (argv[i][0] != '-' && ++count)
            partition = argv[i];
    }
    if (count > 1)
        return adb_cli_fail("usage: adb sync [-l] [-n] [-z ALGORITHM] [-Z] "
                            "[PARTITION]");
    if (!is_partition(partition))
        return adb_cli_fail("don't know how to sync %s partition", partition);
    if (!getenv("ANDROID_PRODUCT_OUT"))
        return adb_cli_fail(
            "product directory not specified; set $ANDROID_PRODUCT_OUT");
    return adb_cli_fail("sync: the phone's own system stays as it is");
}

/* ---- ls ---- */

static bool print_entry(void *context, const char *name,
                        const struct sync_stat *stat)
{
    (void)context;
    printf("%08x %08x %08x %s\n", stat->mode, (unsigned)stat->size,
           (unsigned)stat->mtime, name);
    return true;
}

static int run_ls(struct adb_cli *cli, int argc, char **argv)
{
    const struct sync_options options = {.compression = SYNC_ANY};
    struct device *device = NULL;
    struct sync *sync = NULL;
    struct err err = ERR_INIT;
    bool done;

    if (argc != 2)
        return adb_cli_fail("ls requires an argument");
    if (!adb_cli_device(cli, &device, &err)) {
        fail("failed to get feature set: %s", adb_cli_reason(cli, &err));
        return 1;
    }
    done = sync_open(device, &options, DEADLINE_NEVER, &sync, &err) &&
           sync_list(sync, argv[1], print_entry, NULL, DEADLINE_NEVER, &err);
    sync_close(sync);
    device_close(device);
    /* AOSP's service does not tell an empty directory from a missing one. */
    return done || err.code == ERR_NOT_FOUND || err.code == ERR_INVALID
               ? 0
               : adb_cli_error(cli, &err);
}

const struct adb_cli_command adb_cli_file_commands[] = {
    {"push", run_push}, {"pull", run_pull}, {"sync", run_sync},
    {"ls", run_ls},     {NULL, NULL},
};
