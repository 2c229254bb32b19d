#include "tools/cli/device/live_phone.h"

#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/user_folder.h"
#include "process_provider/pictures/picture_reader.h"
#include "runner/device/actor.h"
#include "runner/observe/observed_step.h"
#include "tools/cli/terminal/text_page.h"

#define LIVE_MS (2 * 60 * INT64_C(1000)) /* for a phone that is very slow */

static struct deadline timeout(const struct cli_context *cli)
{
    return deadline_sooner(cli->by, deadline_in_ms(LIVE_MS));
}

static bool observe(struct live_phone *phone, struct observation *seen,
                    struct err *err)
{
    if (!observer_observe(phone->observer, timeout(phone->cli), seen, err))
        return false;
    if (seen->doubt[0])
        cli_message(phone->cli, "%s", seen->doubt);
    return true;
}

bool live_phone_open(struct live_phone *phone, struct cli_context *cli,
                     struct err *err)
{
    struct buf cache = BUF_INIT(PATH_MAX);
    struct err ignored; /* without a cache the phone is measured again */
    struct observer_options options = {.cancel = cli->cancel, .log = cli->log};
    bool done;

    *phone = (struct live_phone){.cli = cli};
    observation_init(&phone->seen);
    (void)!user_folder_path(USER_FOLDER_CACHE, "phones", &cache);
    if (cache.length && file_make_folder(buf_cstr(&cache), 0777, &ignored))
        options.cache = buf_cstr(&cache);
    done = cli_open_device(cli, &phone->device, err) &&
           observer_open(phone->device, &options, timeout(cli),
                         &phone->observer, err) &&
           observe(phone, &phone->seen, err);
    buf_release(&cache);
    return done &&
           (phone->seen.has_tree ||
            err_set(err, ERR_UNSUPPORTED,
                    "the phone gives no UI tree of this screen: end "
                    "other programs that read it (Appium, "
                    "uiautomator2), and try again when it stops moving"));
}

void live_phone_release(struct live_phone *phone)
{
    observer_close(phone->observer);
    device_close(phone->device);
    observation_release(&phone->seen);
}

/* ---- acting ---- */

static bool perform(struct live_phone *phone, const struct action *action,
                    struct err *err)
{
    struct deadline by = timeout(phone->cli);
    const struct actor_options options = {.cancel = phone->cli->cancel,
                                          .log = phone->cli->log};
    struct actor *actor = NULL;
    bool done = actor_open(phone->device, &options, by, &actor, err) &&
                actor_perform(actor, action, phone->seen.screen, by, err);

    actor_close(actor);
    return done;
}

static void describe(const struct live_phone *phone,
                     const struct observation *after,
                     const struct action *action,
                     struct description *description)
{
    struct picture_reader *reader = picture_reader_open();
    const struct observed_step step = {
        .action = action,
        .before = &phone->seen,
        .after = after,
        .access = {.reader = reader,
                   .by = timeout(phone->cli),
                   .cancel = phone->cli->cancel},
    };

    observed_step_describe(&step, description);
    picture_reader_close(reader);
}

static bool print(struct cli_context *cli, const struct action *action,
                  const struct description *description, struct err *err)
{
    struct cJSON *object;
    struct text_page page;
    bool done;

    if (cli->shared.json) {
        object = json_new_object();
        action_to_json(action, object);
        json_add_string(object, "description", description->line);
        done = output_stream_json(&cli->out, object, err);
        cJSON_Delete(object);
        return done;
    }
    text_page_init(&page, cli->out.fd);
    text_page_untrusted(&page, TEXT_STYLE_PLAIN, description->line);
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

bool live_phone_act(struct live_phone *phone, const struct action *action,
                    struct err *err)
{
    struct observation after;
    struct description description;
    bool done;

    observation_init(&after);
    done = perform(phone, action, err);
    if (done) {
        observer_note_action(phone->observer);
        done = observe(phone, &after, err);
    }
    if (done) {
        describe(phone, &after, action, &description);
        done = print(phone->cli, action, &description, err);
    }
    observation_release(&after);
    return done;
}
