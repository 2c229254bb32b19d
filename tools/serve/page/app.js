/* Which page is shown, and whether proctor answers. */
import * as firstWatch from "./first_watch.js";
import * as registry from "./registry.js";
import * as socket from "./socket.js";
import {PhonePage} from "./phone.js";

const LINKS = {
    wait: "connecting",
    open: "live",
    lost: "connecting again",
    refused: "not allowed: open the address that proctor printed",
};

const place = document.getElementById("main");
const link = document.getElementById("link");
let shown = null;
let turn = 0;

/* The page of a phone waits for no other scripts; others wait for theirs. */
const load = {
    phones: async () => {
        const {PhonesPage} = await import("./phones.js");
        return () => new PhonesPage(place, false);
    },
    wall: async () => {
        const {PhonesPage} = await import("./phones.js");
        return () => new PhonesPage(place, true);
    },
    recordings: async () => {
        const {RecordingsPage} = await import("./recordings.js");
        return () => new RecordingsPage(place);
    },
    recording: async (name) => {
        const {RecordingPage} = await import("./recording.js");
        return () => new RecordingPage(place, name);
    },
};

/* The page that the address names, and of what it is. */
function address() {
    const [, name, of] = /^#\/(phone|recording)\/(.+)$/.exec(location.hash) ||
        /^#\/(wall|recordings)$/.exec(location.hash) || [null, "phones"];
    return {name, of: of && firstWatch.decodePart(of)};
}

function showNav(name) {
    document.body.dataset.page = name;
    for (const anchor of document.querySelectorAll(".bar nav a")) {
        if (anchor.dataset.page === name)
            anchor.setAttribute("aria-current", "page");
        else
            anchor.removeAttribute("aria-current");
    }
}

async function route() {
    if (location.hash && !location.hash.startsWith("#/"))
        return;
    const now = ++turn;
    const {name, of} = address();
    if (shown)
        shown.stop();
    shown = null;
    showNav(name);
    if (name === "phone") {
        shown = new PhonePage(place, of);
        return;
    }
    const make = await load[name](of);
    if (now === turn) /* else the address has changed again */
        shown = make();
}

function showLink(state) {
    link.dataset.state = state;
    link.textContent = LINKS[state];
}

/* The first list decides what the page shows. */
let isRouted = false;

function begin() {
    if (isRouted || !registry.isKnown())
        return;
    isRouted = true;
    route();
    firstWatch.drop(); /* if the page is of something else */
}

socket.on("link", ({state}) => showLink(state));
showLink(socket.link());
window.addEventListener("hashchange", route);
registry.follow(begin);
