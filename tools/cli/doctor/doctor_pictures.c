/* Are OCR and icon fonts installed, for what no UI tree names? */
#include "process_provider/pictures/picture_reader.h"
#include "tools/cli/doctor/doctor_checks.h"

static void add(struct findings *findings, bool can, const char *what,
                const struct err *err)
{
    static const char topic[] = "Pictures";

    if (can)
        findings_add(findings, topic, FINDING_GOOD, "%s recognized", what);
    else
        finding_advise(findings_add(findings, topic, FINDING_HINT,
                                    "%s not recognized, which matters where "
                                    "UI trees have no text",
                                    what),
                       "%s", err->text);
}

void doctor_check_pictures(struct findings *findings)
{
    struct picture_reader *reader = picture_reader_open();
    struct err err = ERR_INIT;

    add(findings, picture_reader_has_ocr(reader, &err), "text in pictures is",
        &err);
    add(findings, icon_library_complete(picture_reader_icons(reader), &err),
        "icons in pictures are", &err);
    picture_reader_close(reader);
}
