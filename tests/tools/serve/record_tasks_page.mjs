/*
 * record_tasks_page.mjs BROWSER PROCTOR FOLDER: tasks are recorded by clicking,
 * starred and saved; then they are replayed, run as gold, and their proposed
 * checks judge all ways of the same task.
 *
 * Without PROCTOR_FULL it is one task. With it there are five, in English and
 * Chinese, and one is recorded with the pauses of a person, against the clock.
 */
import assert from "node:assert/strict";
import {execFile} from "node:child_process";
import {readFile, writeFile} from "node:fs/promises";
import {resolve} from "node:path";
import {promisify} from "node:util";
import {find, finish, startRecording, steps, tapName, untilSteps}
    from "./record_browser.mjs";
import {elements, endTests, open, pointOf, runTests, settled, startServer,
        until} from "./serve_browser.mjs";

const proctor = resolve(process.argv[3]);
const place = resolve(process.argv[4]);
const full = Boolean(process.env.PROCTOR_FULL);
const server = await startServer("--recordings", place + "/recordings");

const SEED = "1";
const PAIRS_MIN = 97;
const PERSON_MS = 120000;
const PAUSE_MS = 1200; // a person looks, and moves the mouse
const KEY_MS = 90;     // and types

/* ---- what a person does ---- */

const now = async () => {};
const pause = () => new Promise((done) => setTimeout(done, PAUSE_MS));

const tap = (name, star) => ({name, star, run: (page) => tapName(page, name)});
/* The one at that place of several with that name; -1: the last. */
const tapOne = (name, at, star) => ({name, star, run: async (page) => {
    await find(page, name);
    const index = (await elements(page)).map((text, i) => [text, i])
        .filter(([text]) => text === name).at(at)[1];
    const box = await page.locator(".node-box").nth(index).boundingBox();
    await page.locator(".inspect input").uncheck();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}});
const hold = (name, star) => ({name, star, run: async (page) => {
    await page.mouse.move(...await find(page, name));
    await page.mouse.down();
    await page.waitForTimeout(800);
    await page.mouse.up();
}});
const type = (text, star) => ({name: text, star, run: async (page) => {
    await page.locator("textarea.keys").focus();
    await page.keyboard.insertText(text);
}});
const enter = (star) => ({name: "Enter", star, run: async (page) => {
    await page.locator("textarea.keys").focus();
    await page.keyboard.press("Enter");
}});
const scroll = () => ({name: "scroll", run: async (page) => {
    await page.mouse.move(...await pointOf(page, 0.5, 0.8));
    await page.mouse.down();
    await page.mouse.move(...await pointOf(page, 0.5, 0.35), {steps: 25});
    await page.waitForTimeout(200); // it is not thrown
    await page.mouse.up();
}});

const STAR = true;
const TASKS = [
    {id: "settings.timeout", locale: "en", acts: [
        tap("Settings"), tap("Display"), tap("Screen timeout"),
        tap("5 minutes", STAR)]},
    {id: "shop.cheapest", locale: "en", acts: [
        tap("Shop"), tap("Search products"), type("headphones", STAR),
        enter(), tap("Sort"), tap("Price: low to high", STAR),
        tap("Stosin Wireless Headphones P285", STAR)]},
    {id: "clock.alarm", locale: "en", acts: [
        tap("Clock"), tap("Add alarm"), hold("08"), type("08", STAR),
        hold("00"), type("56", STAR), tap("OK", STAR), tap("M", STAR),
        tapOne("T", 0, STAR), tap("W", STAR), tapOne("T", 1, STAR),
        tap("F", STAR), tap("Add label"), tapOne("Add label", -1),
        type("Early shift", STAR), tap("OK", STAR)]},
    {id: "clock.city", locale: "zh", answer: "1", acts: [
        tap("时钟"), tapOne("时钟", -1), tap("添加城市"), scroll(), scroll(),
        tap("巴黎", STAR)]},
    {id: "shop.bestseller", locale: "zh", acts: [
        tap("商城"), tap("分类"), tap("手表", STAR), tap("包邮", STAR),
        tap("排序"), tap("销量", STAR), tap("丰雅闹钟 U526", STAR),
        tap("收藏", STAR)]},
];

/* ---- recording ---- */

