/*
 * Binary frames of the server, big-endian:
 *
 *     u8 kind  u8 flags  u16 watch  u32 frame  u16 width  u16 height  u64 time
 *
 * Kind 1, pictures: u16 count, then for each rectangle u16 x, y, w, h,
 * u8 format, u32 length, bytes. Kind 2, video: the bytes of one packet.
 */
const PICTURES = 1;
const HEADER = 20;
const TYPES = {1: "image/png", 2: "image/jpeg"};

function readRectangles(view, buffer) {
    const rectangles = [];
    let at = HEADER + 2;
    for (let left = view.getUint16(HEADER); left > 0; left--) {
        const length = view.getUint32(at + 9);
        rectangles.push({
            x: view.getUint16(at),
            y: view.getUint16(at + 2),
            w: view.getUint16(at + 4),
            h: view.getUint16(at + 6),
            blob: new Blob([new Uint8Array(buffer, at + 13, length)],
                           {type: TYPES[view.getUint8(at + 8)]}),
        });
        at += 13 + length;
    }
    return rectangles;
}

function readFrame(buffer) {
    const view = new DataView(buffer);
    const kind = view.getUint8(0);
    const frame = {
        kind,
        flags: view.getUint8(1),
        watch: view.getUint16(2),
        number: view.getUint32(4),
        width: view.getUint16(8),
        height: view.getUint16(10),
        time: Number(view.getBigUint64(12)),
    };
    if (kind === PICTURES)
        frame.rectangles = readRectangles(view, buffer);
    else
        frame.bytes = new Uint8Array(buffer, HEADER);
    return frame;
}

export {readFrame, PICTURES};
