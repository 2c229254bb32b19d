/*
 * Runs in each measured page before its own scripts: when which frame was
 * painted, on the clock of the page.
 */
const ROWS = 16; /* of pixels that are compared */

const meter = window.proctorMeter = {
    frames: [], /* {number, at} */
    first: null, /* ms from opening the page to the first picture */
    taps: null,
};

/* Some rows of pixels: reading all of them would take longer than a frame. */
function sample() {
    const canvas = document.querySelector("canvas.screen");
    const context = canvas.getContext("2d");
    const rows = [];
    for (let i = 1; i < ROWS; i++)
        rows.push(...context.getImageData(
            0, Math.floor(canvas.height * (0.06 + 0.9 * i / ROWS)),
            canvas.width, 1).data);
    return rows.join();
}

/* From the next press in the page to the first pixel that is changed by it. */
meter.awaitTap = () => new Promise((resolve) => {
    const before = sample();
    let pressed = null;
    window.addEventListener("pointerdown", (event) => {
        pressed = event.timeStamp;
    }, {capture: true, once: true});
    meter.onFrame = (at) => {
        if (pressed === null || at < pressed || sample() === before)
            return;
        meter.onFrame = null;
        resolve(at - pressed);
    };
});

/* Frames a second since a time, in which a screen moved for ms or, on a busy
 * machine, for longer. */
meter.rate = (since, ms) => {
    const times = meter.frames.map(({at}) => at).filter((at) => at >= since);
    const span = times.length ? times.at(-1) - times[0] : 0;
    return 1000 * times.length / Math.max(span, ms);
};

/* When a frame that is at least so new was painted first since a time. */
meter.paintedAt = (number, since) => {
    const found = meter.frames.find((frame) => frame.at >= since &&
                                    frame.number >= number);
    return found ? found.at : null;
};

new MutationObserver((changes) => {
    const at = performance.now();
    for (const change of changes)
        meter.frames.push({number: Number(change.target.dataset.frame), at});
    if (meter.first === null)
        meter.first = at;
    if (meter.onFrame)
        meter.onFrame(at);
}).observe(document, {subtree: true, attributes: true,
                      attributeFilter: ["data-frame"]});
