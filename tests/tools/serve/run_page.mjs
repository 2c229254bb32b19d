/*
 * run_page.mjs BROWSER PROCTOR FOLDER: people watch a run and take over, on its
 * own page and on that of another process.
 */
import assert from "node:assert/strict";
import {readdir, readFile, rename, writeFile} from "node:fs/promises";
import {endTests, open, pixels, runTests, settled, start, startServer, tap, until}
    from "./serve_browser.mjs";

const folder = process.argv[4];
const sockets = folder + "/state/proctor/runs";
let runs = 0;

/* An agent that takes each step when the test lets it: there is a file. */
const AGENT = `n=0
while read -r line; do
    n=$((n + 1))
    while ! [ -e "$1.$n" ]; do sleep 0.02; done
    cat "$1.$n"
done`;

/* Start a run whose agent does what it is given. */
async function startRun(...options) {
    const name = "run" + ++runs;
    const steps = folder + "/" + name + "-step";
    const agent = folder + "/agent.sh";
    await writeFile(agent, AGENT);
    const child = await start(
        ["run", "phone", "-t", "settings.dark", "-o", folder + "/" + name,
         "--agent", `exec:sh ${agent} ${steps}`, ...options],
        options.includes("--serve") ? /open (http\S+)/ : /run .*: 1 task/);
    let given = 0;
    /* The file is complete when the agent sees it. */
    const step = async (line) => {
        await writeFile(steps + ".new", line + "\n");
        await rename(steps + ".new", steps + "." + ++given);
    };
    return {...child, name, url: child.found[1], step,
            result: async () => JSON.parse(await readFile(
                folder + "/" + name + "/results.jsonl", "utf8")),
            events: async () => (await readFile(folder + "/" + name +
                "/episodes/settings.dark/0/0/events.jsonl", "utf8"))
                .trim().split("\n").map((line) => JSON.parse(line))};
}

/* The page of the only phone that a run uses. */
async function openRunPhone(url, run) {
    const opened = await open(url);
    const card = opened.page.locator(".phone-card",
                                     {hasText: "run " + run.name + ","});
    const address = await card.locator("a.open").getAttribute("href");
    await opened.page.goto(new URL(address, url).href);
    await opened.page.locator(".device[data-frame]").first().waitFor();
    return opened;
}

const says = (page, text) => page.locator(".driver", {hasText: text}).waitFor();
const button = (page, name) => page.getByRole("button", {name, exact: true});

async function takeOver(page) {
    await says(page, "task settings.dark, step 1 of");
    await button(page, "Take over").click();
    await says(page, "You drive this phone.");
}

/* Tap on the screen, and go home: two actions. */
async function act(page) {
    const before = await settled(page);
    await tap(page, 0.5, 0.5);
    await page.locator("[aria-label=Home]").click();
    await until("another screen", async () => await pixels(page) !== before);
}

/* What the agent wanted was refused; then it goes on, and ends. */
async function giveBack(page, run) {
    await run.step("back");
    await page.locator(".run", {hasText: "a person drives the phone"})
        .waitFor();
    await button(page, "Give back").click();
    await says(page, "task settings.dark, step 1 of");
    await run.step("complete");
}

/* The agent, from which the phone was taken, has it again. */
async function goOn(run) {
    await run.step("back");
    await run.step("complete");
    await run.child.gone;
    assert.equal((await run.result()).ending, "complete");
    assert.deepEqual((await run.events())
        .filter((event) => event.event === "action")
        .map((event) => [event.actor, event.blocked_by || ""]),
                     [["agent", "person"], ["agent", ""]]);
}

/* The person's actions are in the record, and do not count for the agent. */
async function check(run) {
    await run.child.gone;
    const result = await run.result();
    assert.equal(result.ending, "complete");
    assert.equal(result.person_actions, 2);
    const actions = (await run.events())
        .filter((event) => event.event === "action")
        .map((event) => [event.actor, event.action, event.blocked_by || ""]);
    assert.deepEqual(actions, [["agent", "back", "person"],
                               ["human", "click", ""], ["human", "home", ""],
                               ["agent", "complete", ""]]);
}

const tests = {
    async "a person takes over on the page of the run, and gives back"() {
        const run = await startRun("--serve");
        const {page, close} = await openRunPhone(run.url, run);
        await takeOver(page);
        await act(page);
        await giveBack(page, run);
        await check(run);
        await close();
    },

    async "a person takes over by another process, and gives back"() {
        const run = await startRun();
        const server = await startServer();
        const {page, close} = await openRunPhone(server.url, run);
        await takeOver(page);
        await act(page);
        await giveBack(page, run);
        await check(run);
        await page.getByText("The run has ended").waitFor();
        assert.deepEqual(await readdir(sockets), []);
        await close();
        await server.stop();
    },

    async "another process that is killed gives the phone back"() {
        const run = await startRun();
        const server = await startServer();
        const {page, context} = await openRunPhone(server.url, run);
        await takeOver(page);
        server.child.kill("SIGKILL");
        await server.child.gone;
        await goOn(run);
        await context.close();
    },

    async "a closed tab gives the phone back, and a second page can watch"() {
        const run = await startRun("--serve");
        const first = await openRunPhone(run.url, run);
        const server = await startServer("--read-only");
        const second = await openRunPhone(server.url, run);
        await takeOver(first.page);
        await says(second.page, "This page only watches.");
        assert.equal(await button(second.page, "Take over").count(), 0);
        await first.close();
        await goOn(run);
        await second.page.getByText("The run has ended").waitFor();
        await second.close();
        await server.stop();
    },

    async "a run that is killed during a takeover is not shown any more"() {
        const run = await startRun();
        const server = await startServer();
        const {page, close} = await openRunPhone(server.url, run);
        await takeOver(page);
        run.child.kill("SIGKILL");
        await page.getByText("The run has ended").waitFor();
        await page.goto(server.origin + "/");
        await page.getByText("No phone yet").waitFor();
        await until("the socket is removed", async () =>
            !(await readdir(sockets)).length);
        await close();
        await server.stop();
    },
};

await runTests(tests);
endTests();
