/* Changes on phones that no run has restored yet. */
#include <dirent.h>
#include <limits.h>
#include <string.h>

#include "base/buf.h"
#include "runner/device/undo_journal.h"
#include "tools/cli/doctor/doctor_checks.h"
#include "tools/cli/run/run_setup.h"

static void check_file(const char *folder, const char *name,
                       struct findings *findings)
{
    static const char topic[] = "Phones to restore";
    struct buf path = BUF_INIT(PATH_MAX);
    struct undo_journal *journal = NULL;
    struct finding *finding = NULL;
    struct err err = ERR_INIT;
    size_t count = 0;

    buf_printf(&path, "%s/%s", folder, name);
    if (!undo_journal_open(buf_cstr(&path), &journal, &err)) {
        finding = findings_add(findings, topic, FINDING_WRONG, "%s", err.text);
        finding_advise(finding, "delete the file; settings of that phone may "
                                "stay as a run left them");
    } else if ((count = undo_journal_count(journal))) {
        finding = findings_add(findings, topic, FINDING_WRONG,
                               "%.200s: %zu %s not restored", name, count,
                               count == 1 ? "change is" : "changes are");
        finding_advise(finding,
                       "connect the phone and run any task on it: that "
                       "restores it first; or delete %.250s",
                       buf_cstr(&path));
    }
    undo_journal_close(journal);
    buf_release(&path);
}

void doctor_check_journals(struct findings *findings)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct dirent *entry;
    DIR *folder;

    run_setup_journal_folder(&path);
    folder = path.length ? opendir(buf_cstr(&path)) : NULL;
    while (folder && (entry = readdir(folder))) {
        const char *end = strrchr(entry->d_name, '.');

        if (end && end != entry->d_name && !strcmp(end, ".jsonl"))
            check_file(buf_cstr(&path), entry->d_name, findings);
    }
    if (folder)
        closedir(folder);
    buf_release(&path);
}
