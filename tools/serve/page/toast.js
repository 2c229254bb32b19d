/* Short messages at the bottom of the page. */
import {element} from "./dom.js";

const STAY_MS = 5000;

function toast(words, kind) {
    const place = document.getElementById("toasts");
    const last = place.lastElementChild;
    if (last && last.textContent === words)
        last.remove();
    const note = element("p", {"class": "toast " + (kind || "")}, words);
    place.append(note);
    setTimeout(() => note.remove(), STAY_MS);
}

/* For a promise whose failure is to be shown. */
function showFailure(error) {
    toast(error.message, "bad");
}

export {toast, showFailure};