async function startPhone(page, locale) {
    await page.getByRole("link", {name: "Phones", exact: true}).click();
    await page.getByRole("button", {name: "Built-in phone"}).click();
    const sheet = page.locator("dialog[open]");
    await sheet.locator("[name=seed]").fill(SEED);
    await sheet.locator("[name=locale]").selectOption(locale);
    await sheet.locator("[type=submit]").click();
    await page.locator(".stage .device[data-frame]").waitFor();
    await page.locator("[aria-label=Home]").click();
    await page.getByText("You drive this phone.").waitFor();
    await settled(page);
}

/* pause(): a person thinks. */
async function record(page, name, acts, pause) {
    await startRecording(page, name);
    for (const [count, act] of acts.entries()) {
        await pause();
        await act.run(page);
        await untilSteps(page, count + 1);
        await settled(page);
    }
    await finish(page);
    for (const [number, act] of acts.entries()) {
        if (!act.star)
            continue;
        await pause();
        await steps(page).nth(number).locator(".star").click();
        await page.locator(`.starred[data-step="${number}"]`).waitFor();
    }
}

async function save(page, {en, zh, answer, suite}, pause) {
    const write = async (label, text) => {
        await pause();
        await page.getByLabel(label).fill("");
        await page.getByLabel(label)
            .pressSequentially(text, {delay: pause === now ? 0 : KEY_MS});
    };
    if (en)
        await write("Instruction, English", en);
    if (zh)
        await write("Instruction, Chinese", zh);
    if (answer)
        await write("Answer", answer);
    await write("Suite", suite);
    await pause();
    await page.getByRole("button", {name: "Propose"}).click();
    await page.locator(".proof tbody tr").first().waitFor();
    await pause();
    await page.getByRole("button", {name: "Save", exact: true}).click();
    await page.locator(".saved").waitFor();
}

/* ---- what becomes of it ---- */

/* Run proctor; its output, also where it ends with another code than 0. */
async function run(...args) {
    const options = {cwd: place, maxBuffer: 1 << 26};
    try {
        return (await promisify(execFile)(proctor, args, options)).stdout;
    } catch (error) {
        assert.ok(error.code === 1 || error.code === 3,
                  `${args.join(" ")}: ${error.stderr}`);
        return error.stdout;
    }
}

async function readJson(path) {
    const read = JSON.parse(await readFile(path, "utf8"));
    return read.tasks || read;
}

async function instructionOf(task) {
    const out = `instruction-${task.id}`;
    await run("run", "phone", "--agent", "gold", "--device", "phone", "--out",
              out, "--seed", SEED, "--locale", task.locale, "-t", task.id);
    const events = await readFile(
        `${place}/${out}/episodes/${task.id}/0/0/events.jsonl`, "utf8");
    return JSON.parse(events.split("\n", 1)[0]).instruction;
}

async function checkReplays(task) {
    const {passes} = JSON.parse(await run(
        "replay", `gold/${task.id}/1`, "-n", "3", "--json"));
    assert.equal(passes.length, 3);
    for (const pass of passes)
        assert.ok(pass.done, task.id + ": " + pass.why);
}

/* The recording as the agent: the checks accept what it does. */
async function checkGold(locale) {
    const out = "gold-" + locale;
    await run("run", `own-${locale}.json`, "--agent", "gold", "--device",
              "phone", "--out", out, "--seed", SEED, "--locale", locale);
    const {episodes} = JSON.parse(await run("judge", out, "--json"));
    const own = await readJson(`${place}/own-${locale}.json`);
    assert.equal(episodes.length, own.length);
    for (const {outcome, reason} of episodes)
        assert.equal(outcome, "success", reason);
}

/*
 * The checks of the recordings in place of those that were written by hand:
 * {pairs, right} of all ways.
 */
