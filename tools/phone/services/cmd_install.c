/* pm install and its sessions, and pm uninstall. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/services/cmd_pm.h"
#include "tools/phone/system/input_methods.h"
#include "tools/phone/system/installer.h"

#define PIECE_SIZE ((size_t)64 * 1024)
#define APK_MAX ((long long)1 << 30)

/* The options of an installation. */
struct install_request {
    struct installer_options options;
    long long size; /* bytes of the input; -1: not given */
};

/* Options with a value that have no effect here. */
static bool skip_value(struct subcommand_call *subcommand, const char *option)
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
            (void)subcommand_next(subcommand);
            return true;
        }
    }
    return false;
}

static bool take_options(struct subcommand_call *subcommand,
                         struct install_request *asked, int *status)
{
    struct installer_options *options = &asked->options;
    const char *option, *value;

    *asked = (struct install_request){.options.replace = true, .size = -1};
    while ((option = subcommand_option(subcommand))) {
        if (!strcmp(option, "-S")) {
            if (!subcommand_need(subcommand, &value, status))
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
            (void)skip_value(subcommand, option);
        }
    }
    return true;
}

/* ---- reading the APK ---- */

/* That many bytes of the input; all of it if no size is given. */
static struct shared_bytes *read_input(struct command_call *call,
                                       struct sh_in *in, long long size)
{
    struct shared_bytes_writer writer = files_writer(call->files);
    long long left = size < 0 ? APK_MAX : size;
    size_t got = 1;

    while (left && got) {
        size_t wanted =
            left < (long long)PIECE_SIZE ? (size_t)left : PIECE_SIZE;
        uint8_t *room = shared_bytes_reserve(&writer, wanted);

        if (!room || !call_read(call, in, room, wanted, &got)) {
            shared_bytes_writer_release(&writer);
            return NULL;
        }
        shared_bytes_commit(&writer, got);
        left -= (long long)got;
    }
    return shared_bytes_finish(&writer);
}

static struct shared_bytes *read_file(struct subcommand_call *subcommand,
                                      const char *name)
{
    char *path = call_path(subcommand->call, name);
    struct shared_bytes *apk = NULL;
    int number;

    if (path && files_open(subcommand->call->files, path, &apk, &number)) {
        free(path);
        return apk;
    }
    free(path);
    call_error(subcommand->call,
               "Error: Unable to open file: %.200s\n"
               "Consider using a file under /data/local/tmp/\n",
               name);
    return NULL;
}

static struct shared_bytes *read_apk(struct subcommand_call *subcommand,
                                     const char *name, long long size)
{
    if (name && strcmp(name, "-") != 0)
        return read_file(subcommand, name);
    return read_input(subcommand->call, subcommand->call->ports.in, size);
}

/* ---- installing ---- */

static int install(struct subcommand_call *subcommand, struct shared_bytes *apk,
                   const struct installer_options *options)
{
    struct handset *handset = subcommand->phone->handset;
    struct phone_package package;
    struct err err = ERR_INIT;

    if (!installer_install(&handset->packages, handset->root, apk, options,
                           virtual_clock_now(&handset->clock), &package,
                           &err)) {
        call_print(subcommand->call, "Failure [%s]\n", err.text);
        return 1;
    }
    task_stack_stop(subcommand->phone->task_stack, package.name,
                    "installPackageLI");
    call_print(subcommand->call, "Success\n");
    return 0;
}

int pm_install(struct subcommand_call *subcommand)
{
    struct install_request asked;
    struct shared_bytes *apk;
    const char *name;
    int status;

    if (!take_options(subcommand, &asked, &status))
        return status;
    name = subcommand_next(subcommand);
    if (!name && asked.size < 0) {
        call_error(subcommand->call,
                   "Error: must either specify a package size or "
                   "an APK file\n");
        return 1;
    }
    apk = read_apk(subcommand, name, asked.size);
    if (!apk)
        return name ? subcommand_throw(subcommand, SUBCOMMAND_ILLEGAL,
                                       "Error: Can't open file: %.200s", name)
                    : 1;
    status = install(subcommand, apk, &asked.options);
    shared_bytes_drop(apk);
    return status;
}

