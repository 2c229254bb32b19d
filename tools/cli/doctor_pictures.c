/* Can what no UI tree names be told from pictures? */
#include <string.h>

#include "process_provider/icons.h"
#include "process_provider/reading.h"
#include "tools/cli/doctor.h"

#define SIDE 32

/* Read a blank page: what is missing shows, whatever is written. */
static bool can_read(struct err *err)
{
    struct picture page = PICTURE_INIT;
    struct reading reading = READING_INIT;
    bool can = picture_resize(&page, SIDE, SIDE, err);

    if (can) {
        memset(page.pixels, 0xff, page.stride * SIDE);
        can =
            reading_make(&page, (struct box){0, 0, SIDE, SIDE}, &reading, err);
    }
    reading_release(&reading);
    picture_release(&page);
    return can;
}

static void add(struct findings *findings, bool can, const char *what,
                const struct err *err)
{
    static const char topic[] = "Pictures";

    if (can)
        findings_add(findings, topic, FINDING_GOOD, "%s are known", what);
    else
        finding_advise(findings_add(findings, topic, FINDING_HINT,
                                    "%s are not known where UI trees are "
                                    "silent",
                                    what),
                       "%s", err->text);
}

void doctor_check_pictures(struct findings *findings)
{
    struct err err = ERR_INIT;

    add(findings, can_read(&err), "words in pictures", &err);
    add(findings, icons_ready(&err), "icons in pictures", &err);
}
