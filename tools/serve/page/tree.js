/*
 * The UI tree over the screen: hovering shows what is there, choosing shows its
 * description and selector. The list does the same by keys.
 */
import * as socket from "./socket.js";
import {draw, element} from "./dom.js";
import {showFailure, toast} from "./toast.js";

const SETTLE_MS = 500; /* the screen is read again when it rests so long */

const area = ([left, top, right, bottom]) => (right - left) * (bottom - top);
const hits = ([left, top, right, bottom], x, y) =>
    x >= left && x < right && y >= top && y < bottom;

function nameOf(node) {
    return node.text || node.desc || (node.id || "").split("/").at(-1) ||
        (node.class || "").split(".").at(-1) || "element";
}

/* What can be touched or read; the rest only holds it. */
const isWorthListing = (node) =>
    area(node.bounds) > 0 && (node.clickable || node.text || node.desc);

class Tree {
    /*
     * tap(x, y): tap there. size(): width and height of the screen. buttons(x,
     * y): more of what can be done with the element there.
     */
    constructor(phone, overlay, panel, {tap, size, buttons}) {
        this.phone = phone;
        this.size = size;
        this.buttons = buttons;
        this.overlay = overlay;
        this.panel = panel;
        this.tap = tap;
        this.nodes = [];
        this.chosen = null;
        this.isOn = false;
        this.list = element("ul", {"class": "nodes", role: "listbox",
                                   "aria-label": "Elements of the screen"});
        this.facts = element("div", {"class": "node-facts"});
        this.note = element("p", {"class": "note"});
        panel.replaceChildren(this.note, this.facts, this.list);
        overlay.addEventListener("pointermove", (event) => this.hover(event));
        overlay.addEventListener("click", (event) => this.click(event));
        this.list.addEventListener("keydown", (event) => this.key(event));
        this.say();
    }

    say() {
        this.note.textContent = this.isOn
            ? "Choose an element on the screen or in the list."
            : "";
    }

    turn(on) {
        this.isOn = on;
        this.overlay.toggleAttribute("hidden", !on);
        this.say();
        if (on) {
            this.read();
        } else {
            this.nodes = [];
            this.paint(null);
        }
    }

    /* A frame was painted: what was read may be old. */
    screenChanged() {
        if (!this.isOn)
            return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.read(), SETTLE_MS);
    }

    stop() {
        clearTimeout(this.timer);
        this.isOn = false;
    }

    async read() {
        if (this.reading)
            return;
        this.reading = true;
        try {
            const answer = await socket.ask({do: "tree", phone: this.phone});
            if (this.isOn) {
                this.nodes = answer.nodes;
                this.paint(this.size());
            }
        } catch (error) {
            this.note.textContent = error.message;
        } finally {
            this.reading = false;
        }
    }

    paint(size) {
        const key = this.chosen && JSON.stringify(this.chosen.bounds);
        this.overlay.replaceChildren();
        if (size)
            this.overlay.setAttribute("viewBox",
                                      `0 0 ${size.width} ${size.height}`);
        this.list.replaceChildren();
        for (const node of this.nodes.filter(isWorthListing)) {
            const [left, top, right, bottom] = node.bounds;
            const box = draw("rect", {x: left, y: top, width: right - left,
                                      height: bottom - top,
                                      "class": "node-box"});
            const item = element(
                "li", {role: "option", tabindex: "-1", "aria-selected": "false",
                       onclick: () => this.choose(node, true)},
                element("b", {}, nameOf(node)),
                element("span", {}, node.words || ""));
            node.box = box;
            node.item = item;
            item.node = node;
            this.overlay.append(box);
            this.list.append(item);
        }
        const again = this.nodes.find((node) => node.item &&
            JSON.stringify(node.bounds) === key);
        this.chosen = null;
        this.facts.replaceChildren();
        if (this.list.firstElementChild)
            this.list.firstElementChild.tabIndex = 0;
        if (again)
            this.choose(again, false);
    }

    /* The smallest one at the point. */
    at(event) {
        const matrix = this.overlay.getScreenCTM();
        if (!matrix)
            return null;
        const point = new DOMPoint(event.clientX, event.clientY)
            .matrixTransform(matrix.inverse());
        let found = null;
        for (const node of this.nodes) {
            if (node.box && hits(node.bounds, point.x, point.y) &&
                (!found || area(node.bounds) <= area(found.bounds)))
                found = node;
        }
        return found && {node: found, x: Math.round(point.x),
                         y: Math.round(point.y)};
    }

    hover(event) {
        const found = this.at(event);
        for (const node of this.nodes) {
            if (node.box)
                node.box.classList.toggle("hot",
                                          !!found && node === found.node);
        }
        this.overlay.style.cursor = found ? "crosshair" : "default";
        if (found)
            this.note.textContent = `${nameOf(found.node)} · ` +
                found.node.bounds.join(", ");
    }

    click(event) {
        const found = this.at(event);
        if (found)
            this.choose(found.node, true, found);
    }

    key(event) {
        const way = {ArrowDown: 1, ArrowUp: -1}[event.key];
        const now = document.activeElement;
        if (way) {
            const next = way > 0 ? now.nextElementSibling
                : now.previousElementSibling;
            event.preventDefault();
            if (next && next.node)
                this.choose(next.node, true);
        } else if (event.key === "Enter" && now.node) {
            event.preventDefault();
            this.tapNode(now.node);
        } else if (event.key === " " && now.node) {
            event.preventDefault();
            this.choose(now.node, true);
        }
    }

    tapNode(node) {
        const [left, top, right, bottom] = node.bounds;
        this.tap(Math.floor((left + right) / 2), Math.floor((top + bottom) / 2));
    }

    choose(node, focus, point) {
        if (this.chosen) {
            this.chosen.box.classList.remove("chosen");
            this.chosen.item.setAttribute("aria-selected", "false");
        }
        for (const item of this.list.children)
            item.tabIndex = item === node.item ? 0 : -1;
        this.chosen = node;
        node.box.classList.add("chosen");
        node.item.setAttribute("aria-selected", "true");
        if (focus) {
            node.item.focus({preventScroll: true});
            node.item.scrollIntoView({block: "nearest"});
        }
        this.describe(node, point);
    }

    async describe(node, point) {
        const [left, top, right, bottom] = node.bounds;
        const x = point ? point.x : Math.floor((left + right) / 2);
        const y = point ? point.y : Math.floor((top + bottom) / 2);
        try {
            const answer = await socket.ask({do: "describe", phone: this.phone,
                                             x, y});
            if (this.chosen === node)
                this.showFacts(node, answer.found, this.buttons(x, y));
        } catch (error) {
            this.facts.replaceChildren(element("p", {"class": "note"},
                                               error.message));
        }
    }

    showFacts(node, found, buttons) {
        const selector = found.selector ? JSON.stringify(found.selector) : "";
        const copy = () => navigator.clipboard.writeText(selector)
            .then(() => toast("Selector copied"), showFailure);
        this.facts.replaceChildren(
            element("p", {"class": "node-words"}, found.words),
            element("p", {"class": "selector"},
                    element("code", {}, selector || "no selector")),
            element("p", {"class": "row"},
                    element("button", {type: "button", onclick: copy,
                                       disabled: !selector}, "Copy selector"),
                    element("button", {type: "button",
                                       onclick: () => this.tapNode(node)},
                            "Tap it"), ...buttons));
        node.item.scrollIntoView({block: "nearest"});
    }
}

export {Tree};
