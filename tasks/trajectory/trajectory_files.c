/* The files of an episode, seen from outside: without reading all of them. */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tasks/trajectory/trajectory.h"

/* The end of a PNG, with room for what a phone may print behind it. */
#define PNG_TAIL 64

static bool is_png(const char *file)
{
    const char *ending = strrchr(file, '.');

    return ending && !strcmp(ending, ".png");
}

/* Does a PNG end as one does? What was cut off does not. */
static bool has_end(int fd, off_t size)
{
    static const char end[] = {'I', 'E', 'N', 'D'};
    char tail[PNG_TAIL];
    off_t from = size > PNG_TAIL ? size - PNG_TAIL : 0;
    ssize_t length = pread(fd, tail, sizeof(tail), from);

    return length > 0 && memmem(tail, (size_t)length, end, sizeof(end));
}

/* A file that was taken off the phone may be empty; a screen may not. */
static bool is_whole(int fd, const char *file, bool taken)
{
    struct stat found;

    if (fstat(fd, &found) || !S_ISREG(found.st_mode))
        return false;
    return taken ||
           (found.st_size > 0 && (!is_png(file) || has_end(fd, found.st_size)));
}

/* What is wrong with a file; NULL: nothing, or none is named. */
static const char *fault_of(const struct trajectory *trajectory,
                            const char *file, bool taken)
{
    struct buf path = BUF_INIT(PATH_MAX);
    const char *fault = NULL;
    int fd;

    if (!file[0])
        return NULL;
    buf_printf(&path, "%s/%s", trajectory->folder, file);
    fd = open(buf_cstr(&path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        fault = "missing";
    else if (!is_whole(fd, file, taken))
        fault = "damaged";
    if (fd >= 0)
        close(fd);
    buf_release(&path);
    return fault;
}

/* Evidence called "file:PATH" names the file that was taken off the phone. */
static const char *fact_file(const struct trajectory_fact *fact)
{
    static const char prefix[] = "file:";

    return strncmp(fact->name, prefix, sizeof(prefix) - 1) ? "" : fact->value;
}

char *trajectory_bad_file(const struct trajectory *trajectory,
                          const char **fault)
{
    for (size_t i = 0; i < trajectory->count; i++) {
        const struct trajectory_step *step = &trajectory->steps[i];

        if ((*fault = fault_of(trajectory, step->screen.file, false)))
            return mem_dup(step->screen.file);
        if ((*fault = fault_of(trajectory, step->tree.file, false)))
            return mem_dup(step->tree.file);
    }
    for (size_t i = 0; i < trajectory->evidence_count; i++) {
        const char *file = fact_file(&trajectory->evidence[i]);

        if ((*fault = fault_of(trajectory, file, true)))
            return mem_dup(file);
    }
    return NULL;
}
