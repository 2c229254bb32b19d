/*
 * The steps of a recording as a list: a picture, a description, a star, a note.
 * Arrows choose; S stars, N notes, Delete strikes out.
 */
import {element} from "./dom.js";
import {icon} from "./icons.js";

const VERBS = {star: "record_star", "delete": "record_delete"};

/* A step as a person counts it. */
const numberOf = (step) => step.step + 1;

class Steps {
    /*
     * ask(message): promise of an answer. onChoose(step): one was chosen; may
     * be missing.
     */
    constructor({ask, onChoose}) {
        this.ask = ask;
        this.onChoose = onChoose || (() => {});
        /* number: {step, node, noting}; noting: its note is being written, and
         * the node is older than the step if that has changed */
        this.items = new Map();
        this.chosen = -1;
        this.list = element("ol", {"class": "steps", "aria-label": "Steps",
                                   onkeydown: (event) => this.key(event)});
    }

    /* Steps that were done, and not taken back or deleted. */
    get count() {
        return Array.from(this.items.values()).filter(({step}) =>
            !step.end && !step.deleted && !step.undone && !step.trimmed).length;
    }

    get all() {
        return Array.from(this.items.values(), ({step}) => step)
            .sort((a, b) => a.step - b.step);
    }

    find(number) {
        return this.items.has(number) ? this.items.get(number).step : null;
    }

    /* Steps that are new or have changed. */
    update(steps) {
        const atEnd = this.list.scrollTop + this.list.clientHeight >=
            this.list.scrollHeight - 40;
        let grown = false;
        for (const step of steps)
            grown = this.place(step) || grown;
        if (grown && atEnd)
            this.list.scrollTop = this.list.scrollHeight;
        if (this.chosen < 0 && this.items.size)
            this.tabStop(this.list.firstElementChild);
    }

    clear() {
        this.items.clear();
        this.chosen = -1;
        this.list.replaceChildren();
    }

    /* True: it was not there before. */
    place(step) {
        const known = this.items.get(step.step);
        if (known && known.noting) {
            known.step = step;
            return false;
        }
        const node = this.build(step);
        const hadFocus = known && known.node.contains(document.activeElement)
            ? document.activeElement.className : null;
        if (known) {
            known.node.replaceWith(node);
        } else {
            const next = Array.from(this.list.children)
                .find((other) => Number(other.dataset.step) > step.step);
            this.list.insertBefore(node, next || null);
        }
        this.items.set(step.step, {step, node});
        if (step.step === this.chosen)
            this.mark(node);
        if (hadFocus !== null)
            (Array.from(node.querySelectorAll("button"))
                .find((button) => button.className === hadFocus) || node)
                .focus({preventScroll: true});
        return !known;
    }

    button(name, look, label, pressed, run) {
        return element("button", {type: "button", "class": "quiet " + look,
                                  title: label, "aria-label": label,
                                  "aria-pressed": pressed === undefined
                                      ? undefined : String(pressed),
                                  onclick: (event) => {
                                      event.stopPropagation();
                                      run();
                                  }}, icon(name));
    }

    build(step) {
        const gone = !step.end &&
            (step.deleted || step.undone || step.trimmed);
        const lines = [element("p", {"class": "step-description"},
                               step.end ? null : element("b", {}, String(
                                   numberOf(step)) + " "), step.description)];
        for (const node of step.waits || [])
            lines.unshift(this.nodeLine(step, node, "wait", "wait for"));
        if (step.note)
            lines.push(element("p", {"class": "step-note"}, step.note));
        for (const node of step.evidence || [])
            lines.push(this.nodeLine(step, node, "evidence", "shows the end:"));
        if (step.answer)
            lines.push(this.nodeLine(step, step.answer, "answer",
                                     "the answer:"));
        if (step.flag)
            lines.push(element("p", {"class": "step-flag"}, step.flag));
        if (gone)
            lines.push(element("p", {"class": "step-gone"},
                               step.undone ? "taken back"
                                   : step.deleted ? "deleted" : "cut off"));
        return element(
            "li", {"class": "step" + (gone ? " gone" : "") +
                       (step.starred ? " starred" : "") +
                       (step.end ? " end" : ""),
                   "data-step": step.step, tabindex: "-1",
                   onclick: () => this.choose(step.step, true)},
            element("span", {"class": "step-picture"},
                    step.picture ? element("img", {
                        src: step.picture, alt: "", loading: "lazy",
                        decoding: "async"}) : null),
            element("div", {"class": "step-text"}, ...lines),
            step.end ? null : element("div", {"class": "step-tools"},
                    this.button("star", "star", "Star: this step matters",
                                !!step.starred, () => this.turn("star", step)),
                    this.button("note", "pen", "Note", undefined,
                                () => this.note(step)),
                    this.button(step.deleted ? "restore" : "trash", "strike",
                                step.deleted ? "Bring back" : "Delete",
                                undefined, () => this.turn("delete", step))));
    }

