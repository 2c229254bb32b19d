#include "tools/cli/device/transfer.h"

#include "base/json_write.h"
#include "tools/cli/terminal/human_units.h"
#include "tools/cli/terminal/transfer_progress.h"

/* In the order of enum sync_compression. */
static const char *const compressions[] = {"any", "none", "brotli",
                                           "lz4", "zstd", NULL};

const struct option transfer_options[TRANSFER_OPTION_COUNT] = {
    OPTION_CHOICE(struct transfer_args, compression, "compression", 'z', "HOW",
                  compressions, "How data is compressed on the way"),
};

/* A session, its progress, and what it came to. */
struct transfer {
    const struct cli_context *cli;
    struct device *device;
    struct sync *sync;
    struct transfer_progress progress;
    struct sync_totals totals; /* of everything so far */
};

static bool show_progress(void *context, const char *path, uint64_t moved,
                          uint64_t total)
{
    struct transfer *transfer = context;

    return transfer_progress_update(&transfer->progress, path, moved, total);
}

static void show_skipped(void *context, const char *path, const char *reason)
{
    struct transfer *transfer = context;

    transfer_progress_clear(&transfer->progress);
    cli_message(transfer->cli, "left out %s: %s", path, reason);
}

/* transfer must stay where it is until it is closed, also after a failure. */
static bool transfer_open(struct transfer *transfer,
                          const struct cli_context *cli,
                          const struct transfer_args *args, struct err *err)
{
    struct sync_options options = {
        .compression = (enum sync_compression)args->compression,
        .progress = show_progress,
        .skip = show_skipped,
        .context = transfer,
    };

    *transfer = (struct transfer){.cli = cli};
    if (!cli_open_device(cli, &transfer->device, err))
        return false;
    transfer_progress_init(&transfer->progress, !cli->shared.json, cli->cancel);
    return sync_open(transfer->device, &options, cli_short_deadline(cli),
                     &transfer->sync, err);
}

static void transfer_close(struct transfer *transfer)
{
    transfer_progress_clear(&transfer->progress);
    sync_close(transfer->sync);
    device_close(transfer->device);
}

static bool move_all(struct transfer *transfer, const struct cli_context *cli,
                     const struct transfer_job *job, struct err *err)
{
    struct sync_totals *all = &transfer->totals;

    for (size_t i = 0; i < job->count; i++) {
        struct sync_totals totals = {0};
        bool done = job->move(transfer->sync, job->sources[i], job->target,
                              cli->by, &totals, err);

        all->files += totals.files;
        all->bytes += totals.bytes;
        all->skipped += totals.skipped;
        all->unread += totals.unread;
        if (!done)
            return false;
    }
    return true;
}

static bool report_json(const struct sync_totals *totals, double seconds,
                        struct cli_context *cli, struct err *err)
{
    struct cJSON *tree = json_new_object();
    bool done;

    json_add_int(tree, "files", (int64_t)totals->files);
    json_add_int(tree, "bytes", (int64_t)totals->bytes);
    json_add_int(tree, "skipped", (int64_t)totals->skipped);
    json_add_number(tree, "seconds", seconds);
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

/* Print the result: "pushed 3 files, ...", or JSON. */
static bool report(struct transfer *transfer, struct cli_context *cli,
                   const char *done, struct err *err)
{
    const struct sync_totals *totals = &transfer->totals;
    double seconds = transfer_progress_seconds(&transfer->progress);
    char size[HUMAN_UNITS_MAX];
    char rate[HUMAN_UNITS_MAX];
    char time[HUMAN_UNITS_MAX];

    transfer_progress_clear(&transfer->progress);
    if (cli->shared.json)
        return report_json(totals, seconds, cli, err);
    human_units_size((double)totals->bytes, size);
    human_units_size((double)totals->bytes / (seconds > 0 ? seconds : 1e-9),
                     rate);
    human_units_time(seconds, time);
    cli_message(cli, "%s %llu file%s, %s in %s (%s/s)", done,
                (unsigned long long)totals->files,
                totals->files == 1 ? "" : "s", size, time, rate);
    if (totals->skipped)
        cli_message(cli, "left out %llu", (unsigned long long)totals->skipped);
    return true;
}

/* What a device could not tell us about is missing: that is a failure. */
static bool check_complete(const struct sync_totals *totals, struct err *err)
{
    return !totals->unread || err_set(err, ERR_UNSUPPORTED,
                                      "%llu links were left out: this device "
                                      "does not report their targets",
                                      (unsigned long long)totals->unread);
}

bool transfer_run(struct cli_context *cli, const struct transfer_args *args,
                  const struct transfer_job *job, struct err *err)
{
    bool several = job->count > 1;
    struct transfer transfer;
    bool fine;

    fine = transfer_open(&transfer, cli, args, err) &&
           (!several || job->check(transfer.sync, cli, job->target, err)) &&
           move_all(&transfer, cli, job, err) &&
           report(&transfer, cli, job->done, err) &&
           check_complete(&transfer.totals, err);
    transfer_close(&transfer);
    return fine;
}
