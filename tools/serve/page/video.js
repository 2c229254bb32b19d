/* H.264 packets (Annex B) as pictures, by the browser's decoder. */
const CONFIG = 1;
const KEY = 2;
const SPS = 7;
const QUEUE_MAX = 6; /* packets that wait; more of them are skipped */

/* "avc1.PPCCLL" from the sequence parameter set; null: there is none. */
function codecOf(bytes) {
    for (let i = 0; i + 6 < bytes.length; i++) {
        if (bytes[i] === 0 && bytes[i + 1] === 0 && bytes[i + 2] === 1 &&
            (bytes[i + 3] & 31) === SPS)
            return "avc1." + Array.from(bytes.slice(i + 4, i + 7),
                (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
    return null;
}

function join(first, second) {
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
}

class Video {
    /*
     * paint(picture, frame) shows one; skip(frame) is called for one that was
     * taken and cannot be shown; fail(words) says why.
     */
    constructor(paint, skip, fail) {
        this.paint = paint;
        this.skip = skip;
        this.fail = fail;
        this.decoder = null;
        this.codec = null;
        this.config = new Uint8Array(0);
        this.needsKey = true;
        this.frames = new Map(); /* by time: number, width and height */
    }

    static isSupported() {
        return "VideoDecoder" in window;
    }

    configure(bytes) {
        const codec = codecOf(bytes);
        if (!codec)
            return;
        this.reset();
        this.codec = codec;
        this.config = bytes.slice();
    }

    open() {
        const decoder = new VideoDecoder({
            output: (picture) => this.show(picture),
            error: (error) => {
                if (this.decoder === decoder)
                    this.lose(error);
            },
        });
        this.decoder = decoder;
        decoder.configure({codec: this.codec, optimizeForLatency: true});
    }

    /* A new decoder begins with the next key frame. */
    reset() {
        const lost = Array.from(this.frames.values());
        this.close();
        this.needsKey = true;
        lost.forEach((frame) => this.skip(frame));
    }

    lose(error) {
        this.reset();
        this.fail(error.message);
    }

    show(picture) {
        const frame = this.frames.get(picture.timestamp);
        this.frames.delete(picture.timestamp);
        if (frame)
            this.paint(picture, frame);
        picture.close();
    }

    /* False: this packet leads to no picture. */
    take(frame) {
        const key = (frame.flags & KEY) !== 0;
        if (frame.flags & CONFIG) {
            this.configure(frame.bytes);
            return false;
        }
        if (!this.codec || !Video.isSupported())
            return false;
        if (this.decoder && this.decoder.decodeQueueSize > QUEUE_MAX)
            this.needsKey = true;
        if (this.needsKey && !key)
            return false;
        this.needsKey = false;
        this.frames.set(frame.time, frame);
        try {
            this.decode(frame, key);
        } catch (error) {
            this.lose(error); /* which skips the frame */
        }
        return true;
    }

    decode(frame, key) {
        if (!this.decoder)
            this.open();
        this.decoder.decode(new EncodedVideoChunk({
            type: key ? "key" : "delta",
            timestamp: frame.time,
            data: key ? join(this.config, frame.bytes) : frame.bytes,
        }));
    }

    close() {
        if (this.decoder && this.decoder.state !== "closed")
            this.decoder.close();
        this.decoder = null;
        this.frames.clear();
    }
}

export {Video};
