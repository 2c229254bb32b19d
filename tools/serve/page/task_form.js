/*
 * A recording as a task: what it is called and asks for, the checks that its
 * stars propose, and the proof that they refuse its wrong twins.
 */
import * as registry from "./registry.js";
import * as socket from "./socket.js";
import {element} from "./dom.js";
import {NAME} from "./record.js";
import {toast} from "./toast.js";

function field(label, input, help) {
    return element("label", {"class": "field"}, element("span", {}, label),
                   input, help ? element("small", {}, help) : null);
}

const verdict = (good, words) =>
    element("td", {"class": good ? "proof-good" : "proof-bad"}, words);

/* The recording, and each twin. */
function proofTable(proof) {
    return element(
        "div", {"class": "proof-place"}, element(
            "table", {"class": "proof"},
            element("thead", {}, element("tr", {},
                                         element("th", {}, "What was done"),
                                         element("th", {}, "Checks"),
                                         element("th", {}, "Why"))),
            element("tbody", {},
                    element("tr", {}, element("th", {}, "the recording"),
                            verdict(proof.accepted, proof.accepted
                                ? "accepted" : "refused"),
                            element("td", {}, proof.reason)),
                    ...proof.twins.map((twin) => element(
                        "tr", {}, element("th", {}, twin.description),
                        verdict(twin.refused, twin.refused
                            ? "refused" : "accepted"),
                        element("td", {}, twin.reason || ""))))));
}

/* What became of the starred steps of the first of several recordings. */
function mergedTable(merged) {
    const refused = merged.accepted.map((good, i) => good ? 0 : i + 1)
        .filter(Boolean);
    return element(
        "div", {"class": "proof-place"},
        element("h3", {}, "Merged"),
        element("table", {"class": "proof merged"}, element(
            "tbody", {}, ...merged.steps.map((step) => element(
                "tr", {}, element("th", {}, step.say),
                element("td", {}, step.kind),
                element("td", {}, step.free ? "in any order" : ""))))),
        ...refused.map((number) => element(
            "p", {"class": "step-flag"},
            `Recording ${number} is not accepted by the merged checks.`)));
}

/* What the truth and the checks say of twins that were carried out. */
function twinTable({agreed, twins}) {
    return element(
        "div", {"class": "proof-place"},
        element("p", {"class": "proof-line"}, `${agreed} of ${twins.length} ` +
                "twins are judged as the truth says."),
        element("table", {"class": "proof"},
                element("thead", {}, element("tr", {},
                                             element("th", {}, "Twin"),
                                             element("th", {}, "Checks"),
                                             element("th", {}, "Truth"))),
                element("tbody", {}, ...twins.map((twin) => element(
                    "tr", {}, element("th", {}, twin.description),
                    verdict(twin.accepted === twin.right, twin.accepted
                        ? "accepted" : "refused"),
                    element("td", {}, twin.right ? "right" : "wrong"))))));
}

/* What the form shows of a task, by the names of its fields. */
function membersOf(task) {
    const {instruction, gold, budget} = task;
    const {do: ending, text: answer} = gold.at(-1);
    const both = typeof instruction === "string" ? {en: instruction}
        : instruction || {};
    return {kind: task.kind, apps: [task.app, ...task.apps || []]
                .filter(Boolean).join(", "),
            level: task.level.slice(1), en: both.en, zh: both.zh,
            steps: budget && budget.steps,
            answer: ending === "answer" ? answer : ""};
}

class TaskForm {
    /* ask(message): promise of an answer about the recording. */
    constructor(place, recording, ask) {
        const text = (name, value, more) => element("input", {
            type: "text", name, value, autocomplete: "off", ...more});
        const number = (name, min, max, more) => element("input", {
            type: "number", name, min, max, ...more});
        this.ask = ask;
        this.recording = recording;
        this.changed = new Set(["id", "suite"]);
        this.result = element("div", {"class": "task-result"});
        this.trouble = element("p", {"class": "trouble", role: "alert"});
        this.others = element("fieldset", {"class": "others", hidden: true});
        this.replace = element("input", {type: "checkbox"});
        this.save = element("button", {type: "button", "class": "main",
                                       disabled: true,
                                       onclick: () => this.store()}, "Save");
        this.form = element(
            "form", {"class": "task-form",
                     oninput: (event) => this.changed.add(event.target.name),
                     onsubmit: (event) => this.propose(event)},
            element("div", {"class": "pair-of-fields"},
                    field("Task", text("id", recording,
                                       {required: true, pattern: NAME})),
                    field("Suite", text("suite", "my-suite",
                                        {required: true, pattern: NAME}),
                          "its file is beside the folder of recordings")),
            field("Instruction, English", text("en", "")),
            field("Instruction, Chinese", text("zh", "")),
            element("div", {"class": "pair-of-fields"},
                    field("Answer", text("answer", ""),
                          "if the task asks for one: as the screen showed " +
                          "it, or what Inspect marked"),
                    field("Kind", element(
                        "select", {name: "kind"},
                        element("option", {value: "state"}, "state"),
                        element("option", {value: "process"}, "process")),
                          "state: the last screen decides; process: the " +
                          "steps count, too")),
            field("Apps", text("apps", ""), "package names, with commas"),
            element("div", {"class": "pair-of-fields"},
                    field("Level", number("level", "1", "5"),
                          "1 (easy) to 5"),
                    field("Budget", number("steps", "1", "1000",
                                           {placeholder: "15"}),
                          "how many steps an agent may take")),
            this.others, this.trouble,
            element("p", {"class": "row"},
                    element("button", {type: "submit",
                                       disabled: registry.isReadOnly()},
                            "Propose and prove checks"), this.save,
                    element("label", {"class": "replace"}, this.replace,
                            "replace a task of this name")));
        place.replaceChildren(element(
            "div", {"class": "task-card card"},
            element("h2", {}, "Save as a task"),
            element("p", {"class": "note"},
                    "Checks are proposed from the starred steps and the " +
                    "evidence, and proved on wrong twins of the recording."),
            this.form, this.result));
        this.listOthers();
    }

