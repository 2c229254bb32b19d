/* pm install and its sessions, and pm uninstall. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/cmd_pm.h"
#include "tools/phone/installer.h"
#include "tools/phone/keyboards.h"

#define PIECE_SIZE ((size_t)64 * 1024)
#define APK_MAX ((long long)1 << 30)

/* What is asked for in the options. */
struct asked {
    struct installer_options options;
    long long size; /* of what comes in; -1: not told */
};

/* Options that a value follows, and that change nothing here. */
static bool skip_value(struct verb_call *verb, const char *option)
{
    static const char *const names[] = {"--user",
                                        "-i",
                                        "--abi",
                                        "--install-location",
                                        "--originating-uri",
                                        "--referrer",
                                        "--install-reason",
                                        "--pkg",
                                        "-p",
                                        "--force-sdk",
                                        "--update-ownership",
                                        "--package-source",
                                        "--dexopt-compiler-filter"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(names[i], option)) {
            (void)verb_next(verb);
            return true;
        }
    }
    return false;
}

static bool take_options(struct verb_call *verb, struct asked *asked,
                         int *status)
{
    struct installer_options *options = &asked->options;
    const char *option, *value;

    *asked = (struct asked){.options.replace = true, .size = -1};
    while ((option = verb_option(verb))) {
        if (!strcmp(option, "-S")) {
            if (!verb_need(verb, &value, status))
                return false;
            asked->size = strtoll(value, NULL, 10);
            if (asked->size < 0 || asked->size > APK_MAX)
                asked->size = APK_MAX;
        } else if (!strcmp(option, "-R")) {
            options->replace = false;
        } else if (!strcmp(option, "-t")) {
            options->test = true;
        } else if (!strcmp(option, "-d") ||
                   !strcmp(option, "--allow-downgrade")) {
            options->downgrade = true;
        } else if (!strcmp(option, "-g")) {
            options->grant = true;
        } else {
            (void)skip_value(verb, option);
        }
    }
    return true;
}

/* ---- where the bytes come from ---- */

/* So many bytes of the command's input; all of it when that is not told. */
static struct blob *read_input(struct call *call, struct sh_in *in,
                               long long size)
{
    struct blob_writer writer = files_writer(call->files);
    long long left = size < 0 ? APK_MAX : size;
    size_t got = 1;

    while (left && got) {
        size_t wanted =
            left < (long long)PIECE_SIZE ? (size_t)left : PIECE_SIZE;
        uint8_t *room = blob_reserve(&writer, wanted);

        if (!room || !call_read(call, in, room, wanted, &got)) {
            blob_writer_release(&writer);
            return NULL;
        }
        blob_commit(&writer, got);
        left -= (long long)got;
    }
    return blob_finish(&writer);
}

static struct blob *read_file(struct verb_call *verb, const char *name)
{
    char *path = call_path(verb->call, name);
    struct blob *apk = NULL;
    int number;

    if (path && files_open(verb->call->files, path, &apk, &number)) {
        free(path);
        return apk;
    }
    free(path);
    call_error(verb->call,
               "Error: Unable to open file: %.200s\n"
               "Consider using a file under /data/local/tmp/\n",
               name);
    return NULL;
}

static struct blob *read_apk(struct verb_call *verb, const char *name,
                             long long size)
{
    if (name && strcmp(name, "-") != 0)
        return read_file(verb, name);
    return read_input(verb->call, verb->call->ports.in, size);
}

/* ---- installing ---- */

static int install(struct verb_call *verb, struct blob *apk,
                   const struct installer_options *options)
{
    struct handset *handset = verb->phone->handset;
    struct package package;
    struct err err = ERR_INIT;

    if (!installer_install(&handset->packages, handset->root, apk, options,
                           virtual_clock_now(&handset->clock), &package,
                           &err)) {
        call_print(verb->call, "Failure [%s]\n", err.text);
        return 1;
    }
    stage_stop(verb->phone->stage, package.name, "installPackageLI");
    call_print(verb->call, "Success\n");
    return 0;
}

int pm_install(struct verb_call *verb)
{
    struct asked asked;
    struct blob *apk;
    const char *name;
    int status;

    if (!take_options(verb, &asked, &status))
        return status;
    name = verb_next(verb);
    if (!name && asked.size < 0) {
        call_error(verb->call, "Error: must either specify a package size or "
                               "an APK file\n");
        return 1;
    }
    apk = read_apk(verb, name, asked.size);
    if (!apk)
        return name ? verb_throw(verb, VERB_ILLEGAL,
                                 "Error: Can't open file: %.200s", name)
                    : 1;
    status = install(verb, apk, &asked.options);
    blob_drop(apk);
    return status;
}

