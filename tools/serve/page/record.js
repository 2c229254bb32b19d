/*
 * Recording on the page of a phone: what is done on the screen becomes steps
 * beside it.
 */
import * as registry from "./registry.js";
import * as socket from "./socket.js";
import {element} from "./dom.js";
import {icon} from "./icons.js";
import {Steps} from "./steps.js";
import {showFailure, toast} from "./toast.js";

const NAME = "[a-z0-9.\\-]{1,63}";

/* A name that no other recording of this minute has. */
function newName() {
    const now = new Date();
    const two = (number) => String(number).padStart(2, "0");
    return `task-${now.getFullYear()}${two(now.getMonth() + 1)}` +
        `${two(now.getDate())}-${two(now.getHours())}` +
        `${two(now.getMinutes())}${two(now.getSeconds())}`;
}

const addressOf = (recording) =>
    "#/recording/" + encodeURIComponent(recording);

class Record {
    /*
     * began(epoch): this page drives the phone, which is recorded. changed():
     * there is news of the recording.
     */
    constructor(phone, panel, {began, changed}) {
        this.phone = phone;
        this.began = began;
        this.changed = changed;
        this.recording = "";
        this.name = element("input", {
            type: "text", name: "recording", required: true, pattern: NAME,
            value: newName(), autocomplete: "off", spellcheck: "false",
            "aria-label": "Name of the recording",
            title: "small letters, digits, dots and hyphens"});
        this.where = element(
            "fieldset", {"class": "record-where"},
            element("legend", {}, "Where do you do it?"),
            this.place("page", "On this page", true),
            this.place("hand", "On the phone, in my hand", false));
        this.form = element(
            "form", {"class": "record-form",
                     onsubmit: (event) => this.begin(event)},
            element("p", {"class": "note"},
                    "Do the task once, as it should be done. Each tap, swipe " +
                    "and text becomes a step with its screen."),
            element("label", {"class": "field"},
                    element("span", {}, "Name"), this.name,
                    element("small", {}, "small letters, digits, dots and " +
                            "hyphens; an unfinished recording of this name " +
                            "goes on")),
            this.where,
            element("p", {"class": "row"},
                    element("button", {type: "submit", "class": "main"},
                            icon("record"), "Record"),
                    element("a", {href: "#/recordings"}, "All recordings")));
        this.state = element("p", {"class": "record-state", role: "status"});
        this.stopButton = this.button("stop", "Stop", () => this.end(), "main");
        this.steps = new Steps({ask: (message) => this.edit(message)});
        this.live = element(
            "div", {"class": "record-live", hidden: true},
            element("div", {"class": "record-head"}, this.state,
                    this.button("undo", "Undo", () => this.undo()),
                    this.stopButton),
            this.steps.list,
            element("p", {"class": "note"},
                    "Star the steps that matter. Inspect marks what must be " +
                    "there in the end, what to wait for, and the answer."));
        panel.replaceChildren(this.form, this.live);
        this.endings = [
            socket.on("recording", (message) => this.pushed(message)),
            socket.on("link", ({state}) => this.linkChanged(state)),
            registry.follow(() => this.show())];
    }

    button(name, label, run, look) {
        return element("button", {type: "button", "class": look || "",
                                  onclick: run}, icon(name), label);
    }

    place(value, words, isChosen) {
        return element("label", {},
                       element("input", {type: "radio", name: "where", value,
                                         checked: isChosen}),
                       words);
    }

    stop() {
        this.endings.forEach((end) => end());
    }

    /* It has no touch screen that can be held. */
    isBuiltin() {
        const entry = registry.find(this.phone);
        return !!entry && entry.kind === "builtin";
    }

    get isOn() {
        return this.recording !== "";
    }

    ask(message) {
        return socket.ask({...message, recording: this.recording});
    }

    edit(message) {
        return this.ask(message).catch(showFailure);
    }

    async begin(event) {
        event.preventDefault();
        try {
            const answer = await socket.ask({
                do: "record", phone: this.phone, recording: this.name.value,
                in_hand: this.form.elements.where.value === "hand"});
            this.began(answer.epoch);
            this.follow(answer.recording);
        } catch (error) {
            showFailure(error);
        }
    }

    /* The phone says that it is being recorded, or is not any more. */
    phoneSays(recording) {
        if (recording === this.recording)
            return;
        this.follow(recording);
        if (recording)
            this.read();
    }

    /* All steps, and each that changes from now on. */
    read() {
        this.ask({do: "recording"}).catch(showFailure);
    }

    /* A new connection follows no recording. */
    linkChanged(state) {
        if (state === "open" && this.isOn)
            this.read();
    }

    follow(recording) {
        if (recording !== this.recording)
            this.steps.clear();
        this.recording = recording;
        this.show();
    }

    pushed(message) {
        if (message.recording !== this.recording)
            return;
        if (message.all)
            this.steps.clear();
        this.steps.update(message.steps);
        this.last = message;
        this.show();
        this.changed();
        if (message.failure)
            toast(message.failure, "bad");
    }

    /* What the server has said last of this recording, or null. */
    get news() {
        return this.isOn && this.last &&
            this.last.recording === this.recording ? this.last : null;
    }

    /* Are its steps done on the phone itself? */
    get isInHand() {
        return this.news !== null && this.news.in_hand;
    }

    show() {
        const count = this.steps.count;
        const last = this.news;
        this.form.hidden = this.isOn || registry.isReadOnly();
        this.where.hidden = this.isBuiltin();
        this.live.hidden = !this.isOn;
        if (!this.isOn)
            return;
        this.state.replaceChildren(
            element("b", {}, this.recording), " ",
            (count === 1 ? "1 step" : count + " steps") + ", " +
                (this.stopButton.disabled ? "reading the last screen"
                    : last && !last.ready ? "wait for the screen"
                    : this.isInHand ? "ready: touch the phone itself"
                    : "ready"));
        this.state.dataset.ready = String(!last || last.ready);
    }

    async undo() {
        try {
            const answer = await this.ask({do: "record_undo"});
            toast(answer.restored
                ? `Step ${answer.step + 1} is undone, also on the phone`
                : answer.warning, answer.restored ? "" : "bad");
        } catch (error) {
            showFailure(error);
        }
    }

    async end() {
        const recording = this.recording;
        this.stopButton.disabled = true; /* a slow phone takes a while */
        this.show();
        try {
            await this.ask({do: "record_stop"});
            this.follow("");
            this.name.value = newName();
            location.hash = addressOf(recording);
        } catch (error) {
            showFailure(error);
        } finally {
            this.stopButton.disabled = false;
        }
    }

    /* Buttons for an element that Inspect has chosen. */
    nodeButtons(x, y) {
        if (!this.isOn)
            return [];
        const mark = (verb, words) => () =>
            this.ask({do: verb, x, y, on: true})
                .then(() => toast(words), showFailure);
        return [
            element("button", {type: "button", onclick:
                mark("record_evidence", "Marked as evidence of the end")},
                    "Evidence of the end"),
            element("button", {type: "button", onclick:
                mark("record_wait", "The next step waits for it")},
                    "Wait for it"),
            element("button", {type: "button", onclick:
                mark("record_answer", "Marked as the answer")},
                    "The answer")];
    }
}

export {Record, addressOf, NAME};
