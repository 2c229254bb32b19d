/* The newest episodes: how they ended, where, and where their recording is. */
import {element} from "./dom.js";
import {duration, many, placeOf, taskWords} from "./farm_words.js";

const ENDINGS = {
    complete: "complete",
    answer: "answer",
    fail: "gave up",
    budget: "budget",
    repeated: "repeated",
    void: "void",
};

function row(farm, episode) {
    const run = farm.runs.find((one) => one.name === episode.run);

    return element(
        "li", {"class": "episode"},
        element("span", {"class": "pill", "data-ending": episode.ending},
                ENDINGS[episode.ending] || episode.ending),
        element("div", {"class": "episode-words"},
                element("p", {}, element("b", {}, taskWords(episode))),
                element("p", {"class": "note"}, many(episode.steps, "step") +
                        ", " + duration(episode.duration_ms / 1000) + ", " +
                        episode.worker + ", " + episode.phone),
                episode.reason && episode.ending !== "complete" ? element(
                    "p", {"class": episode.ending === "void" ? "trouble"
                                                             : "note"},
                    (episode.ending === "answer" ? "Answer: " : "") +
                    episode.reason) : null,
                element("p", {"class": "place"},
                        element("code", {}, placeOf(run, episode)))),
        element("span", {"class": "ago note"},
                duration(episode.age_s) + " ago"));
}

/* Which run: part of the address, so that it stays. */
const select = element("select", {"aria-label": "Run", onchange: () => {
    location.hash = "#/episodes" + (select.value
        ? "/" + encodeURIComponent(select.value) : "");
}});
const filters = element("div", {"class": "row filters"}, select);

/* It is the same element each time: its list may be open. */
function updateFilters(farm, chosen) {
    const names = farm.runs.map((run) => run.name);
    const listed = [...select.options].slice(1).map((option) => option.value);

    if (!select.options.length || names.join() !== listed.join())
        select.replaceChildren(
            element("option", {value: ""}, "all runs"),
            ...names.map((name) => element("option", {value: name}, name)));
    select.value = names.includes(chosen) ? chosen : "";
}

function showEpisodes(farm, chosen) {
    const shown = farm.episodes.filter(
        (episode) => !chosen || episode.run === chosen);

    updateFilters(farm, chosen);
    return [
        filters,
        shown.length ? element("ul", {"class": "card episodes"}, ...shown.map(
            (episode) => row(farm, episode)))
            : element("div", {"class": "nothing"},
                      element("p", {"class": "big"}, "No episodes yet")),
    ];
}

export {showEpisodes};
