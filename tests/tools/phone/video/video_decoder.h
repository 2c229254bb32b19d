/* Decodes H.264, to compare it with what the phone shows. */
#ifndef TESTS_TOOLS_PHONE_VIDEO_VIDEO_DECODER_H
#define TESTS_TOOLS_PHONE_VIDEO_VIDEO_DECODER_H

#include "adb/scrcpy/video_packet.h"
#include "base/picture/picture.h"

struct video_decoder;

struct video_decoder *video_decoder_new(void);
void video_decoder_free(struct video_decoder *decoder);

/*
 * Decode a packet into picture, which is unchanged by a configuration. Fails
 * the running test if the packet cannot be decoded.
 */
void video_decoder_decode(struct video_decoder *decoder,
                          const struct video_packet *packet,
                          struct picture *picture);

/* How alike two pictures of one size are, in dB; at most 100. */
double picture_psnr(const struct picture *a, const struct picture *b);

#endif