async function judgeWays(locale) {
    const own = await readJson(`${place}/own-${locale}.json`);
    const find = (id) => own.find((task) => task.id === id);
    const tasks = (await readJson(`${process.env.SUITES}/phone.json`))
        .filter(({id}) => find(id))
        .map((task) => {
            const {needs, kind, ordered, never} = find(task.id);
            const other = {...task, needs, kind};
            delete other.ordered;
            delete other.never;
            return {...other, ...ordered && {ordered}, ...never && {never}};
        });
    const ways = (await readJson(`${process.env.SUITES}/phone.ways.json`))
        .filter(({task}) => find(task));
    await writeFile(`${place}/ways-${locale}.json`,
                    JSON.stringify({name: "ways-" + locale, tasks}));
    await writeFile(`${place}/ways-${locale}.ways.json`, JSON.stringify(ways));
    const meter = ["meter", "--suite", `ways-${locale}.json`, "--locale",
                   locale, "--seed", SEED, "--out", "meter-" + locale];
    const rows = JSON.parse(await run(...meter, "--json"));
    const row = rows.find((one) => one.judge === "rules" && one.checks ===
        "hand" && one.converter === "offline" && one.class === "all");
    if (row.pair_accuracy < 1)
        console.log(await run(...meter)); // which ones
    return {pairs: row.pairs, right: row.pairs * row.pair_accuracy};
}

/* ---- tests ---- */

const chosen = full ? TASKS : TASKS.slice(0, 1);
const tests = {};

for (const task of chosen) {
    tests[`${task.id} in ${task.locale} is recorded and replayed`] =
    async () => {
        const {page, close} = await open(server.url);
        await startPhone(page, task.locale);
        await record(page, task.id, task.acts, now);
        await save(page, {[task.locale]: await instructionOf(task),
                          answer: task.answer, suite: "own-" + task.locale},
                   now);
        await checkReplays(task);
        await close();
    };
}

tests["two recordings become one task, whose twins are carried out"] =
async () => {
    const {page, close} = await open(server.url);
    await startPhone(page, "en");
    await record(page, "timeout-again", [
        tap("Settings"), tap("Display"), tap("Screen timeout"),
        tap("5 minutes", STAR)], now);
    await page.getByLabel("Instruction, English").fill(
        "Let the screen stay on for 5 minutes.");
    await page.getByLabel("settings.timeout").check();
    await page.getByRole("button", {name: "Propose"}).click();
    await page.locator(".merged tbody tr").first().waitFor();
    assert.match(await page.locator(".merged").innerText(), /required/);
    const twins = page.locator(".twins");
    await twins.getByLabel("Truth").fill("settings.no-such-truth");
    await twins.getByRole("button").click();
    await until("a message", async () =>
        /no-such-truth/.test(await page.locator(".task-form .trouble")
            .innerText()));
    await twins.getByLabel("Truth").fill("settings.timeout");
    await twins.getByRole("button").click();
    await twins.locator(".proof tbody tr").first().waitFor();
    const [, agreed, count] = /(\d+) of (\d+) twins/.exec(
        await twins.innerText());
    assert.ok(Number(agreed) >= 3 && Number(agreed) <= Number(count));
    if (process.env.RECORD_PICTURES)
        await page.screenshot({fullPage: true, path:
            process.env.RECORD_PICTURES + "/record-twins.png"});
    await close();
};

tests["recorded tasks run as gold, and their checks judge all ways"] =
async () => {
    let pairs = 0, right = 0;
    for (const locale of new Set(chosen.map((task) => task.locale))) {
        await checkGold(locale);
        const judged = await judgeWays(locale);
        pairs += judged.pairs;
        right += judged.right;
    }
    console.log(`${Math.round(right)} of ${pairs} pairs are right`);
    assert.ok(right >= pairs * PAIRS_MIN / 100);
};

if (full) {
    tests["five steps become a task within two minutes"] = async () => {
        const {page, close} = await open(server.url);
        await startPhone(page, "en");
        const begun = Date.now();
        await record(page, "by-a-person", [
            tap("Settings"), tap("Display"), tap("Screen timeout"),
            tap("5 minutes", STAR), tap("Dark theme", STAR)], pause);
        await save(page, {en: "Let the screen stay on for 5 minutes, and " +
                              "turn on the dark theme.", suite: "quick"},
                   pause);
        const saved = Date.now();
        const {passes} = JSON.parse(await run("replay", "gold/by-a-person/1",
                                              "--json"));
        const ended = Date.now();
        assert.ok(passes[0].done, passes[0].why);
        console.log(`recorded and saved in ${saved - begun} ms, replayed in ` +
                    `${ended - saved} ms`);
        assert.ok(ended - begun <= PERSON_MS);
        await close();
    };
}

await runTests(tests);
await server.stop();
endTests();
