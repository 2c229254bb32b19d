#include "tools/phone/video/video_encoder.h"

#include <stdlib.h>

#include <wels/codec_api.h>

#include "adb/scrcpy/video_packet.h"
#include "base/mem.h"

/*
 * The quantizer for a bit rate. It is constant, so that a still screen is as
 * good as it gets with its first frame; text is legible at the worst one.
 */
static int qp_of(int bit_rate)
{
    if (bit_rate >= 8000000)
        return 24;
    return bit_rate >= 2000000 ? 28 : 32;
}

struct video_encoder {
    ISVCEncoder *library; /* owned */
    struct extent size;
    struct buf config;
    struct buf frame;
};

static bool check_size(struct extent size, struct err *err)
{
    if (size.width < VIDEO_ENCODER_SIDE_MIN ||
        size.height < VIDEO_ENCODER_SIDE_MIN || size.width % 2 ||
        size.height % 2 ||
        (int64_t)size.width * size.height > VIDEO_ENCODER_PIXELS_MAX)
        return err_set(err, ERR_UNSUPPORTED,
                       "a video of %dx%d pixels is not supported", size.width,
                       size.height);
    return true;
}

static void set_layer(SSpatialLayerConfig *layer, struct extent size,
                      int bit_rate, float fps)
{
    layer->iVideoWidth = size.width;
    layer->iVideoHeight = size.height;
    layer->fFrameRate = fps;
    layer->iSpatialBitrate = bit_rate;
    layer->iMaxSpatialBitrate = UNSPECIFIED_BIT_RATE;
    layer->iDLayerQp = qp_of(bit_rate);
    layer->uiProfileIdc = PRO_BASELINE;
    layer->uiLevelIdc = LEVEL_UNKNOWN;
    layer->sSliceArgument.uiSliceMode = SM_SINGLE_SLICE;
    layer->bVideoSignalTypePresent = true;
    layer->uiVideoFormat = VF_UNDEF;
    layer->bFullRange = false;
    layer->bColorDescriptionPresent = true;
    layer->uiColorPrimaries = CP_BT709;
    layer->uiTransferCharacteristics = TRC_BT709;
    layer->uiColorMatrix = CM_BT709;
}

/* One layer, one thread, one reference, no delay and no dropped frames. */
static bool set_up(ISVCEncoder *library, struct extent size, int bit_rate,
                   float fps, struct err *err)
{
    int level = WELS_LOG_QUIET;
    int format = videoFormatI420;
    SEncParamExt options;

    (*library)->SetOption(library, ENCODER_OPTION_TRACE_LEVEL, &level);
    (*library)->GetDefaultParams(library, &options);
    options.iUsageType = CAMERA_VIDEO_REAL_TIME;
    options.iPicWidth = size.width;
    options.iPicHeight = size.height;
    options.iTargetBitrate = bit_rate;
    options.iMaxBitrate = UNSPECIFIED_BIT_RATE;
    options.iRCMode = RC_OFF_MODE;
    options.fMaxFrameRate = fps;
    options.iTemporalLayerNum = 1;
    options.iSpatialLayerNum = 1;
    options.iComplexityMode = LOW_COMPLEXITY;
    options.uiIntraPeriod = 0;
    options.iNumRefFrame = 1;
    options.eSpsPpsIdStrategy = CONSTANT_ID;
    options.iEntropyCodingModeFlag = 0;
    options.bEnableFrameSkip = false;
    options.iMultipleThreadIdc = 1;
    options.bEnableDenoise = false;
    options.bEnableSceneChangeDetect = false;
    options.bEnableBackgroundDetection = false;
    options.bEnableAdaptiveQuant = false;
    set_layer(&options.sSpatialLayers[0], size, bit_rate, fps);
    if ((*library)->InitializeExt(library, &options) ||
        (*library)->SetOption(library, ENCODER_OPTION_DATAFORMAT, &format))
        return err_set(err, ERR_IO, "the video encoder refuses %dx%d pixels",
                       size.width, size.height);
    return true;
}

bool video_encoder_open(struct extent size, int bit_rate, float fps,
                        struct video_encoder **encoder, struct err *err)
{
    struct video_encoder *opened;

    if (!check_size(size, err))
        return false;
    opened = mem_new(1, sizeof(*opened));
    opened->size = size;
    opened->config = (struct buf)BUF_INIT(VIDEO_PACKET_MAX);
    opened->frame = (struct buf)BUF_INIT(VIDEO_PACKET_MAX);
    if (WelsCreateSVCEncoder(&opened->library)) {
        free(opened);
        return err_set(err, ERR_IO, "no video encoder can be created");
    }
    if (!set_up(opened->library, size, bit_rate, fps, err)) {
        video_encoder_close(opened);
        return false;
    }
    *encoder = opened;
    return true;
}

void video_encoder_close(struct video_encoder *encoder)
{
    if (!encoder)
        return;
    (*encoder->library)->Uninitialize(encoder->library);
    WelsDestroySVCEncoder(encoder->library);
    buf_release(&encoder->config);
    buf_release(&encoder->frame);
    free(encoder);
}

static void append_layer(struct video_encoder *encoder,
                         const SLayerBSInfo *layer)
{
    struct buf *to = layer->uiLayerType == NON_VIDEO_CODING_LAYER
                         ? &encoder->config
                         : &encoder->frame;
    size_t length = 0;

    for (int i = 0; i < layer->iNalCount; i++)
        length += (size_t)layer->pNalLengthInByte[i];
    buf_append(to, layer->pBsBuf, length);
}

static SSourcePicture source_of(const struct i420 *picture, int64_t time_ms)
{
    int width = picture->size.width;

    return (SSourcePicture){
        .iColorFormat = videoFormatI420,
        .iStride = {width, width / 2, width / 2},
        .pData = {picture->planes[0], picture->planes[1], picture->planes[2]},
        .iPicWidth = width,
        .iPicHeight = picture->size.height,
        .uiTimeStamp = time_ms,
    };
}

bool video_encoder_encode(struct video_encoder *encoder,
                          const struct i420 *picture, int64_t time_ms, bool key,
                          struct video_frame *frame, struct err *err)
{
    SSourcePicture source = source_of(picture, time_ms);
    SFrameBSInfo encoded = {0};

    buf_clear(&encoder->config);
    buf_clear(&encoder->frame);
    if (key)
        (*encoder->library)->ForceIntraFrame(encoder->library, true);
    if ((*encoder->library)->EncodeFrame(encoder->library, &source, &encoded))
        return err_set(err, ERR_IO, "the video encoder failed");
    for (int i = 0; i < encoded.iLayerNum; i++)
        append_layer(encoder, &encoded.sLayerInfo[i]);
    if (encoder->frame.overflow)
        return err_set(err, ERR_LIMIT, "a frame of the video is too large");
    *frame = (struct video_frame){
        .config = &encoder->config,
        .frame = &encoder->frame,
        .is_key = encoded.eFrameType == videoFrameTypeIDR,
    };
    return true;
}
