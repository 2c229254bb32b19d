/* What the run that uses a phone does, in words. */
import {element} from "./dom.js";

/* "run X, agent Y, task Z, step 3 of 15" */
function runWords(run) {
    const words = ["run " + run.name, "agent " + run.agent];
    if (run.task) {
        const number = run.repeat ? " #" + (run.repeat + 1) : "";
        const attempt = run.attempt ? " try " + (run.attempt + 1) : "";
        words.push("task " + run.task + number + attempt);
        words.push(run.doing === "step"
            ? "step " + (run.step + 1) + " of " + run.steps
            : run.doing);
    }
    return words.join(", ");
}

/* Who drives a phone: the agent of a run, or what the server says. */
const driverWords = (entry, holder) =>
    entry && entry.run && holder === "an agent" ? runWords(entry.run) : holder;

/* The progress of the run; null: no run uses the phone. */
function runProgress(entry) {
    const run = entry && entry.run;
    if (!run)
        return null;
    return element(
        "div", {"class": "run-progress"},
        element("p", {"class": "run-words"}, "Used by " + runWords(run) + "."),
        run.trouble ? element("p", {"class": "trouble"}, run.trouble) : null,
        run.note ? element("p", {"class": "note"}, "Now: " + run.note) : null,
        run.last ? element("p", {"class": "run-last"},
                           "Last action: " + run.last) : null);
}

export {runWords, driverWords, runProgress};