/* ---- sessions ---- */

static int fail_session(struct subcommand_call *subcommand, int id)
{
    return subcommand_throw(subcommand, "java.lang.SecurityException",
                            "Caller has no access to session %d", id);
}

static bool need_session(struct subcommand_call *subcommand, int *id,
                         int *status)
{
    const char *word;

    if (!subcommand_need(subcommand, &word, status))
        return false;
    *id = (int)strtol(word, NULL, 10);
    return true;
}

int pm_install_create(struct subcommand_call *subcommand)
{
    struct install_request asked;
    int status;

    if (!take_options(subcommand, &asked, &status))
        return status;
    call_print(subcommand->call, "Success: created install session [%d]\n",
               installer_create(&subcommand->phone->handset->installer,
                                &asked.options));
    return 0;
}

int pm_install_write(struct subcommand_call *subcommand)
{
    struct install_request asked;
    struct shared_bytes *apk;
    const char *split;
    bool written;
    int id, status;

    if (!take_options(subcommand, &asked, &status) ||
        !need_session(subcommand, &id, &status) ||
        !subcommand_need(subcommand, &split, &status))
        return status;
    apk = read_apk(subcommand, subcommand_next(subcommand), asked.size);
    if (!apk)
        return 1;
    written =
        installer_write(&subcommand->phone->handset->installer, id, split, apk);
    if (written)
        call_print(subcommand->call, "Success: streamed %zu bytes\n",
                   apk->size);
    shared_bytes_drop(apk);
    return written ? 0 : fail_session(subcommand, id);
}

int pm_install_commit(struct subcommand_call *subcommand)
{
    struct installer_session session;
    int id, status;

    if (!need_session(subcommand, &id, &status))
        return status;
    if (!installer_take(&subcommand->phone->handset->installer, id, &session))
        return fail_session(subcommand, id);
    if (!session.base) {
        call_print(subcommand->call,
                   "Failure [INSTALL_FAILED_INVALID_APK: Missing base]\n");
        return 1;
    }
    status = install(subcommand, session.base, &session.options);
    shared_bytes_drop(session.base);
    return status;
}

int pm_install_abandon(struct subcommand_call *subcommand)
{
    struct installer_session session;
    int id, status;

    if (!need_session(subcommand, &id, &status))
        return status;
    if (!installer_take(&subcommand->phone->handset->installer, id, &session))
        return fail_session(subcommand, id);
    shared_bytes_drop(session.base);
    call_print(subcommand->call, "Success\n");
    return 0;
}

/* ---- uninstalling ---- */

static void remove_files(struct subcommand_call *subcommand,
                         const struct phone_package *package, bool keep_data)
{
    struct phone_files *root = subcommand->phone->handset->root;
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

static void forget_keyboard(struct subcommand_call *subcommand,
                            const struct phone_package *package)
{
    struct phone_component component =
        component_of(package->name, package->ime);
    char name[COMPONENT_TEXT_SIZE];

    if (package->ime[0])
        input_methods_disable(subcommand->phone->handset,
                              component_short(&component, name));
}

int pm_uninstall(struct subcommand_call *subcommand)
{
    struct handset *handset = subcommand->phone->handset;
    bool keep = false, one_user = false;
    struct phone_package package;
    const char *word;
    int status;

    while ((word = subcommand_option(subcommand))) {
        keep = keep || !strcmp(word, "-k");
        one_user = pm_is_user_option(subcommand, word) || one_user;
    }
    if (!subcommand_need(subcommand, &word, &status))
        return status;
    if (!packages_find(&handset->packages, word, &package)) {
        call_print(subcommand->call,
                   one_user ? "Failure [not installed for 0]\n"
                            : "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
        return 1;
    }
    if (package.system && !one_user) {
        call_print(subcommand->call,
                   "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
        return 1;
    }
    task_stack_stop(subcommand->phone->task_stack, package.name,
                    "uninstall pkg");
    forget_keyboard(subcommand, &package);
    packages_remove(&handset->packages, package.name);
    remove_files(subcommand, &package, keep);
    call_print(subcommand->call, "Success\n");
    return 0;
}
