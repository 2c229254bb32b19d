/*
 * record_hand_page.mjs BROWSER PROCTOR FOLDER: a phone over ADB is recorded on
 * its page while a person holds it. The touches and keys come from the phone.
 *
 * With RECORD_PICTURES, a picture for the documentation is put into that folder.
 */
import assert from "node:assert/strict";
import {execFile} from "node:child_process";
import {readFile} from "node:fs/promises";
import {resolve} from "node:path";
import {promisify} from "node:util";
import {finish, startRecording, steps, untilSteps} from "./record_browser.mjs";
import {endTests, open, openPhone, pointOf, runTests, start, startServer, until}
    from "./serve_browser.mjs";

const proctor = resolve(process.argv[3]);
const recordings = resolve(process.argv[4]) + "/recordings";
const run = promisify(execFile);

const phone = await start(["phone", "--port", "0", "--realtime"], /^(\d+)$/);
const serial = "127.0.0.1:" + phone.found[1];
await run(proctor, ["connect", serial]);
const server = await startServer("--recordings", recordings);
const address = server.url + "#/phone/" + encodeURIComponent(serial);

/* As a finger or a key of the phone. */
const touch = (...words) =>
    run(proctor, ["shell", "-s", serial, ["input", ...words].join(" ")]);

const ready = (page) =>
    page.getByText("ready: touch the phone itself").waitFor();

async function actions(name) {
    const text = await readFile(`${recordings}/${name}/events.jsonl`, "utf8");
    return text.trim().split("\n").map((line) => JSON.parse(line))
        .filter(({event}) => event === "action")
        .map((event) => event.action + (event.text ? " " + event.text : ""));
}

async function begin(page, name) {
    await touch("keyevent", "HOME");
    await startRecording(page, name, true);
    await ready(page);
}

const tests = {
    async "touches of the phone become steps beside it"() {
        const {page, close} = await openPhone(address);
        await begin(page, "touches");
        await touch("tap", "170", "485");
        await untilSteps(page, 1);
        await ready(page);
        await touch("swipe", "540", "1600", "540", "700", "300");
        await untilSteps(page, 2);
        await ready(page);
        await touch("keyevent", "BACK");
        await untilSteps(page, 3);
        await ready(page);
        await page.locator(".step .star").first().click();
        if (process.env.RECORD_PICTURES)
            await page.screenshot({
                path: process.env.RECORD_PICTURES + "/record-hand.png"});
        await finish(page);
        assert.deepEqual(await actions("touches"), ["click", "swipe", "back"]);
        await run(proctor, ["check", recordings + "/touches"]);
        await close();
    },

    async "a touch on the page is refused, and a step is undone"() {
        const {page, close} = await openPhone(address);
        await begin(page, "refused");
        await touch("tap", "540", "1200");
        await untilSteps(page, 1);
        await ready(page);
        await page.mouse.click(...await pointOf(page, .5, .5));
        await page.getByText("touch the phone itself", {exact: false}).last()
            .waitFor();
        await page.getByRole("button", {name: "Undo"}).click();
        await page.locator(".step.gone").waitFor();
        assert.equal(await steps(page).count(), 1);
        await finish(page);
        assert.deepEqual(await actions("refused"), ["click"]);
        await close();
    },

    async "a step whose screen was late is taken again"() {
        const {page, close} = await openPhone(address);
        await begin(page, "late");
        // Too fast for the screen in between.
        await run(proctor, ["shell", "-s", serial,
                            "input tap 170 485; input tap 540 900"]);
        await untilSteps(page, 2);
        await ready(page);
        await finish(page);
        const flagged = page.locator(".step:has(.step-flag)");
        await flagged.first().click();
        const before = await flagged.count();
        const picture = await page.locator(".shot").getAttribute("src");
        await touch("keyevent", "HOME");
        if (process.env.RECORD_PICTURES)
            await page.screenshot({
                path: process.env.RECORD_PICTURES + "/record-retake.png"});
        await page.getByRole("button", {name: "Take it again"}).click();
        await until("no flag", async () =>
            await flagged.count() === before - 1);
        await until("another picture", async () =>
            await page.locator(".shot").getAttribute("src") !== picture);
        await run(proctor, ["check", recordings + "/late"]);
        await close();
    },

    async "a built-in phone of the page has no touch screen to hold"() {
        const own = await startServer("--device", "phone");
        const {page, close} = await open(own.url);
        await page.locator(".device[data-frame]").first().waitFor();
        await page.getByRole("button", {name: "Record", exact: true}).click();
        await page.locator(".record-form").waitFor();
        assert.ok(await page.locator(".record-where").isHidden());
        await close();
        await own.stop();
    },

    /* The last: the phone is gone afterwards. */
    async "a phone that is lost ends the recording, which is kept"() {
        const {page, close} = await openPhone(address);
        await begin(page, "lost");
        await touch("tap", "540", "1200");
        await untilSteps(page, 1);
        phone.child.kill("SIGKILL");
        await until("the end of the recording", async () =>
            await page.locator(".record-form").isVisible());
        assert.deepEqual(await actions("lost"), ["click"]);
        await run(proctor, ["check", recordings + "/lost"]);
        await close();
    },
};

await runTests(tests);
await endTests(server);