    /* The same task may have been recorded several times. */
    async listOthers() {
        const {recordings} = await socket.ask({do: "recordings"})
            .catch(() => ({recordings: []}));
        const others = recordings.filter(
            ({recording, steps}) => recording !== this.recording && steps);
        this.others.hidden = !others.length;
        this.others.replaceChildren(
            element("legend", {}, "Other recordings of the same task"),
            ...others.map(({recording}) => element(
                "label", {}, element("input", {type: "checkbox", name: "with",
                                               value: recording}),
                recording)));
    }

    /* Fields that the person has not changed say what the recording says. */
    async fillIn() {
        try {
            const {form} = await this.ask({do: "record_form",
                                           form: {draft: true}});
            for (const [name, value] of Object.entries(membersOf(form.task))) {
                if (!this.changed.has(name))
                    this.form.elements[name].value = value || "";
            }
        } catch {
            // It has no step yet: it is filled in with the first one.
        }
    }

    /* What the person has changed; the server fills in the rest. An answer that
     * was emptied is not the marked one, but none. */
    values() {
        const form = {};
        const data = new FormData(this.form);
        if (data.has("with"))
            form.with = data.getAll("with");
        for (const [key, value] of data) {
            const given = value.trim();
            if (key !== "with" && (given || key === "answer") &&
                this.changed.has(key))
                form[key] = key === "level" || key === "steps"
                    ? Number(given) : given;
        }
        return form;
    }

    async run(work) {
        this.trouble.textContent = "";
        try {
            await work();
        } catch (error) {
            this.trouble.textContent = error.message;
        }
    }

    propose(event) {
        event.preventDefault();
        this.save.disabled = true;
        return this.run(async () => {
            const {form} = await this.ask({do: "record_form",
                                           form: this.values()});
            this.show(form);
            this.save.disabled = registry.isReadOnly();
        });
    }

    /* On built-in phones as the one of the recording. */
    twinForm() {
        const truth = element("input", {
            type: "text", required: true, autocomplete: "off",
            "aria-label": "Truth", placeholder: "clock.alarm"});
        const button = element("button", {type: "submit"},
                               "Carry the twins out");
        const result = element("div", {});
        return element(
            "div", {"class": "twins"},
            element("h3", {}, "Twins on the phone"),
            element("p", {"class": "note"},
                    "Each twin is done on a new built-in phone, which knows " +
                    "whether a built-in task is fulfilled: name its truth."),
            element("form", {"class": "text-form", onsubmit: (event) => {
                event.preventDefault();
                button.disabled = true;
                this.run(async () => {
                    const answer = await this.ask({
                        do: "record_twins",
                        form: {...this.values(), truth: truth.value}});
                    result.replaceChildren(twinTable(answer.carried_out));
                }).finally(() => {
                    button.disabled = false;
                });
            }}, truth, button), result);
    }

    show({task, proof, warnings, merged, builtin}) {
        const count = proof.twins.length;
        this.result.replaceChildren(
            element("p", {"class": "proof-line"},
                    proof.accepted ? "The recording is accepted; "
                        : "The recording is refused; ",
                    `${proof.refused} of ${count} wrong twins are refused.`),
            ...warnings.map((words) => element("p", {"class": "step-flag"},
                                               words)),
            element("h3", {}, "Checks"),
            element("ul", {"class": "needs"}, ...proof.needs.map((need) =>
                element("li", {}, need.say, " ", element(
                    "small", {}, `refuses ${need.refuses} of ${count}`)))),
            proofTable(proof),
            merged ? mergedTable(merged) : "",
            builtin && !registry.isReadOnly() ? this.twinForm() : "",
            element("details", {}, element("summary", {}, "The task as JSON"),
                    element("pre", {}, JSON.stringify(task, null, 2))));
    }

    store() {
        for (const before of this.result.querySelectorAll(".saved"))
            before.remove();
        return this.run(async () => {
            const answer = await this.ask({do: "record_save",
                                           form: {
                                               ...this.values(),
                                               replace: this.replace.checked}});
            this.replace.checked = false;
            toast("Saved in " + answer.suite);
            this.result.prepend(element("p", {"class": "saved"}, "Saved: ",
                                        element("code", {}, answer.suite)));
        });
    }
}

export {TaskForm};
