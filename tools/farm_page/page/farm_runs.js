/* The runs of the queue: how far each is, how fast, and what fails. */
import {element} from "./dom.js";
import {duration, many, number, speedOf} from "./farm_words.js";

const PARTS = [
    ["ended", "done"],
    ["taken", "running"],
    ["void", "void"],
    ["dropped", "cancelled"],
    ["waiting", "waiting"],
];

function stateOf(run) {
    if (run.taken)
        return "running";
    if (run.waiting)
        return "waiting";
    return run.dropped ? "cancelled" : "finished";
}

function bar(run) {
    const words = PARTS.filter(([key]) => run[key])
        .map(([key, word]) => number(run[key]) + " " + word).join(", ");
    const parts = PARTS.filter(([key]) => run[key]).map(([key]) => {
        const part = element("span", {"class": "part " + key});
        part.style.flexGrow = run[key];
        return part;
    });

    return element("div", {"class": "progress", role: "img",
                           "aria-label": words}, ...parts);
}

const counts = (run) => element(
    "ul", {"class": "counts"},
    ...PARTS.filter(([key]) => run[key] || key === "ended").map(
        ([key, word]) => element(
            "li", {"class": key},
            element("b", {}, number(run[key])),
            key === "ended" ? " of " + number(run.episodes) + " done"
                : " " + word)));

/* "1,540 per hour, 31 min left" */
function speed(run) {
    const perHour = speedOf(run);
    const left = run.waiting + run.taken;
    const words = [];

    if (perHour && left) {
        words.push(number(perHour) + " per hour");
        words.push(duration(left / perHour * 3600) + " left");
    }
    if (run.cost)
        words.push("$" + run.cost.toFixed(2) +
                   (run.max_cost ? " of $" + run.max_cost.toFixed(2) : ""));
    return words.join(", ");
}

function card(run) {
    const state = stateOf(run);

    return element(
        "li", {"class": "card run", "data-run": run.name},
        element("div", {"class": "run-head"},
                element("h2", {}, element(
                    "a", {href: "#/episodes/" + encodeURIComponent(run.name)},
                    run.name)),
                element("span", {"class": "pill", "data-state": state}, state)),
        element("p", {"class": "note"}, run.agent + ", queued by " +
                run.submitter + " " + duration(run.age_s) + " ago"),
        bar(run),
        element("div", {"class": "run-figures"}, counts(run),
                element("p", {"class": "note"}, speed(run))),
        run.unmet_needs ? element(
            "p", {"class": "trouble"},
            "waits for a worker with: " + run.unmet_needs) : null,
        run.troubled ? element(
            "p", {"class": "trouble"},
            many(run.troubled, "attempt") + " void in the last hour" +
            (run.trouble ? ": " + run.trouble : "")) : null,
        element("p", {"class": "place"}, "Recordings: ",
                element("code", {}, run.recordings.startsWith("worker:")
                    ? "kept on the workers" : run.recordings)));
}

function showRuns(farm) {
    if (!farm.runs.length)
        return [element(
            "div", {"class": "nothing"},
            element("p", {"class": "big"}, "No runs"),
            element("p", {}, "Queue one with: ",
                    element("code", {}, "proctor run … --queue URL")))];
    return [element("ul", {"class": "runs"}, ...farm.runs.map(card))];
}

export {showRuns};
