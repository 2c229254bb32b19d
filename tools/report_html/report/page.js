/*
 * Shows episodes when they are opened, and filters their list. All text goes
 * into the page as text, never as markup.
 */
import {make} from "./dom.js";
import {filmStrip} from "./film_strip.js";

const list = Array.from(document.querySelectorAll(".ep"));
const find = document.getElementById("find");
const agent = document.getElementById("agent");
const chips = Array.from(document.querySelectorAll(".chip"));
const count = document.getElementById("count");
const nothing = document.getElementById("nothing");

/* ---- pictures ---- */

const sources = new Map();

function source(number) {
    if (!sources.has(number)) {
        const held = document.getElementById("p" + number);
        sources.set(number, held
            ? "data:image/jpeg;base64," + held.textContent : "");
    }
    return sources.get(number);
}

/* ---- one episode ---- */

function need(entry, go) {
    const item = make("li");
    const text = make("div");
    const known = entry.m !== undefined;
    item.append(make("span", known ? (entry.m ? "yes" : "no") : "unknown",
                     known ? (entry.m ? "✓" : "✕") : "?"));
    text.append(document.createTextNode(entry.n || ""));
    if (entry.s !== undefined) {
        const button = make("button", "", "step " + entry.s);
        button.type = "button";
        button.addEventListener("click", () => go(entry.s));
        text.append(button);
    }
    if (entry.w) {
        text.append(make("br"), make("small", "", entry.w));
    }
    item.append(text);
    return item;
}

function needs(entries, go) {
    const box = make("ul", "needs");
    for (const entry of entries)
        box.append(need(entry, go));
    return box;
}

function show(episode) {
    const held = document.getElementById("d" + episode.id.slice(1));
    const data = {...JSON.parse(held.textContent), source};
    const body = make("div", "body");
    const film = data.steps && data.steps.length ? filmStrip(data) : null;
    const go = (n) => film && film.children[n] &&
        film.children[n].scrollIntoView({block: "nearest",
                                         inline: "start"});
    const path = make("p", "path");
    if (data.ask)
        body.append(make("blockquote", "ask", data.ask));
    if (data.why)
        body.append(make("p", "verdict", data.why));
    if (data.fail && data.fail !== data.why)
        body.append(make("p", "verdict", data.fail));
    if (data.said)
        body.append(make("p", "verdict", "It said: " + data.said));
    if (data.end && data.end !== data.why)
        body.append(make("p", "verdict", "It ended: " + data.end));
    if (data.trouble)
        body.append(make("p", "trouble", data.trouble));
    if (film)
        body.append(film);
    if (data.needs)
        body.append(needs(data.needs, go));
    if (data.checklist)
        body.append(make("p", "verdict", "Checklist, which does not decide:"),
                    needs(data.checklist, go));
    path.append(make("code", "", data.path));
    body.append(path);
    episode.append(body);
}

/* What was opened last is what a copied address leads to. */
function setAddress(episode) {
    const own = "#" + episode.id;
    if (episode.open)
        history.replaceState(null, "", own);
    else if (location.hash === own)
        history.replaceState(null, "", location.pathname + location.search);
}

function opened(event) {
    const episode = event.target;
    if (!episode.classList.contains("ep"))
        return;
    if (episode.open && !episode.querySelector(".body"))
        show(episode);
    setAddress(episode);
}

/* ---- the list ---- */

const texts = list.map((episode) =>
    (episode.textContent + " " + episode.dataset.k + " " +
     episode.querySelector(".why").title).toLowerCase());
let task = null; /* the only one shown; null: all */

function filter() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = chips.filter((chip) =>
        chip.getAttribute("aria-pressed") === "true")
        .map((chip) => chip.dataset.o);
    const row = agent ? agent.value : "";
    let shown = 0;
    list.forEach((episode, i) => {
        const fits = (!wanted.length ||
                      wanted.includes(episode.dataset.o)) &&
            (!row || episode.dataset.a === row) &&
            (task === null || episode.dataset.t === task) &&
            words.every((word) => texts[i].includes(word));
        episode.hidden = !fits;
        shown += fits;
    });
    count.textContent = shown === list.length
        ? list.length + " episodes" : shown + " of " + list.length;
    nothing.hidden = shown > 0;
}

function clear() {
    find.value = "";
    task = null;
    if (agent)
        agent.value = "";
    chips.forEach((chip) => chip.setAttribute("aria-pressed", "false"));
    filter();
}

function pickTask(name) {
    clear();
    find.value = name;
    task = name;
    filter();
}

function move(step) {
    const shown = list.filter((episode) => !episode.hidden);
    const now = shown.indexOf(document.activeElement.closest(".ep"));
    const next = shown[now < 0 ? 0 : now + step];
    if (next) {
        next.querySelector("summary").focus({preventScroll: true});
        next.scrollIntoView({block: "nearest"});
    }
}

function key(event) {
    const typing = event.target.matches("input, select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey ||
        document.querySelector("dialog[open]"))
        return;
    if (event.key === "Escape") {
        clear();
        find.blur();
    } else if (typing) {
        return;
    } else if (event.key === "/") {
        event.preventDefault();
        find.focus();
        find.select();
    } else if (event.key === "j" || event.key === "k") {
        move(event.key === "j" ? 1 : -1);
    }
}

function goTo() {
    const named = /^#e\d+$/.test(location.hash) &&
        document.getElementById(location.hash.slice(1));
    if (named) {
        named.open = true;
        named.scrollIntoView();
    }
}

list.forEach((episode) => episode.addEventListener("toggle", opened));
find.addEventListener("input", () => {
    task = null;
    filter();
});
if (agent)
    agent.addEventListener("change", filter);
chips.forEach((chip) => chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed",
                      String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
}));
document.querySelectorAll(".pick").forEach((link) =>
    link.addEventListener("click", () => pickTask(link.textContent)));
document.addEventListener("keydown", key);
window.addEventListener("hashchange", goTo);
filter();
goTo();
