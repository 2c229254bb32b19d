/*
 * The screen of one phone on a canvas. Frames are painted in the order in which
 * they came; each is acknowledged, also one that cannot be painted, so that the
 * server sends no more than are painted, and goes on.
 */
import * as firstWatch from "./first_watch.js";
import * as socket from "./socket.js";
import {readFrame, PICTURES} from "./frame.js";
import {Video} from "./video.js";

const BUSY_MS = 1000; /* until it is tried again */

/* After so long without a frame the next ones may be old. */
const PAUSE_MS = 500;

const REDUCTION_MAX = 8; /* of pictures, by the server */

/* A picture that is so much smaller than its place is asked for again. */
const BLUR = 1.2;

const screens = new Map(); /* by the number of the watch */

socket.on("frame", (buffer) => {
    const frame = readFrame(buffer);
    const screen = screens.get(frame.watch);
    if (screen)
        screen.take(frame);
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* How many pixels a canvas is wide on the display. */
const pixelsOf = (canvas) => firstWatch.pixelsOf(canvas.clientWidth);

/* One use: after stop, another one is needed. */
class Screen {
    /*
     * On a canvas that is on the page: no more pixels come than it shows.
     * onFrame(frame) after each. isPassive: watch only as long as another page
     * does.
     */
    constructor(canvas, onFrame, isPassive = false) {
        this.canvas = canvas;
        this.context = canvas.getContext("2d", {alpha: false,
                                                desynchronized: true});
        this.width = Math.max(64, Math.round(pixelsOf(canvas)));
        this.onFrame = onFrame || (() => {});
        this.isPassive = isPassive;
        this.shown = null; /* number, width and height of what is painted */
        this.watch = 0;
        this.isStopped = false;
        this.takenAt = -Infinity;
        this.turn = Promise.resolve();
        this.video = new Video((picture, frame) => {
            this.fit(frame);
            this.context.drawImage(picture, 0, 0, canvas.width, canvas.height);
            this.painted(frame);
        }, (frame) => this.acknowledge(frame), (words) => this.trouble(words));
    }

    /* Has its place become so large that another one would be sharper? */
    isBlurred() {
        return pixelsOf(this.canvas) > BLUR * this.width;
    }

    trouble(words) {
        if (this.onTrouble)
            this.onTrouble(words);
    }

    /* A phone that is being closed can be watched a moment later. */
    async ask(phone) {
        const message = {do: "watch", phone, width: this.width,
                         video: Video.isSupported(), passive: this.isPassive};
        try {
            return await socket.ask(message);
        } catch (error) {
            if (!error.isBusy)
                throw error;
        }
        await pause(BUSY_MS);
        return this.isStopped ? null : socket.ask(message);
    }

    async start(phone) {
        const first = this.isPassive ? null
            : firstWatch.claim(phone, this.width);
        const answer = first && await first.answer.catch(() => null) ||
            await this.ask(phone);
        const frames = first ? first.takeFrames() : [];
        if (!answer)
            return;
        if (this.isStopped) {
            socket.send({do: "unwatch", watch: answer.watch});
            return;
        }
        this.watch = answer.watch;
        screens.set(this.watch, this);
        if (first)
            this.width = first.width;
        frames.forEach((buffer) => this.take(readFrame(buffer)));
    }

    stop() {
        this.isStopped = true;
        if (this.watch) {
            screens.delete(this.watch);
            socket.send({do: "unwatch", watch: this.watch});
        }
        this.watch = 0;
        this.video.close();
    }

    /*
     * Give the canvas the size of the pictures; a new size clears it. The server
     * reduces them by the same rule, so that no pixel is between two of the
     * canvas. Returns how many pixels of the phone are one.
     */
    fit(frame) {
        let reduction = 1;
        while (reduction < REDUCTION_MAX &&
               Math.floor(frame.width / (2 * reduction)) >= this.width)
            reduction *= 2;
        const width = Math.ceil(frame.width / reduction);
        const height = Math.ceil(frame.height / reduction);
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
        }
        return reduction;
    }

    painted(frame) {
        this.shown = {number: frame.number, width: frame.width,
                      height: frame.height};
        this.acknowledge(frame);
        this.onFrame(this.shown);
    }

    acknowledge(frame) {
        if (this.watch === frame.watch)
            socket.send({do: "seen", watch: frame.watch, frame: frame.number});
    }

    async paint(frame, pictures) {
        const bitmaps = await pictures;
        const reduction = this.fit(frame);
        frame.rectangles.forEach((part, i) => {
            this.context.drawImage(bitmaps[i], part.x / reduction,
                                   part.y / reduction);
            bitmaps[i].close();
        });
        this.painted(frame);
    }

    take(frame) {
        const now = performance.now();
        /* The server prepares the newest one while these are decoded. */
        if (now - this.takenAt > PAUSE_MS)
            this.acknowledge(frame);
        this.takenAt = now;
        if (frame.kind !== PICTURES) {
            if (!this.video.take(frame))
                this.acknowledge(frame);
            return;
        }
        /* Decoded at the same time, painted one after the other. */
        const pictures = Promise.all(frame.rectangles.map(
            (part) => createImageBitmap(part.blob)));
        this.turn = this.turn.then(() => this.paint(frame, pictures))
            .catch((error) => {
                this.acknowledge(frame);
                this.trouble(error.message);
            });
    }
}

export {Screen};
