/*
 * An episode as a strip of screens with what was done on each, and one of them
 * enlarged. data has steps, their size W and H, and source: the address of a
 * picture by its number.
 */
import {make, draw} from "./dom.js";

/* ---- marks on a screen ---- */

function line(svg, look, wide, x, y, X, Y) {
    svg.append(draw("line", {
        "class": "mark " + look, x1: x, y1: y, x2: X, y2: Y,
        "stroke-width": wide, "stroke-linecap": "round",
    }));
}

function arrow(svg, look, wide, x, y, X, Y, size) {
    const angle = Math.atan2(Y - y, X - x);
    line(svg, look, wide, x, y, X, Y);
    for (const turn of [2.6, -2.6])
        line(svg, look, wide, X, Y, X + size * Math.cos(angle + turn),
             Y + size * Math.sin(angle + turn));
}

function ring(svg, x, y, radius, wide) {
    svg.append(draw("circle", {"class": "mark dot", cx: x, cy: y,
                               r: radius}));
    svg.append(draw("circle", {"class": "mark halo", cx: x, cy: y,
                               r: radius, "stroke-width": wide * 1.9}));
    svg.append(draw("circle", {"class": "mark", cx: x, cy: y, r: radius,
                               "stroke-width": wide}));
}

const ways = {up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0]};

/* Where the finger went, if the step does not say: across the middle. */
function ends(step, W, H) {
    const way = ways[step.d];
    let x = step.x, y = step.y, X = step.X, Y = step.Y;
    if (X === undefined && way) {
        const turn = step.a === "scroll" ? -1 : 1;
        const far = 0.22 * H * turn;
        if (x === undefined)
            [x, y] = [W / 2 - way[0] * far / 2, H / 2 - way[1] * far / 2];
        [X, Y] = [x + way[0] * far, y + way[1] * far];
    }
    return X === undefined ? null : [x, y, X, Y];
}

function marks(step, W, H) {
    const svg = draw("svg", {viewBox: "0 0 " + W + " " + H,
                             "aria-hidden": "true"});
    const moved = ["swipe", "drag", "scroll"].includes(step.a);
    const way = moved ? ends(step, W, H) : null;
    const unit = W / 100;
    if (way) {
        arrow(svg, "halo", unit * 3.6, ...way, unit * 9);
        arrow(svg, "", unit * 1.9, ...way, unit * 9);
    } else if (step.x !== undefined) {
        ring(svg, step.x, step.y, unit * 5.2, unit * 1.5);
        if (step.a === "long_press" || step.a === "double_tap")
            ring(svg, step.x, step.y, unit * 9, unit * 1.1);
    }
    return svg;
}

/* ---- pictures ---- */

function picture(step, data, words) {
    const image = make("img");
    image.loading = "lazy";
    image.decoding = "async";
    image.alt = words;
    if (data.W && data.H) {
        image.width = data.W;
        image.height = data.H;
    }
    image.src = data.source(step.p);
    return image;
}

/* ---- one step ---- */

function actionText(step) {
    const at = step.x === undefined ? "" : " " + step.x + ", " + step.y;
    if (!step.a)
        return "the end";
    return step.a.replace("_", " ") + (step.d ? " " + step.d : "") + at;
}

function replyBox(step) {
    const box = make("details", "reply");
    box.append(make("summary", "", "reply"), make("p", "", step.r));
    return box;
}

function stepItem(step, number, data, look) {
    const item = make("li");
    const words = step.w || (step.a && step.t ? "“" + step.t + "”" : "");
    const act = make("p", "act");
    if (step.p !== undefined) {
        const button = make("button", "shot");
        button.type = "button";
        button.title = "Enlarge";
        button.append(picture(step, data, words || "screen " + number));
        if (step.a && data.W > 0)
            button.append(marks(step, data.W, data.H));
        button.addEventListener("click", () => look(number));
        item.append(button);
    } else if (data.seen) {
        item.append(make("div", "shot blank", "no picture here"));
    }
    act.append(make("b", "", step.a ? String(number) : "■"),
               document.createTextNode(actionText(step)));
    item.append(act);
    if (words)
        item.append(make("p", "words", words));
    if (step.b)
        item.append(make("p", "trouble", "not carried out: " + step.b));
    if (step.e)
        item.append(make("p", "trouble", "no action: " + step.e));
    if (step.r)
        item.append(replyBox(step));
    return item;
}

/* ---- enlarged ---- */

/* The only dialog of the page. */
let dialog = null;

function openDialog(data, number) {
    const shown = data.steps.map((step, i) => i)
        .filter((i) => data.steps[i].p !== undefined);
    let at = shown.indexOf(number);
    function paint() {
        const step = data.steps[shown[at]];
        const button = make("button", "shot");
        button.type = "button";
        button.append(picture(step, data, step.w || actionText(step)));
        if (step.a && data.W > 0)
            button.append(marks(step, data.W, data.H));
        button.addEventListener("click", () => dialog.close());
        dialog.replaceChildren(button, make("p", "", shown[at] + "  ·  " +
                                            (step.w || actionText(step))));
        button.focus();
    }
    if (!dialog) {
        dialog = make("dialog", "enlarged");
        document.body.append(dialog);
    }
    dialog.onkeydown = (event) => {
        const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!way)
            return;
        event.preventDefault();
        at = Math.min(Math.max(at + way, 0), shown.length - 1);
        paint();
    };
    dialog.showModal();
    paint();
}

/* ---- the strip ---- */

function filmStrip(data) {
    const box = make("ol", "strip");
    data.seen = data.steps.some((step) => step.p !== undefined);
    box.tabIndex = 0;
    box.setAttribute("aria-label", "What was seen and done");
    data.steps.forEach((step, i) => {
        const item = stepItem(step, i, data, (n) => openDialog(data, n));
        if (i === data.at)
            item.classList.add("at");
        box.append(item);
    });
    return box;
}

export {filmStrip};