/* ---- sessions ---- */

static int fail_session(struct verb_call *verb, int id)
{
    return verb_throw(verb, "java.lang.SecurityException",
                      "Caller has no access to session %d", id);
}

static bool need_session(struct verb_call *verb, int *id, int *status)
{
    const char *word;

    if (!verb_need(verb, &word, status))
        return false;
    *id = (int)strtol(word, NULL, 10);
    return true;
}

int pm_install_create(struct verb_call *verb)
{
    struct asked asked;
    int status;

    if (!take_options(verb, &asked, &status))
        return status;
    call_print(
        verb->call, "Success: created install session [%d]\n",
        installer_create(&verb->phone->handset->installer, &asked.options));
    return 0;
}

int pm_install_write(struct verb_call *verb)
{
    struct asked asked;
    struct blob *apk;
    const char *split;
    bool written;
    int id, status;

    if (!take_options(verb, &asked, &status) ||
        !need_session(verb, &id, &status) || !verb_need(verb, &split, &status))
        return status;
    apk = read_apk(verb, verb_next(verb), asked.size);
    if (!apk)
        return 1;
    written = installer_write(&verb->phone->handset->installer, id, split, apk);
    if (written)
        call_print(verb->call, "Success: streamed %zu bytes\n", apk->size);
    blob_drop(apk);
    return written ? 0 : fail_session(verb, id);
}

int pm_install_commit(struct verb_call *verb)
{
    struct installer_session session;
    int id, status;

    if (!need_session(verb, &id, &status))
        return status;
    if (!installer_take(&verb->phone->handset->installer, id, &session))
        return fail_session(verb, id);
    if (!session.base) {
        call_print(verb->call,
                   "Failure [INSTALL_FAILED_INVALID_APK: Missing base]\n");
        return 1;
    }
    status = install(verb, session.base, &session.options);
    blob_drop(session.base);
    return status;
}

int pm_install_abandon(struct verb_call *verb)
{
    struct installer_session session;
    int id, status;

    if (!need_session(verb, &id, &status))
        return status;
    if (!installer_take(&verb->phone->handset->installer, id, &session))
        return fail_session(verb, id);
    blob_drop(session.base);
    call_print(verb->call, "Success\n");
    return 0;
}

/* ---- uninstalling ---- */

static void remove_files(struct verb_call *verb, const struct package *package,
                         bool keep_data)
{
    struct files *root = verb->phone->handset->root;
    char path[sizeof(package->apk)];
    int number;

    snprintf(path, sizeof(path), "%s", package->apk);
    for (int i = 0; i < 2 && strrchr(path, '/'); i++)
        *strrchr(path, '/') = '\0';
    if (!strncmp(path, "/data/app/", strlen("/data/app/")))
        (void)!files_remove(root, path, true, &number);
    snprintf(path, sizeof(path), "/data/data/%s", package->name);
    if (!keep_data)
        (void)!files_remove(root, path, true, &number);
}

static void forget_keyboard(struct verb_call *verb,
                            const struct package *package)
{
    struct component component = component_of(package->name, package->ime);
    char name[COMPONENT_TEXT_SIZE];

    if (package->ime[0])
        keyboards_disable(verb->phone->handset,
                          component_short(&component, name));
}

int pm_uninstall(struct verb_call *verb)
{
    struct handset *handset = verb->phone->handset;
    bool keep = false, one_user = false;
    struct package package;
    const char *word;
    int status;

    while ((word = verb_option(verb))) {
        keep = keep || !strcmp(word, "-k");
        one_user = pm_is_user_option(verb, word) || one_user;
    }
    if (!verb_need(verb, &word, &status))
        return status;
    if (!packages_find(&handset->packages, word, &package)) {
        call_print(verb->call,
                   one_user ? "Failure [not installed for 0]\n"
                            : "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
        return 1;
    }
    if (package.system && !one_user) {
        call_print(verb->call, "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
        return 1;
    }
    stage_stop(verb->phone->stage, package.name, "uninstall pkg");
    forget_keyboard(verb, &package);
    packages_remove(&handset->packages, package.name);
    remove_files(verb, &package, keep);
    call_print(verb->call, "Success\n");
    return 0;
}
