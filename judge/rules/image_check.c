#include "judge/rules/image_check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "base/picture/picture_scale.h"
#include "base/picture/picture_transform.h"
#include "judge/rules/needs_check.h"
#include "process_provider/diff/screendiff.h"

#define RUN_FILE_MAX ((size_t)4 << 20)
#define TEXT_MAX 512

/* ---- comparing ---- */

static bool crop(const struct picture *from, const char *text,
                 struct picture *to, struct err *err)
{
    int sides[4];
    char *end;

    for (int i = 0; i < 4; i++) {
        long number = strtol(text, &end, 10);

        if (end == text || number < 0 || number > (long)PICTURE_SIDE_MAX ||
            *end != (i < 3 ? ',' : '\0'))
            return err_set(err, ERR_INVALID, "crop needs four numbers");
        sides[i] = (int)number;
        text = end + 1;
    }
    return picture_crop(
        from, (struct box){sides[0], sides[1], sides[2], sides[3]}, to, err);
}

static bool transform_picture(const struct picture *from, const char *transform,
                              struct picture *to, struct err *err)
{
    if (!transform)
        return picture_rotate(from, 0, to, err);
    if (!strcmp(transform, "flip"))
        return picture_flip(from, FLIP_SIDES, to, err);
    if (!strcmp(transform, "flip ends"))
        return picture_flip(from, FLIP_ENDS, to, err);
    if (!strcmp(transform, "rotate 90"))
        return picture_rotate(from, 1, to, err);
    if (!strcmp(transform, "rotate 180"))
        return picture_rotate(from, 2, to, err);
    if (!strcmp(transform, "rotate 270"))
        return picture_rotate(from, 3, to, err);
    if (!strncmp(transform, "crop ", 5))
        return crop(from, transform + 5, to, err);
    return err_set(err, ERR_INVALID, "no such transform: %.40s", transform);
}

/* Resize to the size of another picture. */
static bool fit(struct picture *picture, const struct picture *like,
                struct err *err)
{
    struct picture scaled = PICTURE_INIT;

    if (picture->width == like->width && picture->height == like->height)
        return true;
    if (!picture_scale(picture, like->width, like->height, &scaled, err))
        return false;
    picture_release(picture);
    *picture = scaled;
    return true;
}

bool image_compare(const struct picture *picture,
                   const struct picture *reference, const char *transform,
                   struct likeness *likeness, struct err *err)
{
    const struct screendiff_options options = {.likeness = true};
    struct picture wanted = PICTURE_INIT;
    struct screendiff diff;
    bool done = transform_picture(reference, transform, &wanted, err) &&
                fit(&wanted, picture, err);

    if (done) {
        screendiff_find(&diff, &wanted, picture, &options);
        *likeness = (struct likeness){diff.ssim, diff.psnr};
    }
    picture_release(&wanted);
    return done;
}

bool image_is_alike(const struct task_image *image,
                    const struct likeness *likeness)
{
    return (image->ssim < 0 || likeness->ssim >= image->ssim) &&
           (image->psnr < 0 || likeness->psnr >= image->psnr);
}

/* ---- finding ---- */

static bool load_last_screen(const struct trajectory *trajectory,
                             struct picture *picture, struct err *err)
{
    for (size_t i = trajectory->count; i > 0; i--) {
        const struct trajectory_file *screen = &trajectory->steps[i - 1].screen;
        struct buf content = BUF_INIT(PICTURE_FILE_MAX);
        bool done;

        if (!screen->file[0])
            continue;
        done = trajectory_read_file(trajectory, screen, &content, err) &&
               picture_file_decode(buf_cstr(&content), content.length, picture,
                                   err);
        buf_release(&content);
        return done;
    }
    return err_set(err, ERR_NOT_FOUND, "there is no last screen");
}

/* "files/0000": a path that does not lead elsewhere. */
static bool is_file_name(const char *name)
{
    return !strncmp(name, "files/", 6) &&
           strspn(name + 6, "0123456789") == strlen(name + 6) && name[6];
}

static bool load_file(const struct episode_evidence *evidence, const char *file,
                      struct picture *picture, struct err *err)
{
    struct buf name = BUF_INIT(PATH_MAX);
    struct buf path = BUF_INIT(PATH_MAX);
    const char *value;
    bool done;

    buf_printf(&name, "file:%s", file);
    value = episode_evidence_recorded(evidence, buf_cstr(&name), true);
    buf_release(&name);
    if (value && !*value)
        return err_set(err, ERR_REMOTE, "%.200s is not there", file);
    if (!value || !is_file_name(value))
        return err_set(err, ERR_NOT_FOUND, "%.200s was not recorded", file);
    buf_printf(&path, "%s/%s", evidence->trajectory.folder, value);
    done = picture_file_load(buf_cstr(&path), picture, err);
    buf_release(&path);
    return done;
}

