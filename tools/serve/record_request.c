#include "tools/serve/record_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_write.h"
#include "base/mem.h"

#define COORDINATE_MAX 16384

void record_request_release(struct record_request *request)
{
    free(request->text);
    request->text = NULL;
}

static bool read_name(const struct json *json, const char *key,
                      char name[RECORDING_NAME_MAX], struct err *err)
{
    const char *text;

    if (!json_get_string(json, key, &text, err))
        return false;
    if (!recording_name_is_valid(text))
        return err_set(err, ERR_INVALID,
                       "give the recording a name of small letters, digits, "
                       "dots and hyphens, with 1 to %d characters",
                       RECORDING_NAME_MAX - 1);
    memcpy(name, text, strlen(text) + 1);
    return true;
}

static bool read_number(const struct json *json, const char *key, int max,
                        int *number, struct err *err)
{
    int64_t value;

    if (!json_get_int(json, key, 0, max, &value, err))
        return false;
    *number = (int)value;
    return true;
}

static bool read_note(const struct json *json, struct record_request *request,
                      struct err *err)
{
    const char *text;

    if (!json_get_string(json, "text", &text, err))
        return false;
    if (strlen(text) > RECORDING_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "a note has at most %zu bytes",
                       RECORDING_TEXT_MAX);
    request->text = mem_dup(text);
    return true;
}

static bool read_range(const struct json *json, struct record_request *request,
                       struct err *err)
{
    return read_number(json, "from", TRAJECTORY_STEPS_MAX, &request->from,
                       err) &&
           read_number(json, "to", TRAJECTORY_STEPS_MAX, &request->to, err) &&
           (request->from <= request->to ||
            err_set(err, ERR_INVALID, "\"to\" comes before \"from\""));
}

static bool read_box(const struct json *json, struct box *box, struct err *err)
{
    return read_number(json, "left", COORDINATE_MAX, &box->left, err) &&
           read_number(json, "top", COORDINATE_MAX, &box->top, err) &&
           read_number(json, "right", COORDINATE_MAX, &box->right, err) &&
           read_number(json, "bottom", COORDINATE_MAX, &box->bottom, err) &&
           (!box_is_empty(*box) ||
            err_set(err, ERR_INVALID, "the rectangle is empty"));
}

static bool read_form(const struct json *json, struct record_request *request,
                      struct err *err)
{
    struct buf text = BUF_INIT(RECORD_FORM_MAX);
    struct json form;
    bool done;

    if (!json_get_object(json, "form", &form, err))
        return false;
    json_format(form.value, &text);
    done = !text.overflow || err_set(err, ERR_LIMIT, "the form is too large");
    if (done)
        request->text = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return done;
}

static bool read_step(const struct json *json, unsigned has,
                      struct record_request *request, struct err *err)
{
    int64_t step = -1;

    if (has & RECORD_HAS_STEP)
        return read_number(json, "step", TRAJECTORY_STEPS_MAX, &request->step,
                           err);
    if ((has & RECORD_MAY_HAVE_STEP) &&
        !json_opt_int(json, "step", 0, TRAJECTORY_STEPS_MAX, &step, err))
        return false;
    request->step = (int)step;
    return true;
}

bool record_request_read(const struct json *json, unsigned has,
                         struct record_request *request, struct err *err)
{
    return (!(has & RECORD_HAS_RECORDING) ||
            read_name(json, "recording", request->recording, err)) &&
           read_step(json, has, request, err) &&
           (!(has & RECORD_HAS_ON) ||
            json_get_bool(json, "on", &request->on, err)) &&
           (!(has & RECORD_HAS_POINT) ||
            (read_number(json, "x", COORDINATE_MAX, &request->x, err) &&
             read_number(json, "y", COORDINATE_MAX, &request->y, err))) &&
           (!(has & RECORD_HAS_NOTE) || read_note(json, request, err)) &&
           (!(has & RECORD_HAS_NAME) ||
            read_name(json, "name", request->name, err)) &&
           (!(has & RECORD_HAS_RANGE) || read_range(json, request, err)) &&
           (!(has & RECORD_HAS_BOX) || read_box(json, &request->box, err)) &&
           (!(has & RECORD_HAS_FORM) || read_form(json, request, err)) &&
           (!(has & RECORD_MAY_BE_IN_HAND) ||
            json_opt_bool(json, "in_hand", &request->in_hand, err));
}
