/*
 * farm_page.mjs BROWSER PROCTOR FOLDER: the page of a farm, next to the
 * PostgreSQL of with-postgres.
 */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync} from "node:fs";
import {endTests, open, runTests, start, startServer, until}
    from "./serve_browser.mjs";

const proctor = process.argv[3];
const folder = process.argv[4];
const control = process.env.PROCTOR_PG_CTL;
const MARKUP = "<img src=x onerror=alert(1)>";

const urlOf = (role) =>
    `postgresql://${role}@/proctor?host=${process.env.PROCTOR_PG_SOCKET}`;
const sql = (text) => execFileSync(control, ["sql", text]).toString().trim();
const run = (...args) => execFileSync(proctor, args, {stdio: "pipe"});

/* ---- a farm: a finished run, a running one, and one that waits ---- */

run("queue", "init", urlOf("owner"));
sql("create role viewer login; grant proctor_viewer to viewer");
run("run", "phone", "--agent", "gold", "-t", "settings.dark", "-t",
    "clock.timer", "-k", "2", "--queue", urlOf("owner"), "--out",
    folder + "/gold", "--detach");
run("work", urlOf("owner"), "--device", "phone:2", "--once", "--name", MARKUP);
run("run", "phone", "--agent", "exec:sleep 1000", "-t", "settings.wifi",
    "--queue", urlOf("owner"), "--out", folder + "/slow", "--detach");
run("run", "phone", "--agent", "openai:none", "-t", "settings.dark", "-k", "9",
    "--queue", urlOf("owner"), "--out", folder + "/waits", "--detach");

const worker = await start(
    ["work", urlOf("owner"), "--device", "phone:2", "--name", MARKUP,
     "--allow-commands"], /waiting for runs/);
const server = await startServer(urlOf("viewer"));
const [gold, slow, waits] = sql("select name from proctor.runs order by id")
    .split("\n");

const live = (page) => page.locator("#link[data-state=open]").waitFor();
const card = (page, name) => page.locator(`.run[data-run="${name}"]`);

async function openFarm(options) {
    const opened = await open(server.url, options);
    await live(opened.page);
    return opened;
}

async function show(page, name) {
    await page.locator(`.bar nav a[data-page=${name}]`).click();
}

const tests = {
    "runs say how far they are": async () => {
        const {page, close} = await openFarm();
        await card(page, gold).getByText("4 of 4 done").waitFor();
        await card(page, gold).getByText("finished").waitFor();
        await card(page, slow).getByText("1 running").waitFor();
        await card(page, waits).getByText("9 waiting").waitFor();
        await card(page, waits).getByText("agent:openai").waitFor();
        await page.getByText("1 of 2", {exact: true}).waitFor();
        assert.equal(await page.locator(".run").first()
            .getAttribute("data-run"), waits);
        await close();
    },

    "phones say what they work on": async () => {
        const {page, close} = await openFarm();
        await show(page, "phones");
        const busy = page.locator(".phone-tile[data-state=working]");
        await busy.getByText("settings.wifi").waitFor();
        await busy.getByText(slow).waitFor();
        await page.locator(".phone-tile[data-state=idle]").waitFor();
        await close();
    },

    "episodes say where they are": async () => {
        const {page, close} = await openFarm();
        await card(page, gold).getByRole("link").click();
        await until("four episodes", async () =>
            await page.locator(".episode").count() === 4);
        const place = await page.locator(".episode code").first().innerText();
        assert.ok(existsSync(place.replace(/\/episodes\/.*/, "/run.json")),
                  place);
        await page.getByLabel("Run").selectOption(waits);
        await page.getByText("No episodes yet").waitFor();
        await close();
    },

    "episodes go on while a run is being chosen": async () => {
        const {page, close} = await openFarm();
        await show(page, "episodes");
        await page.getByLabel("Run").focus();
        await page.locator(".episodes").evaluate((list) => {
            list.dataset.old = "";
            document.activeElement.dataset.same = "";
        });
        await page.locator(".episodes:not([data-old])").waitFor();
        assert.ok(await page.evaluate(
            () => "same" in document.activeElement.dataset));
        await close();
    },

    "an address that names no run shows none": async () => {
        const {page, close} = await openFarm();
        await page.evaluate(() => location.hash = "#/episodes/%");
        await page.getByText("No episodes yet").waitFor();
        await close();
    },

    "texts of the database are no markup": async () => {
        const {page, close} = await openFarm();
        await show(page, "phones");
        await page.getByText(MARKUP).waitFor();
        assert.equal(await page.locator("#main img").count(), 0);
        await close();
    },

    "all views fit narrow screens": async () => {
        const {page, close} = await openFarm(
            {viewport: {width: 390, height: 800}});
        for (const name of ["runs", "phones", "episodes"]) {
            await show(page, name);
            await page.locator(".card, .phone-tile").last().waitFor();
            assert.ok(await page.evaluate(() =>
                document.documentElement.scrollWidth <= innerWidth), name);
        }
        await close();
    },

    "others cannot read it": async () => {
        const answer = await fetch(server.origin + "/farm.json");
        assert.ok(answer.status === 401 || answer.status === 403,
                  answer.status);
    },

    "a worker that is killed is shown as silent": async () => {
        const {page, close} = await openFarm();
        worker.child.kill("SIGKILL");
        await worker.child.gone;
        sql("update proctor.workers set seen = seen - interval '5 minutes'");
        await show(page, "phones");
        await page.getByText(/silent for \d/).waitFor();
        assert.equal(
            await page.locator(".phone-tile[data-state=silent]").count(), 2);
        await close();
    },

    "a database that is away is reported until it is back": async () => {
        const {page, close} = await openFarm();
        execFileSync(control, ["stop"]);
        await page.locator("#link[data-state=lost]").waitFor();
        await page.locator("#trouble").filter({hasText: /./}).waitFor();
        assert.ok(await card(page, gold).isVisible());
        execFileSync(control, ["start"]);
        await live(page);
        await close();
    },
};

await runTests(tests);
await server.stop();
await endTests();
