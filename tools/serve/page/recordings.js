/* All recordings. */
import * as socket from "./socket.js";
import {element} from "./dom.js";
import {addressOf} from "./record.js";

const plural = (count, word) => count + " " + word + (count === 1 ? "" : "s");

function card(entry) {
    const facts = entry.trouble ? [] : [
        plural(entry.steps, "step"), plural(entry.stars, "star"),
        new Date(entry.started).toLocaleString()];
    return element(
        "li", {"class": "recording-card card"},
        element("span", {"class": "step-picture"}, entry.picture
            ? element("img", {src: entry.picture, alt: "", loading: "lazy"})
            : null),
        element("div", {"class": "card-text"},
                element("h2", {}, element("a", {
                    "class": "open", href: addressOf(entry.recording)},
                                          entry.recording)),
                element("ul", {"class": "facts"}, ...facts.map(
                    (fact) => element("li", {}, fact))),
                entry.trouble
                    ? element("p", {"class": "trouble"}, entry.trouble)
                    : element("p", {"class": "state", "data-state":
                                    entry.finished ? "ready" : "wait"},
                              entry.finished ? "finished"
                                  : "not finished: record again under this " +
                                    "name to go on")));
}

class RecordingsPage {
    constructor(place) {
        document.title = "Recordings – proctor";
        this.list = element("ul", {"class": "cards"});
        this.nothing = element(
            "div", {"class": "nothing", hidden: true},
            element("p", {"class": "big"}, "No recording yet"),
            element("p", {}, "Open a phone and choose Record."));
        this.trouble = element("p", {"class": "trouble", role: "alert"});
        place.replaceChildren(element(
            "section", {"class": "phones"},
            element("div", {"class": "phones-head"},
                    element("h1", {}, "Recordings")),
            this.trouble, this.nothing, this.list));
        this.ending = socket.on("link", ({state}) => {
            if (state === "open")
                this.read();
        });
        this.read();
    }

    async read() {
        try {
            const {recordings} = await socket.ask({do: "recordings"});
            this.trouble.textContent = "";
            this.nothing.hidden = recordings.length > 0;
            this.list.replaceChildren(...recordings
                .sort((a, b) => (b.started || 0) - (a.started || 0))
                .map(card));
        } catch (error) {
            this.trouble.textContent = error.message;
        }
    }

    stop() {
        this.ending();
    }
}

export {RecordingsPage};
