/* Which page is shown, and whether proctor answers. */
import * as socket from "./socket.js";
import {PhonePage} from "./phone.js";
import {PhonesPage} from "./phones.js";
import {RecordingPage} from "./recording.js";
import {RecordingsPage} from "./recordings.js";
import "./registry.js";

const LINKS = {
    open: "live",
    lost: "connecting again",
    refused: "not allowed: open the address that proctor printed",
};

const place = document.getElementById("main");
let shown = null;

function route() {
    const phone = /^#\/phone\/(.+)$/.exec(location.hash);
    const recording = /^#\/recording\/(.+)$/.exec(location.hash);
    const page = phone ? "phone" : location.hash === "#/wall" ? "wall"
        : recording || location.hash === "#/recordings" ? "recordings"
        : "phones";
    if (location.hash && !location.hash.startsWith("#/"))
        return;
    if (shown)
        shown.stop();
    document.body.dataset.page = page;
    for (const link of document.querySelectorAll(".bar nav a")) {
        if (link.dataset.page === page)
            link.setAttribute("aria-current", "page");
        else
            link.removeAttribute("aria-current");
    }
    shown = phone ? new PhonePage(place, decodeURIComponent(phone[1]))
        : recording
            ? new RecordingPage(place, decodeURIComponent(recording[1]))
        : page === "recordings" ? new RecordingsPage(place)
        : new PhonesPage(place, page === "wall");
}

const link = document.getElementById("link");
let routed = false;

socket.on("link", ({state}) => {
    link.dataset.state = state;
    link.textContent = LINKS[state];
});

/* The first list decides what the page shows. */
socket.on("phones", () => {
    if (!routed) {
        routed = true;
        route();
    }
});

window.addEventListener("hashchange", route);
socket.open();
