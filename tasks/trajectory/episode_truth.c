#include "tasks/trajectory/episode_truth.h"

#include <limits.h>

#include "base/file.h"
#include "base/json_write.h"

#define TRUTH_MAX ((size_t)16 << 20)

bool episode_truth_save(const char *folder, const struct cJSON *verdict,
                        bool synced, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(TRUTH_MAX);
    bool done;

    json_format(verdict, &text);
    buf_byte(&text, '\n');
    buf_printf(&path, "%s/truth.json", folder);
    if (text.overflow)
        done = err_set(err, ERR_LIMIT, "the truth is too long");
    else
        done = (synced ? file_save_synced : file_save)(
            buf_cstr(&path), 0666, text.data, text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}