    /* A node that was marked, which can be taken back. */
    nodeLine(step, node, what, words) {
        return element(
            "p", {"class": "step-" + what},
            words + " “" + node.description + "” ",
            this.button("close", "unmark", "Take the mark back", undefined,
                        () => this.ask({do: "record_" + what, step: step.step,
                                        x: node.x || 0, y: node.y || 0,
                                        on: false})));
    }

    turn(what, step) {
        const on = what === "star" ? !step.starred : !step.deleted;
        this.ask({do: VERBS[what], step: step.step, on});
    }

    /* A field in place of the note; Enter keeps it, Escape does not. */
    note(step) {
        const item = this.items.get(step.step);
        const {node} = item;
        if (item.noting)
            return;
        item.noting = true;
        const field = element("input", {type: "text", value: step.note || "",
                                        "aria-label": "Note for step " +
                                            numberOf(step),
                                        placeholder: "Note", maxlength: "500"});
        let done = false;
        const end = (keep) => {
            if (done)
                return;
            done = true;
            field.remove();
            node.focus({preventScroll: true});
            item.noting = false;
            if (this.items.get(step.step) === item && item.step !== step)
                this.place(item.step);
            if (keep && field.value !== (step.note || ""))
                this.ask({do: "record_note", step: step.step,
                          text: field.value});
        };
        field.addEventListener("keydown", (event) => {
            event.stopPropagation();
            if (event.key === "Enter" || event.key === "Escape")
                end(event.key === "Enter");
        });
        field.addEventListener("click", (event) => event.stopPropagation());
        field.addEventListener("blur", () => end(true));
        node.querySelector(".step-text").append(field);
        field.focus();
    }

    tabStop(node) {
        for (const other of this.list.querySelectorAll("li[tabindex='0']"))
            other.tabIndex = -1;
        node.tabIndex = 0;
    }

    mark(node) {
        for (const other of this.list.querySelectorAll(".chosen"))
            other.classList.remove("chosen");
        node.classList.add("chosen");
        this.tabStop(node);
    }

    choose(number, focus) {
        const found = this.items.get(number);
        if (!found)
            return;
        this.chosen = number;
        this.mark(found.node);
        if (focus && !found.node.contains(document.activeElement))
            found.node.focus({preventScroll: true});
        found.node.scrollIntoView({block: "nearest"});
        this.onChoose(found.step);
    }

    key(event) {
        const node = document.activeElement.closest(".step");
        const found = node && this.items.get(Number(node.dataset.step));
        const way = {ArrowDown: "nextElementSibling",
                     ArrowUp: "previousElementSibling"}[event.key];
        if (!found || event.ctrlKey || event.altKey || event.metaKey ||
            (!way && found.step.end))
            return;
        if (way && node[way])
            this.choose(Number(node[way].dataset.step), true);
        else if (event.key === "s")
            this.turn("star", found.step);
        else if (event.key === "n")
            this.note(found.step);
        else if (event.key === "Delete")
            this.turn("delete", found.step);
        else if (!way)
            return;
        event.preventDefault();
    }
}

export {Steps, numberOf};
