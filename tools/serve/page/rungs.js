/* The ways to get the picture of a phone: each with its figures, selectable. */
import * as registry from "./registry.js";
import * as socket from "./socket.js";
import {element} from "./dom.js";
import {showFailure} from "./toast.js";

const NAMES = {
    auto: ["Automatic", "the fastest that works, as measured"],
    builtin: ["Frame buffer", "changed areas of the built-in phone"],
    scrcpy: ["scrcpy", "video from scrcpy's server"],
    screenrecord: ["screenrecord", "video from Android's own recorder"],
    screencap: ["screencap", "single pictures, without loss"],
};

const perSecond = (fps) =>
    Math.round(fps) + (Math.round(fps) === 1 ? " picture/s" : " pictures/s");

function figures(rung) {
    const parts = [];
    if (rung.first_ms > 0)
        parts.push("first after " + Math.round(rung.first_ms) + " ms");
    if (rung.fps > 0)
        parts.push(perSecond(rung.fps));
    if (parts.length && rung.cost_ms > 0)
        parts.push("rated " + Math.round(rung.cost_ms) + " ms");
    return parts.join(", ");
}

class Rungs {
    constructor(phone, panel) {
        this.phone = phone;
        this.panel = panel;
        this.list = element("div", {"class": "rungs", role: "radiogroup",
                                    "aria-label": "Way to get the picture"});
        this.now = element("p", {"class": "note"});
        panel.replaceChildren(this.now, this.list);
    }

    option(rung, chosen) {
        const [name, words] = NAMES[rung.name] || [rung.name, ""];
        const input = element("input", {
            type: "radio", name: "rung", value: rung.name,
            checked: chosen,
            disabled: !rung.usable || registry.isReadOnly(),
            onchange: () => socket.ask({do: "rung", phone: this.phone,
                                        rung: rung.name}).catch(showFailure)});
        return element("label", {"class": "rung"}, input,
                       element("span", {}, element("b", {}, name),
                               element("small", {}, rung.usable
                                   ? figures(rung) || words
                                   : rung.why || "not available")));
    }

    show({rung, rungs, auto, fps, width, height}) {
        const [name] = NAMES[rung] || [rung || "nothing yet"];
        const state = JSON.stringify([rung, rungs, auto]);
        this.now.textContent = `${width || "?"} × ${height || "?"} by ${name}` +
            (fps > 0 ? ", " + perSecond(fps) : "");
        if (state === this.state)
            return;
        this.state = state;
        this.list.replaceChildren(
            this.option({name: "auto", usable: true}, auto),
            ...(rungs || []).map((entry) =>
                this.option(entry, !auto && entry.name === rung)));
    }
}

export {Rungs};
