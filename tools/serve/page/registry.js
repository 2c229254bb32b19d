/* What the server has reported of the phones. */
import * as socket from "./socket.js";

let phones = [];
let options = {readOnly: false, canAdd: false};
const lists = new Map(); /* by run; "": what the server has itself */
const listeners = new Set();

/* A phone that a run uses is shown as the run's. */
function merge() {
    const ofRuns = [];
    for (const [run, list] of lists) {
        if (run)
            ofRuns.push(...list);
    }
    const used = new Set(ofRuns.map((entry) => entry.serial));
    phones = (lists.get("") || []).filter((entry) => !used.has(entry.phone))
        .concat(ofRuns);
    for (const listener of Array.from(listeners))
        listener(phones);
}

socket.on("phones", (message) => {
    lists.set(message.run || "", message.phones);
    if (!message.run)
        options = {readOnly: !!message.read_only, canAdd: !!message.can_add};
    merge();
});

socket.on("gone", (message) => {
    if (message.run && lists.delete(message.run))
        merge();
});

/* The next connection reports the runs again. */
socket.on("link", ({state}) => {
    if (state !== "open")
        lists.clear();
});

/* Called with the list now and after each change; returns how to end that. */
function follow(listener) {
    listeners.add(listener);
    listener(phones);
    return () => listeners.delete(listener);
}

/* Has the server sent its list? */
const isKnown = () => lists.has("");
const all = () => phones;
const find = (phone) => phones.find((entry) => entry.phone === phone);
const isReadOnly = () => options.readOnly;
/* May phones be started, connected and paired here? */
const canAdd = () => options.canAdd && !options.readOnly;

const KINDS = {usb: "USB", network: "Wi-Fi", server: "adb server",
               builtin: "Built-in", adb: "ADB"};

/* Short facts: where it is, its Android version. */
function factsOf(phone) {
    const facts = [KINDS[phone.kind] || phone.kind];
    if (phone.android)
        facts.push("Android " + phone.android);
    if (phone.note)
        facts.push(phone.note);
    return facts;
}

const nameOf = (phone) => phone.model || phone.serial || phone.phone;

export {follow, isKnown, all, find, isReadOnly, canAdd, factsOf, nameOf};
