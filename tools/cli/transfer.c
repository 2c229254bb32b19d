#include "tools/cli/transfer.h"

#include "base/json_write.h"
#include "tools/cli/units.h"

/* In the order of enum sync_compression. */
static const char *const compressions[] = {"any", "none", "brotli",
                                           "lz4", "zstd", NULL};

const struct option transfer_options[TRANSFER_OPTION_COUNT] = {
    OPTION_CHOICE(struct transfer_args, compression, "compression", 'z', "HOW",
                  compressions, "How bytes travel"),
};

bool transfer_open(struct transfer *transfer, const struct cli *cli,
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

void transfer_close(struct transfer *transfer)
{
    progress_clear(&transfer->progress);
    sync_close(transfer->sync);
    device_close(transfer->device);
}

void transfer_add(struct transfer *transfer, const struct sync_totals *totals)
{
    transfer->totals.files += totals->files;
    transfer->totals.bytes += totals->bytes;
    transfer->totals.skipped += totals->skipped;
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

bool transfer_report(struct transfer *transfer, struct cli *cli,
                     const char *verb, struct err *err)
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
    cli_say(cli, "%s %llu file%s, %s in %s (%s/s)", verb,
            (unsigned long long)totals->files, totals->files == 1 ? "" : "s",
            size, time, rate);
    if (totals->skipped)
        cli_say(cli, "skipped %llu that are neither file nor directory",
                (unsigned long long)totals->skipped);
    return true;
}
