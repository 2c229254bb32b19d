/*
 * Mouse, pen and fingers on the canvas as touches of the phone, with their real
 * timing. The wheel is a finger that drags; the right button is back.
 */
const WHEEL = "wheel";
const WHEEL_REST_MS = 140;

/* A wheel may count in pixels, lines or pages. */
const WHEEL_UNITS = [1, 32, 600];

const clamp = (value, size) => Math.min(Math.max(value, 0), size - 1);

class Touch {
    /*
     * screen knows the frame that is shown; act(message) sends one; finger is
     * the element that follows a pressed pointer. isPaused(): clicks mean
     * something else now.
     */
    constructor(canvas, screen, finger, {act, isPaused, onPress}) {
        this.canvas = canvas;
        this.screen = screen;
        this.finger = finger;
        this.act = act;
        this.isPaused = isPaused;
        this.onPress = onPress;
        this.pointers = new Map(); /* pointerId or WHEEL: number on the phone */
        this.moves = new Map(); /* number: the newest place, until sent */
        this.wheel = null;
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.up(event, "up"));
        canvas.addEventListener("pointercancel",
                                (event) => this.up(event, "cancel"));
        canvas.addEventListener("contextmenu", (event) => {
            event.preventDefault();
            if (!this.isPaused())
                this.act({do: "key", key: "back"});
        });
        canvas.addEventListener("wheel", (event) => this.turn(event),
                                {passive: false});
    }

    /* The point of the phone's screen under an event; null: nothing shown. */
    point(event) {
        const shown = this.screen.shown;
        const box = this.canvas.getBoundingClientRect();
        if (!shown || !box.width || !box.height)
            return null;
        const along = (offset, length, size) =>
            clamp(Math.floor(offset / length * size), size);
        return {
            x: along(event.clientX - box.left, box.width, shown.width),
            y: along(event.clientY - box.top, box.height, shown.height),
            frame: shown.number,
            width: shown.width,
            height: shown.height,
        };
    }

    send(action, pointer, point, ms) {
        this.act({do: "touch", action, pointer, ...point, ms: Math.round(ms)});
    }

    freeNumber() {
        const used = new Set(this.pointers.values());
        let number = 0;
        while (used.has(number))
            number++;
        return number;
    }

    showFinger(event) {
        const box = this.canvas.getBoundingClientRect();
        this.finger.hidden = false;
        this.finger.style.left = event.clientX - box.left + "px";
        this.finger.style.top = event.clientY - box.top + "px";
    }

    down(event) {
        const point = this.point(event);
        if (event.button !== 0 || !point || this.isPaused())
            return;
        event.preventDefault();
        this.onPress(event);
        this.canvas.setPointerCapture(event.pointerId);
        const number = this.freeNumber();
        this.pointers.set(event.pointerId, number);
        this.showFinger(event);
        this.send("down", number, point, event.timeStamp);
    }

    /* One message for each picture that the browser shows, not more. */
    move(event) {
        const number = this.pointers.get(event.pointerId);
        const point = this.point(event);
        if (number === undefined || !point)
            return;
        this.showFinger(event);
        if (!this.moves.size)
            requestAnimationFrame(() => this.flush());
        this.moves.set(number, {point, ms: event.timeStamp});
    }

    flush() {
        for (const [number, {point, ms}] of this.moves)
            this.send("move", number, point, ms);
        this.moves.clear();
    }

    up(event, action) {
        const number = this.pointers.get(event.pointerId);
        const point = this.point(event);
        if (number === undefined || !point)
            return;
        this.flush();
        this.pointers.delete(event.pointerId);
        this.finger.hidden = true;
        this.send(action, number, point, event.timeStamp);
    }

    turn(event) {
        const point = this.point(event);
        if (this.isPaused() || event.ctrlKey || !point)
            return;
        event.preventDefault();
        const unit = WHEEL_UNITS[event.deltaMode] *
            point.width / this.canvas.getBoundingClientRect().width;
        if (!this.wheel) {
            this.wheel = point;
            this.pointers.set(WHEEL, this.freeNumber());
            this.send("down", this.pointers.get(WHEEL), point,
                      event.timeStamp);
        }
        const x = Math.round(this.wheel.x - event.deltaX * unit);
        const y = Math.round(this.wheel.y - event.deltaY * unit);
        this.wheel = {...point, x: clamp(x, point.width),
                      y: clamp(y, point.height)};
        if (!this.moves.size)
            requestAnimationFrame(() => this.flush());
        this.moves.set(this.pointers.get(WHEEL),
                       {point: this.wheel, ms: event.timeStamp});
        clearTimeout(this.rest);
        /* At the edge the finger is lifted, to go on from the pointer. */
        if (this.wheel.x !== x || this.wheel.y !== y)
            this.endWheel();
        else
            this.rest = setTimeout(() => this.endWheel(), WHEEL_REST_MS);
    }

    endWheel() {
        this.flush();
        this.send("up", this.pointers.get(WHEEL), this.wheel,
                  performance.now());
        this.pointers.delete(WHEEL);
        this.wheel = null;
    }
}

export {Touch};
