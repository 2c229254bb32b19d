/* The phones of all workers, and what each does. */
import {element} from "./dom.js";
import {duration, many, taskWords} from "./farm_words.js";

/* An idle worker reports every 20 seconds, one that works more often. */
const SILENT_S = 90;

const KINDS = {builtin: "built-in", emulator: "emulator", real: "device"};

function stateOf(phone) {
    if (!phone.alive)
        return "silent";
    return phone.run ? "working" : "idle";
}

function tile(phone) {
    const state = stateOf(phone);

    return element(
        "li", {"class": "phone-tile", "data-state": state},
        element("p", {"class": "tile-head"},
                element("b", {}, phone.serial),
                element("span", {"class": "kind"}, KINDS[phone.kind] || "")),
        element("p", {"class": "tile-state"}, state),
        phone.run ? element("p", {"class": "tile-task"}, taskWords(phone))
                  : null,
        phone.run ? element("p", {"class": "note"}, phone.run) : null,
        phone.run && phone.lease_s < 0 ? element(
            "p", {"class": "trouble"}, "its lease ended " +
            duration(-phone.lease_s) + " ago") : null);
}

function group(worker, phones) {
    const silent = worker.silent_s > SILENT_S;

    return element(
        "section", {"class": "worker", "data-worker": worker.name},
        element("div", {"class": "worker-head"},
                element("h2", {}, worker.name),
                element("p", {"class": "note"}, many(phones.length, "phone") +
                        ", role " + worker.role)),
        silent ? element("p", {"class": "trouble"}, "silent for " +
                         duration(worker.silent_s)) : null,
        worker.trouble ? element("p", {"class": "trouble"}, worker.trouble)
                       : null,
        element("ul", {"class": "tiles"}, ...phones.map(tile)));
}

function showPhones(farm) {
    const shown = [];

    if (!farm.workers.length)
        return [element(
            "div", {"class": "nothing"},
            element("p", {"class": "big"}, "No workers"),
            element("p", {}, "Start one on a computer with phones: ",
                    element("code", {}, "proctor work URL --device …")))];
    /* Workers may have the same name; their phones are listed once. */
    for (const worker of farm.workers) {
        if (!shown.some((other) => other.name === worker.name))
            shown.push(worker);
    }
    return shown.map((worker) => group(
        worker, farm.phones.filter((phone) => phone.worker === worker.name)));
}

export {showPhones, stateOf};
