/*
 * One recording: its steps, the screen of each, and what can be changed. The
 * form for a task is below.
 */
import * as registry from "./registry.js";
import * as socket from "./socket.js";
import {draw, element} from "./dom.js";
import {icon} from "./icons.js";
import {addressOf, NAME} from "./record.js";
import {Steps, numberOf} from "./steps.js";
import {TaskForm} from "./task_form.js";
import {showFailure, toast} from "./toast.js";

const MARK = 46; /* radius of the mark where a finger was */

/* The screen of a step, with marks; a rectangle can be drawn on it. */
class StepPicture {
    constructor() {
        this.image = element("img", {"class": "shot", alt: ""});
        this.marks = draw("svg", {"class": "shot-marks", "aria-hidden": "true"});
        this.node = element("div", {"class": "shot-place"}, this.image,
                            this.marks);
        this.image.addEventListener("load", () => this.paint());
        this.marks.addEventListener("pointerdown", (event) => this.down(event));
        this.marks.addEventListener("pointermove", (event) => this.move(event));
        this.marks.addEventListener("pointerup", () => this.up());
        this.box = null;
        this.onBox = null; /* set while a rectangle is wanted */
    }

    show(step) {
        this.step = step;
        this.box = null;
        this.node.hidden = !step.picture;
        this.image.alt = "The screen before: " + step.description;
        if (step.picture && this.image.getAttribute("src") !== step.picture)
            this.image.src = step.picture;
        else
            this.paint();
    }

    paint() {
        const {naturalWidth: width, naturalHeight: height} = this.image;
        const {from, to} = this.step || {};
        this.marks.replaceChildren();
        if (!width)
            return;
        this.marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
        this.node.style.setProperty("--ratio", width / height);
        if (from && to)
            this.marks.append(draw("line", {x1: from[0], y1: from[1],
                                            x2: to[0], y2: to[1],
                                            "class": "swipe-mark"}));
        if (from)
            this.marks.append(draw("circle", {cx: from[0], cy: from[1], r: MARK,
                                              "class": "touch-mark"}));
        if (this.box)
            this.marks.append(draw("rect", {
                x: this.box.left, y: this.box.top,
                width: this.box.right - this.box.left,
                height: this.box.bottom - this.box.top, "class": "blur-mark"}));
    }

    point(event) {
        const matrix = this.marks.getScreenCTM();
        const point = new DOMPoint(event.clientX, event.clientY)
            .matrixTransform(matrix.inverse());
        const {naturalWidth: width, naturalHeight: height} = this.image;
        return {x: Math.min(Math.max(Math.round(point.x), 0), width),
                y: Math.min(Math.max(Math.round(point.y), 0), height)};
    }

    down(event) {
        if (!this.onBox)
            return;
        event.preventDefault();
        this.marks.setPointerCapture(event.pointerId);
        this.start = this.point(event);
    }

    move(event) {
        if (!this.start)
            return;
        const end = this.point(event);
        this.box = {left: Math.min(this.start.x, end.x),
                    top: Math.min(this.start.y, end.y),
                    right: Math.max(this.start.x, end.x),
                    bottom: Math.max(this.start.y, end.y)};
        this.paint();
    }

    up() {
        const {box, onBox} = this;
        this.start = null;
        if (box && onBox && box.right > box.left && box.bottom > box.top)
            onBox(box);
    }
}

class RecordingPage {
    constructor(place, recording) {
        this.recording = recording;
        this.phone = "";
        document.title = recording + " – proctor";
        this.picture = new StepPicture();
        this.steps = new Steps({ask: (message) => this.edit(message),
                                onChoose: (step) => this.chose(step)});
        this.trouble = element("p", {"class": "trouble", role: "alert"});
        this.facts = element("p", {"class": "note", role: "status"});
        this.build(place);
        this.endings = [
            socket.on("recording", (message) => this.pushed(message)),
            socket.on("link", ({state}) => {
                if (state === "open")
                    this.read();
            }),
            registry.follow(() => this.listPhones())];
        this.read();
    }

    stop() {
        this.endings.forEach((end) => end());
    }

    /* ---- what is on the page ---- */

    tool(name, label, help, run) {
        return element("button", {type: "button", title: help,
                                  disabled: registry.isReadOnly(),
                                  onclick: run}, icon(name), label);
    }

    nameForm(field, label, run) {
        return element("form", {"class": "text-form",
                                onsubmit: (event) => {
                                    event.preventDefault();
                                    run(field.value);
                                }},
                       field, element("button", {
                           type: "submit", disabled: registry.isReadOnly()},
                                      label));
    }

