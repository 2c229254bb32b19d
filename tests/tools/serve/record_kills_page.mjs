/*
 * record_kills_page.mjs BROWSER PROCTOR FOLDER: while a phone over ADB is being
 * recorded, the program, the phone or the browser is killed at random moments.
 * Every step that the page has shown is on the disk, `proctor check` agrees, and
 * the recording goes on.
 *
 * With PROCTOR_FULL it is done a hundred times.
 */
import assert from "node:assert/strict";
import {execFile} from "node:child_process";
import {readFile, stat} from "node:fs/promises";
import {resolve} from "node:path";
import {promisify} from "node:util";
import {chromium} from "playwright-core";
import {finish, startRecording, steps, untilSteps} from "./record_browser.mjs";
import {browserOptions, endTests, pointOf, runTests, start, startServer, until}
    from "./serve_browser.mjs";

const proctor = resolve(process.argv[3]);
const recordings = resolve(process.argv[4]) + "/recordings";
const recording = recordings + "/killed";
const KILLS = process.env.PROCTOR_FULL ? 100 : 6;
const KINDS = ["program", "phone", "browser"];

/* Knuth's linear congruential generator: the same moments in every run. */
let state = 18n;
function randomBelow(limit) {
    state = BigInt.asUintN(64, state * 6364136223846793005n +
                               1442695040888963407n);
    return Number(state >> 33n) % limit;
}

/* ---- what is killed, and started again ---- */

const used = {program: null, phone: null, browser: null, page: null, port: "0"};

const serial = () => "127.0.0.1:" + used.port;

async function startPhone() {
    used.phone = await start(["phone", "--port", used.port], /^(\d+)$/);
    used.port = used.phone.found[1];
}

async function startProgram() {
    used.program = await startServer("--recordings", recordings);
}

async function startBrowser() {
    used.browser = await chromium.launchServer(browserOptions);
    used.client = await chromium.connect(used.browser.wsEndpoint());
}

async function kill(what) {
    if (what === "browser") {
        used.browser.process().kill("SIGKILL");
        await until("the browser to end", () => !used.client.isConnected());
        return;
    }
    used[what].child.kill("SIGKILL");
    await used[what].child.gone;
}

async function startAgain(what) {
    if (what === "phone")
        await startPhone();
    else if (what === "program")
        await startProgram();
    else
        await startBrowser();
}

/* ---- the page ---- */

async function openPage() {
    if (used.page)
        await used.page.context().close().catch(() => {});
    const context = await used.client.newContext(
        {viewport: {width: 1280, height: 900}});
    used.page = await context.newPage();
    used.page.setDefaultTimeout(60000);
    const {origin, token} = used.program;
    await used.page.goto(`${origin}/?token=${token}#/phone/` +
                         encodeURIComponent(serial()));
    await used.page.locator(".device[data-frame]").first().waitFor();
}

/* Begin it, go on with it, or take it over. */
async function record() {
    const {page} = used;
    await until("the recording", async () => {
        if (await page.getByText("Recording: what you do").count())
            return true;
        if (await page.getByText("It is being recorded.").count()) {
            await page.locator("[aria-label=Home]").click();
        } else if (await page.getByRole(
            "button", {name: "Record", exact: true}).isVisible()) {
            await startRecording(page, "killed");
        }
        return false;
    });
    await page.locator("#tab-record").click();
}

async function tapAnywhere(page) {
    await page.mouse.click(...await pointOf(
        page, 0.1 + randomBelow(80) / 100, 0.2 + randomBelow(60) / 100));
}

/* Tap; the highest number of steps that the page has shown. */
async function tapUntilKilled(shown) {
    const {page} = used;
    for (let taps = randomBelow(3); taps >= 0; taps--) {
        await tapAnywhere(page);
        // A tap on a picture that is too old is refused, and a recording ends
        // when its phone is lost: it goes on, and the person taps again.
        for (let tries = 1; taps && await steps(page).count() <= shown; tries++) {
            await page.waitForTimeout(50);
            if (tries % 50 === 0) {
                await record();
                await tapAnywhere(page);
            }
            assert.ok(tries < 2000, "no tap becomes a step");
        }
        shown = Math.max(shown, await steps(page).count());
    }
    await new Promise((resolve) => setTimeout(resolve, randomBelow(400)));
    return Math.max(shown, await steps(page).count());
}

/* ---- what is on the disk ---- */

async function checkDisk(shown) {
    await promisify(execFile)(proctor, ["check", recording]);
    const text = await readFile(recording + "/events.jsonl", "utf8");
    const events = text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
    const actions = events.filter(({event}) => event === "action");
    assert.ok(actions.length >= shown,
              `${actions.length} steps on the disk, ${shown} were shown`);
    for (const {step} of actions) {
        // A screen that was observed again has replaced the one before.
        const seen = events.findLast((event) =>
            event.event === "observation" && event.step === step);
        await stat(`${recording}/${seen.screen.file}`);
        await stat(`${recording}/${seen.tree.file}`);
    }
    return actions.length;
}

const tests = {
    async "a recording survives kills of program, phone and browser"() {
        const killed = {program: 0, phone: 0, browser: 0};
        let shown = 0, kept = 0;
        await startPhone();
        await promisify(execFile)(proctor, ["connect", serial()]);
        await startProgram();
        await startBrowser();
        for (let i = 0; i < KILLS; i++) {
            const what = KINDS[i % KINDS.length];
            await openPage();
            await record();
            await until("the steps so far", async () =>
                await steps(used.page).count() >= kept);
            shown = await tapUntilKilled(kept);
            await kill(what);
            kept = await checkDisk(shown);
            killed[what]++;
            await startAgain(what);
        }
        console.log(JSON.stringify(killed), kept, "steps");
        await openPage();
        await record();
        await untilSteps(used.page, await checkDisk(shown));
        await finish(used.page);
        await checkDisk(shown);
        await used.browser.close();
        await used.program.stop();
        await used.phone.stop();
    },
};

await runTests(tests);
endTests();