static void add_folder(const char *file, struct buf *folder)
{
    const char *slash = strrchr(file, '/');

    if (slash)
        buf_append(folder, file, (size_t)(slash - file));
    else
        buf_byte(folder, '.');
}

/* The folder of the suite according to run.json; "" if it is not given. */
static void find_suite_folder(const char *run, struct buf *folder)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(RUN_FILE_MAX);
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct json suite = JSON_NONE;
    const char *file = NULL;
    struct err ignored;

    buf_printf(&path, "%s/run.json", run);
    if (file_load(buf_cstr(&path), &text, &ignored) &&
        json_parse(buf_cstr(&text), text.length, &tree, &ignored)) {
        root.value = tree;
        if (json_as_object(&root, &ignored) &&
            json_opt_object(&root, "suite", &suite, &ignored) && suite.value &&
            json_opt_string(&suite, "path", &file, &ignored) && file)
            add_folder(file, folder);
    }
    cJSON_Delete(tree);
    buf_release(&text);
    buf_release(&path);
}

/* Beside the episode, in the run's folder, or beside the suite. */
static bool load_reference(const struct episode_evidence *evidence,
                           const char *name, struct picture *picture,
                           struct err *err)
{
    const char *episode = evidence->trajectory.folder;
    struct buf run = BUF_INIT(PATH_MAX);
    struct buf suite = BUF_INIT(PATH_MAX);
    const char *folders[3];
    bool done = false;

    /* episodes/<task>/<repeat>/<attempt> */
    buf_printf(&run, "%s/../../../..", episode);
    find_suite_folder(buf_cstr(&run), &suite);
    folders[0] = episode;
    folders[1] = buf_cstr(&run);
    folders[2] = suite.length ? buf_cstr(&suite) : NULL;
    for (size_t i = 0; !done && i < 3; i++) {
        struct buf path = BUF_INIT(PATH_MAX);

        if (!folders[i])
            continue;
        buf_printf(&path, "%s/%s", folders[i], name);
        done = picture_file_load(buf_cstr(&path), picture, err);
        buf_release(&path);
    }
    buf_release(&run);
    buf_release(&suite);
    return done || err_wrap(err, "the reference");
}

/* ---- checking ---- */

static void say_wanted(const struct task_image *image, char *text, size_t size)
{
    struct buf out = BUF_INIT(size - 1);

    buf_printf(&out, "%.80s looks like %.80s",
               image->file ? image->file : "the last screen", image->reference);
    if (image->transform)
        buf_printf(&out, ", %s", image->transform);
    if (image->ssim >= 0)
        buf_printf(&out, ", SSIM %.3g", image->ssim);
    if (image->psnr >= 0)
        buf_printf(&out, ", PSNR %.3g dB", image->psnr);
    snprintf(text, size, "%s", buf_cstr(&out));
    buf_release(&out);
}

static void check_one(const struct episode_evidence *evidence,
                      const struct task_image *image, struct verdict *verdict)
{
    struct picture picture = PICTURE_INIT;
    struct picture reference = PICTURE_INIT;
    struct likeness likeness = {0, 0};
    struct err err = ERR_INIT;
    char say[TEXT_MAX];
    char why[TEXT_MAX];
    bool known =
        (image->file
             ? load_file(evidence, image->file, &picture, &err)
             : load_last_screen(&evidence->trajectory, &picture, &err)) &&
        load_reference(evidence, image->reference, &reference, &err) &&
        image_compare(&picture, &reference, image->transform, &likeness, &err);
    bool met = known && image_is_alike(image, &likeness);

    say_wanted(image, say, sizeof(say));
    if (known)
        snprintf(why, sizeof(why), "SSIM %.4f, PSNR %.2f dB", likeness.ssim,
                 likeness.psnr);
    else
        snprintf(why, sizeof(why), "%s", err.text);
    /* A file that does not exist on the phone is a decided need. */
    needs_check_add(verdict, say, known || err.code == ERR_REMOTE, met,
                    met ? (int)evidence->count - 1 : -1, why);
    picture_release(&picture);
    picture_release(&reference);
}

void image_check(const struct episode_evidence *evidence,
                 struct verdict *verdict)
{
    for (size_t i = 0; i < evidence->task.image_count; i++)
        check_one(evidence, &evidence->task.images[i], verdict);
}