    build(place) {
        const field = (label, value) => element("input", {
            type: "text", required: true, pattern: NAME, value,
            "aria-label": label, autocomplete: "off", spellcheck: "false",
            title: "small letters, digits, dots and hyphens"});
        this.nameField = field("New name", this.recording);
        this.splitField = field("Name of the second part",
                                this.recording.slice(0, 60) + "-2");
        this.description = element("p", {"class": "shot-description"});
        this.blurButton = this.tool(
            "blur", "Blur", "Draw a rectangle on the picture: it is blurred " +
            "for good", () => this.startBlur());
        this.tools = element(
            "div", {"class": "shot-tools"},
            element("div", {"class": "row"},
                    this.tool("cut", "Cut off before",
                              "Use this step and those behind it",
                              () => this.trim("from")),
                    this.tool("cut", "Cut off behind",
                              "Use this step and those before it",
                              () => this.trim("to")),
                    this.tool("restore", "Use all", "Cut off nothing",
                              () => this.trim("all")),
                    this.blurButton),
            this.nameForm(this.splitField, "Split here",
                          (name) => this.split(name)),
            this.nameForm(this.nameField, "Rename",
                          (name) => this.rename(name)));
        this.phones = element("select", {"aria-label": "Phone"});
        this.retakePlace = element(
            "form", {"class": "retake card", hidden: true,
                     onsubmit: (event) => this.retake(event)},
            element("p", {}, "The screen of this step may be wrong. Bring a " +
                    "phone to where the step begins, and take it again."),
            element("p", {"class": "row"}, this.phones,
                    element("button", {type: "submit"}, icon("screenshot"),
                            "Take it again")));
        this.task = element("section", {"class": "task-place"});
        place.replaceChildren(element(
            "section", {"class": "recording"},
            element("div", {"class": "recording-steps"},
                    element("div", {"class": "recording-head"},
                            element("h1", {}, this.recording), this.facts,
                            this.trouble),
                    this.steps.list),
            element("div", {"class": "recording-shot"}, this.description,
                    this.picture.node, this.retakePlace, this.tools),
            this.task));
        this.form = new TaskForm(this.task, this.recording, (message) => this.ask(message));
    }

    /* ---- what the server says ---- */

    ask(message) {
        return socket.ask({...message, recording: this.recording});
    }

    edit(message) {
        return this.ask(message).catch(showFailure);
    }

    read() {
        this.ask({do: "recording"}).catch((error) => {
            this.trouble.textContent = error.message;
        });
    }

    pushed(message) {
        if (message.recording !== this.recording)
            return;
        if (message.all)
            this.steps.clear();
        this.steps.update(message.steps);
        if (message.steps.length)
            this.form.fillIn();
        this.phone = message.phone;
        this.trouble.textContent = message.failure;
        const count = this.steps.count;
        this.facts.textContent = (count === 1 ? "1 step" : count + " steps") +
            ", " + (message.phone ? "being recorded"
                : message.finished ? "finished" : "not finished");
        if (this.steps.chosen < 0 && this.steps.all.length)
            this.steps.choose(this.steps.all[0].step, false);
        else if (this.steps.find(this.steps.chosen))
            this.chose(this.steps.find(this.steps.chosen));
    }

    /* ---- one step ---- */

    listPhones() {
        const now = this.phones.value;
        this.phones.replaceChildren(...registry.all()
            .filter((entry) => entry.usable && !entry.run)
            .map((entry) => element("option", {
                value: entry.phone, selected: entry.phone === now},
                                    registry.nameOf(entry), " ",
                                    entry.serial || entry.phone)));
        this.showRetake();
    }

    showRetake() {
        this.retakePlace.hidden = !this.chosen || !this.chosen.flag ||
            !this.phones.options.length || registry.isReadOnly();
    }

    async retake(event) {
        event.preventDefault();
        try {
            await this.ask({do: "record_retake", phone: this.phones.value,
                            step: this.chosen.step});
            toast("Taken again");
        } catch (error) {
            showFailure(error);
        }
    }

    chose(step) {
        this.showRetake();
        this.description.replaceChildren(
            element("b", {}, step.end ? "End" : "Step " + numberOf(step)), " ",
            step.description);
        if (!this.picture.onBox || this.picture.step.step !== step.step)
            this.endBlur();
        this.picture.show(step);
    }

    get chosen() {
        return this.steps.find(this.steps.chosen);
    }

    startBlur() {
        if (!this.chosen)
            return;
        if (this.picture.onBox) {
            this.endBlur();
            return;
        }
        this.blurButton.setAttribute("aria-pressed", "true");
        this.picture.node.classList.add("drawing");
        this.picture.onBox = (box) => this.blur(box);
        toast("Draw a rectangle on the picture. The original is deleted.");
    }

    endBlur() {
        this.blurButton.removeAttribute("aria-pressed");
        this.picture.node.classList.remove("drawing");
        this.picture.onBox = null;
        this.picture.box = null;
    }

    async blur(box) {
        const step = this.chosen.step;
        this.endBlur();
        try {
            await this.ask({do: "record_blur", step, ...box});
            toast("Blurred; the original is gone");
        } catch (error) {
            showFailure(error);
        }
    }

    async trim(way) {
        const all = this.steps.all.filter((step) => !step.end);
        const used = all.filter((step) => !step.trimmed);
        const now = this.chosen;
        if (!now || now.end || !used.length)
            return;
        const range = {from: used[0].step, to: used.at(-1).step};
        if (way === "all")
            Object.assign(range, {from: all[0].step, to: all.at(-1).step});
        else
            range[way] = now.step;
        await this.edit({do: "record_trim", ...range});
    }

    async split(name) {
        if (!this.chosen)
            return;
        try {
            await this.ask({do: "record_split", step: this.chosen.step, name});
            toast(`From step ${numberOf(this.chosen)} on it is ${name}`);
            location.hash = addressOf(name);
        } catch (error) {
            showFailure(error);
        }
    }

    async rename(name) {
        try {
            const answer = await this.ask({do: "record_rename", name});
            location.hash = addressOf(answer.recording);
        } catch (error) {
            showFailure(error);
        }
    }
}

export {RecordingPage};
