/* A browser and servers for serve_page.mjs and record_page.mjs. */
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";
import {chromium} from "playwright-core";

export const PATIENCE_MS = Number(process.env.SERVE_PATIENCE_MS || 60000);

/* A test that takes longer hangs; the long ones are behind PROCTOR_FULL. */
const TEST_MS = (process.env.PROCTOR_FULL ? 30 : 2) * PATIENCE_MS;

const [executablePath, proctor] = process.argv.slice(2);
const children = new Set();

export const browserOptions = {
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
           "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
};
export const browser = await chromium.launch(browserOptions);

/* Start proctor, and wait for the line that matches. */
export async function start(args, pattern) {
    const child = spawn(proctor, args, {stdio: ["ignore", "pipe", "pipe"]});
    children.add(child);
    child.gone = new Promise((resolve) => child.on("exit", () => {
        children.delete(child);
        resolve();
    }));
    child.errors = "";
    const found = await new Promise((resolve, reject) => {
        const look = (line) => {
            child.errors += line + "\n";
            const match = pattern.exec(line);
            if (match)
                resolve(match);
        };
        createInterface({input: child.stdout}).on("line", look);
        createInterface({input: child.stderr}).on("line", look);
        child.on("exit", () => reject(new Error(child.errors)));
    });
    return {child, found, stop: async () => {
        child.kill("SIGINT");
        await child.gone;
        assert.ok(!/Sanitizer|runtime error/.test(child.errors), child.errors);
    }};
}

export async function startServer(...args) {
    const server = await start(["serve", ...args], /open (http\S+)/);
    const url = new URL(server.found[1]);
    return {...server, url: server.found[1], origin: url.origin,
            token: url.searchParams.get("token"), hash: url.hash};
}

function stopAll() {
    for (const child of children)
        child.kill("SIGKILL");
}

/* Wait until it is true, or returns something. */
export async function until(what, is) {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
        const value = await is();
        if (value)
            return value;
        if (Date.now() > end)
            throw new Error("never happened: " + what);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/* Open a page; whatever it says or asks another computer for is an error. */
export async function open(url, options = {}) {
    const context = options.context || await browser.newContext(
        {viewport: {width: 1280, height: 900}, ...options});
    const page = await context.newPage();
    const wrong = [];
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("console", (message) => {
        if (!/WebSocket|ERR_CONNECTION|willReadFrequently/.test(message.text()))
            wrong.push("said " + message.text());
    });
    page.on("pageerror", (error) => wrong.push("threw " + error.message));
    page.on("request", (request) => {
        const host = new URL(request.url()).origin;
        if (host !== new URL(url).origin && !request.url().startsWith("data:"))
            wrong.push("asked for " + request.url());
    });
    await page.goto(url);
    return {page, context, close: async () => {
        assert.deepEqual(wrong, []);
        await (options.context ? page.close() : context.close());
    }};
}

/* The page of a phone, with a picture. */
export async function openPhone(url, options) {
    const opened = await open(url, options);
    await opened.page.locator(".device[data-frame]").first().waitFor();
    return opened;
}

/*
 * A number that changes with the pixels of the screen. It is computed once for
 * each frame, since that takes long.
 */
export function pixels(page) {
    return page.locator("canvas.screen").evaluate((canvas) => {
        const frame = canvas.parentElement.dataset.frame;
        if (canvas.pixelSum && canvas.pixelSum.frame === frame)
            return canvas.pixelSum.sum;
        const data = canvas.getContext("2d")
            .getImageData(0, Math.floor(canvas.height * 0.05), canvas.width,
                          Math.floor(canvas.height * 0.9)).data;
        let sum = 0;
        for (let i = 0; i < data.length; i += 4)
            sum = (sum * 31 + data[i] + 7 * data[i + 1] + 13 * data[i + 2]) | 0;
        canvas.pixelSum = {frame, sum};
        return sum;
    });
}

/* Wait until the picture rests, and is without loss. */
export async function settled(page) {
    let last = await pixels(page);
    for (let same = 0; same < 10;) {
        await new Promise((resolve) => setTimeout(resolve, 80));
        const now = await pixels(page);
        same = now === last ? same + 1 : 0;
        last = now;
    }
    return last;
}

/* A point of the screen, as parts of its width and height. */
export async function pointOf(page, x, y) {
    const box = await page.locator("canvas.screen").boundingBox();
    return [box.x + box.width * x, box.y + box.height * y];
}

export async function tap(page, x, y) {
    await page.mouse.click(...await pointOf(page, x, y));
}

/* Run a command in the shell of the page. */
export async function shell(page, command) {
    await page.locator("#tab-shell").click();
    const before = await page.locator(".shell-output pre").count();
    await page.locator(".shell-line input").fill(command);
    await page.locator(".shell-line input").press("Enter");
    await until("an answer to " + command, async () =>
        await page.locator(".shell-output pre").count() > before + 1);
    return page.locator(".shell-output pre").last().innerText();
}

/* The elements that the page lists of the screen. */
export async function elements(page) {
    await page.locator("#tab-tree").click();
    if (!await page.locator(".inspect input").isChecked())
        await page.locator(".inspect input").check();
    await page.locator(".nodes li").first().waitFor();
    return page.locator(".nodes li b").allInnerTexts();
}

/* Show the home screen of an English phone, and return its pixels. */
export async function goHome(page) {
    await page.locator("[aria-label=Home]").click();
    await page.getByText("You drive this phone.").waitFor();
    await until("the home screen", async () =>
        (await elements(page)).includes("Search apps"));
    await page.locator(".inspect input").uncheck();
    return settled(page);
}

/* ---- running tests ---- */

let failed = 0;

/* Run those whose names match SERVE_TEST, or all. */
export async function runTests(tests) {
    const wanted = process.env.SERVE_TEST;
    for (const [name, run] of Object.entries(tests)) {
        if (wanted && !new RegExp(wanted).test(name))
            continue;
        const begun = Date.now();
        try {
            await Promise.race([run(), new Promise((resolve, reject) =>
                setTimeout(() => reject(new Error("it hangs")),
                           TEST_MS).unref())]);
            console.log("ok   " + name + " (" + (Date.now() - begun) + " ms)");
        } catch (error) {
            failed++;
            for (const context of browser.contexts())
                await context.close();
            console.log("FAIL " + name + ": " + error.stack);
        }
    }
    await browser.close();
}

/* The servers of the tests must have been stopped. */
export function endTests() {
    stopAll();
    process.exit(failed ? 1 : 0);
}
