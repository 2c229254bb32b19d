#include "tools/cli/transfer.h"

#include "base/json_write.h"
#include "tools/cli/progress.h"
#include "tools/cli/units.h"

/* In the order of enum sync_compression. */
static const char *const compressions[] = {"any", "none", "brotli",
                                           "lz4", "zstd", NULL};

const struct option transfer_options[TRANSFER_OPTION_COUNT] = {
    OPTION_CHOICE(struct transfer_args, compression, "compression", 'z', "HOW",
                  compressions, "How bytes travel"),
};

/* A session, its progress, and what it came to. */
struct transfer {
    struct device *device;
    struct sync *sync;
    struct progress progress;
    struct sync_totals totals; /* of everything so far */
};

/* transfer must stay where it is until it is closed, also after a failure. */
static bool transfer_open(struct transfer *transfer, const struct cli *cli,
                          const struct transfer_args *args, struct err *err)
{
    struct sync_options options = {
        .compression = (enum sync_compression)args->compression,
        .progress = progress_update,
        .context = &transfer->progress,
    };

    *transfer = (struct transfer){0};
    if (!cli_open_device(cli, &transfer->device, err))
        return false;
    progress_init(&transfer->progress, !cli->shared.json, cli->cancel);
    return sync_open(transfer->device, &options, cli_soon(cli), &transfer->sync,
                     err);
}

static void transfer_close(struct transfer *transfer)
{
    progress_clear(&transfer->progress);
    sync_close(transfer->sync);
    device_close(transfer->device);
}

static bool move_all(struct transfer *transfer, const struct cli *cli,
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
        if (!done)
            return false;
    }
    return true;
}

static bool report_json(const struct sync_totals *totals, double seconds,
                        struct cli *cli, struct err *err)
{
    struct cJSON *tree = json_new_object();
    bool done;

    json_add_int(tree, "files", (int64_t)totals->files);
    json_add_int(tree, "bytes", (int64_t)totals->bytes);
    json_add_int(tree, "skipped", (int64_t)totals->skipped);
    json_add_number(tree, "seconds", seconds);
    done = output_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

/* Say what was done: "pushed 3 files, ...", or JSON. */
static bool report(struct transfer *transfer, struct cli *cli, const char *done,
                   struct err *err)
{
    const struct sync_totals *totals = &transfer->totals;
    double seconds = progress_seconds(&transfer->progress);
    char size[UNITS_TEXT_MAX];
    char rate[UNITS_TEXT_MAX];
    char time[UNITS_TEXT_MAX];

    progress_clear(&transfer->progress);
    if (cli->shared.json)
        return report_json(totals, seconds, cli, err);
    units_size((double)totals->bytes, size);
    units_size((double)totals->bytes / (seconds > 0 ? seconds : 1e-9), rate);
    units_time(seconds, time);
    cli_say(cli, "%s %llu file%s, %s in %s (%s/s)", done,
            (unsigned long long)totals->files, totals->files == 1 ? "" : "s",
            size, time, rate);
    if (totals->skipped)
        cli_say(cli, "skipped %llu that are neither file nor directory",
                (unsigned long long)totals->skipped);
    return true;
}

bool transfer_run(struct cli *cli, const struct transfer_args *args,
                  const struct transfer_job *job, struct err *err)
{
    bool several = job->count > 1;
    struct transfer transfer;
    bool fine;

    fine = transfer_open(&transfer, cli, args, err) &&
           (!several || job->check(transfer.sync, cli, job->target, err)) &&
           move_all(&transfer, cli, job, err) &&
           report(&transfer, cli, job->done, err);
    transfer_close(&transfer);
    return fine;
}
