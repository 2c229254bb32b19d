/*
 * The phone that the address names is watched before its page is built, so that
 * the picture is on its way while the other scripts are loaded. The first
 * Screen of that phone takes the watch over.
 */
import * as socket from "./socket.js";
import "./registry.js"; /* listens before the first list is pushed */

/*
 * The place of a screen before its size is known, as in app.css: the height of
 * the window without what is around it, and a ratio.
 */
const RATIO = 0.46;
const LEAST = 336;
const AROUND = 208;
const AROUND_NARROW = 166;
const BESIDE = 52;
const NARROW = "(max-width: 820px)";

/* Pictures of another size are not taken over. */
const OFF_BY = 1.2;

/* How many pixels of the display are so wide on the page. */
const pixelsOf = (width) => width * Math.min(window.devicePixelRatio || 1, 2);

function guessWidth() {
    const around = matchMedia(NARROW).matches ? AROUND_NARROW : AROUND;
    const height = Math.max(window.innerHeight - around, LEAST);
    return Math.round(pixelsOf(Math.min(height * RATIO,
                                        window.innerWidth - BESIDE)));
}

/* A part of an address, also of one that was typed wrong. */
function decodePart(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

class FirstWatch {
    constructor(phone) {
        this.phone = phone;
        this.width = guessWidth();
        this.frames = [];
        this.status = null; /* the last one; the server repeats none */
        this.holding = [
            socket.on("frame", (buffer) => this.frames.push(buffer)),
            socket.on("phone", (message) => {
                if (message.phone === phone)
                    this.status = message;
            })];
        this.answer = socket.ask({do: "watch", phone, width: this.width,
                                  video: "VideoDecoder" in window,
                                  passive: false});
        this.answer.catch(() => {}); /* the Screen asks again */
    }

    fits(phone, width) {
        return phone === this.phone && width <= OFF_BY * this.width &&
            this.width <= OFF_BY * width;
    }

    stopHolding() {
        this.holding.forEach((end) => end());
    }

    /* What has come until now; from now on frames are the caller's. */
    takeFrames() {
        this.stopHolding();
        return this.frames;
    }

    drop() {
        this.stopHolding();
        this.answer.then(({watch}) => socket.send({do: "unwatch", watch}),
                         () => {});
    }
}

let first = null;

/*
 * The watch of this phone, in pictures about so wide, which is the caller's
 * then; null: there is none.
 */
function claim(phone, width) {
    if (!first || !first.fits(phone, width))
        return null;
    const claimed = first;
    first = null;
    return claimed;
}

/* What the server has said of this phone until now, or null. */
const statusOf = (phone) =>
    first && first.phone === phone ? first.status : null;

/* No Screen has taken it over. */
function drop() {
    if (first)
        first.drop();
    first = null;
}

const unfollow = socket.on("link", ({state}) => {
    const phone = /^#\/phone\/(.+)$/.exec(location.hash);
    unfollow();
    if (state === "open" && phone)
        first = new FirstWatch(decodePart(phone[1]));
});
socket.open();

export {claim, drop, statusOf, decodePart, pixelsOf};
