/*
 * The page of a farm: it asks for a snapshot each second, and shows one of its
 * views.
 */
import {element} from "./dom.js";
import {showEpisodes} from "./farm_episodes.js";
import {showPhones, stateOf} from "./farm_phones.js";
import {showRuns} from "./farm_runs.js";
import {number, speedOf} from "./farm_words.js";

const EVERY_MS = 1000;

const LINKS = {
    open: "live",
    lost: "connecting again",
    refused: "not allowed: open the address that proctor printed",
};

const content = document.getElementById("content");
const link = document.getElementById("link");
let farm = null;

function setLink(state) {
    link.dataset.state = state;
    link.textContent = LINKS[state];
}

/* ---- views ---- */

const sum = (list, of) => list.reduce((all, item) => all + (of(item) || 0), 0);

const figure = (value, words, look) => element(
    "li", {"class": "card figure " + (look || "")},
    element("b", {}, value), element("span", {}, words));

function summary() {
    const busy = farm.phones.filter((phone) => stateOf(phone) === "working");
    const silent = farm.phones.filter((phone) => stateOf(phone) === "silent");
    const troubled = sum(farm.runs, (run) => run.troubled);

    return [
        figure(number(busy.length) + " of " + number(farm.phones.length),
               "phones at work"),
        figure(number(sum(farm.runs, speedOf)), "episodes per hour"),
        figure(number(sum(farm.runs, (run) => run.waiting)),
               "episodes waiting"),
        silent.length ? figure(number(silent.length),
                               silent.length === 1 ? "phone silent"
                                                   : "phones silent", "bad")
                      : figure(number(troubled), "void in the last hour",
                               troubled ? "bad" : ""),
    ];
}

function decode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text; // "%" as it was typed
    }
}

/* "#/episodes/NAME" */
function place() {
    const [page, name] = location.hash.replace(/^#\//, "").split("/");

    return {page: ["phones", "episodes"].includes(page) ? page : "runs",
            name: decode(name || "")};
}

function views({page, name}) {
    if (page === "phones")
        return showPhones(farm);
    return page === "episodes" ? showEpisodes(farm, name) : showRuns(farm);
}

/* An element that is shown again is not moved: a list of it may be open. */
function replaceContent(elements) {
    for (const old of [...content.children]) {
        if (!elements.includes(old))
            old.remove();
    }
    elements.forEach((one, at) => {
        if (content.children[at] !== one)
            content.insertBefore(one, content.children[at] || null);
    });
}

function show() {
    const at = place();

    for (const one of document.querySelectorAll(".bar nav a")) {
        if (one.dataset.page === at.page)
            one.setAttribute("aria-current", "page");
        else
            one.removeAttribute("aria-current");
    }
    if (!farm)
        return;
    document.getElementById("summary").replaceChildren(...summary());
    replaceContent(views(at));
}

/* ---- snapshots ---- */

async function read() {
    const answer = await fetch("farm.json", {cache: "no-store"});

    if (!answer.ok) {
        setLink("refused");
        return;
    }
    const state = await answer.json();
    document.getElementById("trouble").textContent = state.trouble || "";
    setLink(state.trouble || !state.farm ? "lost" : "open");
    farm = state.farm || farm;
    show();
}

async function readAlways() {
    if (!document.hidden)
        await read().catch(() => setLink("lost"));
    setTimeout(readAlways, EVERY_MS);
}

window.addEventListener("hashchange", show);
show();
readAlways();
