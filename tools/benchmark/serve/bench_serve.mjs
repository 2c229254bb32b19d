/*
 * bench_serve.mjs PROCTOR: what proctor serve is like in a page of Chromium.
 * Reads the names of measurements from standard input, one a line, and prints
 * the value of each.
 */
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import readline from "node:readline";
import {chromium} from "playwright-core";
import {cpuOf, cpuOfTree, run, start, stopAll} from "./processes.mjs";

const [proctor] = process.argv.slice(2);
const METER = readFileSync(new URL("page_meter.js", import.meta.url), "utf8");
const VIEWPORT = {width: 1280, height: 900};
const SCROLL_MS = 1500;
const STOP_MS = 10000;
const IDLE_MS = 1000;
const RATE_MS = 1500; /* after which the rate in the status is 0 */
const TAPS = 3;
const VIEWERS = 10;
const PHONES = 8;
const PATIENCE_MS = 60000;

function findBrowser() {
    try {
        return execFileSync("sh", ["-c", "command -v chromium"]).toString()
            .trim();
    } catch {
        console.log("chromium is not installed");
        return process.exit(1);
    }
}

const executablePath = findBrowser();
const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
/* The built-in phone does not run the file: any will do. */
writeFileSync(join(folder, "scrcpy-server"), "PK a server");
Object.assign(process.env, {
    HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder,
    PROCTOR_LOCK_FOLDER: folder,
    ANDROID_ADB_SERVER_PORT: "1", /* no adb server answers there */
    SCRCPY_SERVER_PATH: join(folder, "scrcpy-server"),
});

const server = await chromium.launchServer({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
           "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
});
const browser = await chromium.connect(server.wsEndpoint());
const browserPid = server.process().pid;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what, is) {
    for (const end = Date.now() + PATIENCE_MS; ;) {
        const value = await is();
        if (value)
            return value;
        if (Date.now() > end)
            throw new Error("never happened: " + what);
        await pause(5);
    }
}

const median = (values) =>
    values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/* ---- servers and pages ---- */

const startServer = (...args) =>
    start(proctor, ["serve", ...args], /open (http\S+)/);

async function openPage(url) {
    const context = await browser.newContext({viewport: VIEWPORT});
    await context.addInitScript(METER);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(url);
    return page;
}

/* Without one, the page says why. */
const firstPicture = (page) => until("a picture", () => page.evaluate(
    () => window.proctorMeter.first)).catch(async (error) => {
    console.error(await page.locator("body").innerText());
    throw error;
});

/* A phone in the process of the server: changed areas of its frame buffer. */
async function startBuiltin() {
    const child = await startServer("--device", "phone");
    const url = child.found[1];
    return {child, url, serial: decodeURIComponent(url.split("#/phone/")[1]),
            stop: child.stop};
}

/* A phone in another process: H.264 from its scrcpy. */
async function startScrcpy() {
    const phone = await start(proctor, ["phone", "--realtime", "--port", "0"],
                              /^(\d+)$/);
    const serial = "127.0.0.1:" + phone.found[1];
    await run(proctor, "connect", serial);
    const child = await startServer("-s", serial);
    const page = await openPage(child.found[1].split("#")[0] + "#/");
    await page.locator(".phone-card .open").waitFor();
    await page.context().close();
    return {child, url: child.found[1], serial, stop: async () => {
        await child.stop();
        await phone.stop();
        await run(proctor, "disconnect", serial);
    }};
}

/* A path to the picture, with its page. */
const starts = {builtin: startBuiltin, scrcpy: startScrcpy};
const paths = {};
for (const [name, begin] of Object.entries(starts)) {
    paths[name] = await begin();
    paths[name].page = await openPage(paths[name].url);
    await firstPicture(paths[name].page);
}

/* On a busy computer another way may be measured as the best one. */
await paths.scrcpy.page.evaluate(async (phone) => {
    const socket = await import("./socket.js");
    await socket.ask({do: "rung", phone, rung: "scrcpy"});
}, paths.scrcpy.serial);

/* ---- a phone ---- */

const shell = (serial, command) =>
    run(proctor, "shell", "-s", serial, command);

const showShop = (serial) =>
    shell(serial, "am start -n org.proctor.shop/.MainActivity");

/* A finger that moves the list of the shop for SCROLL_MS, up or down. */
const directions = new Map();

function scroll(serial) {
    const up = !directions.get(serial);
    directions.set(serial, up);
    return shell(serial, `input swipe 500 ${up ? "1900 500 500" : "500 500 1900"}
                          ${SCROLL_MS}`.replace(/\s+/g, " "));
}

/* Wait until nothing is painted for a while. */
async function rest(page) {
    for (let last = -1, now = 0; now !== last;) {
        last = now;
        await pause(400);
        now = await page.evaluate(() => window.proctorMeter.frames.length);
    }
}

/* ---- measurements ---- */

/* If it never happens, the text of the page says why. */
async function beforeTimeout(page, what, happens) {
    let timer;
    const never = new Promise((resolve, reject) => {
        timer = setTimeout(async () => {
            console.error(await page.locator("body").innerText());
            reject(new Error("never happened: " + what));
        }, PATIENCE_MS);
    });
    return Promise.race([happens, never])
        .finally(() => clearTimeout(timer));
}

const now = (page) => page.evaluate(() => performance.now());

/* From a tap in the page to a changed pixel in the page. */
async function tap({page, serial}) {
    const times = [];
    for (let i = 0; i < TAPS; i++) {
        await shell(serial, "input keyevent HOME");
        await rest(page);
        const box = await page.locator("canvas.screen").boundingBox();
        const seen = page.evaluate(() => window.proctorMeter.awaitTap());
        await page.evaluate(() => 0); /* it waits now */
        await page.mouse.click(box.x + box.width * 0.16,
                               box.y + box.height * 0.2);
        times.push(await beforeTimeout(
            page, "a picture that the tap changed", seen));
    }
    return median(times);
}

/*
 * Frames a second of all pages while all phones scroll, and the CPU time for a
 * second of it: with that for the commands that move the fingers, but without
 * the time until a busy machine has started them.
 */
async function measureScroll(path, pages, serials, name) {
    await Promise.all(serials.map(showShop));
    await Promise.all(pages.map(rest));
    const began = await Promise.all(pages.map(now));
    const cpu = cpuOf(path.child.pid);
    const browserCpu = cpuOfTree(browserPid);
    await Promise.all(serials.map(scroll));
    const seconds = SCROLL_MS / 1000;
    values[name + ".cpu"] = 100 * (cpuOf(path.child.pid) - cpu) / seconds;
    values[name + ".browser"] =
        100 * (cpuOfTree(browserPid) - browserCpu) / seconds;
    const rates = await Promise.all(pages.map((page, i) => page.evaluate(
        ([since, ms]) => window.proctorMeter.rate(since, ms),
        [began[i], SCROLL_MS])));
    return rates.reduce((sum, rate) => sum + rate, 0);
}

async function viewers(path) {
    const pages = await Promise.all(Array.from(
        {length: VIEWERS}, () => openPage(path.url)));
    await Promise.all(pages.map(firstPicture));
    const rate = await measureScroll(path, pages, [path.serial], "ten");
    await Promise.all(pages.map((page) => page.context().close()));
    return rate / VIEWERS;
}

let wall = null;

/*
 * Phones that a page has started, on its wall. Its server knows no other ones: a
 * wall shows, and locks, all phones that are ready.
 */
async function startWall() {
    const child = await start(proctor, ["serve"], /open (http\S+)/,
                              {XDG_STATE_HOME: join(folder, "wall")});
    const page = await openPage(child.found[1]);
    await page.locator(".phones").waitFor();
    const serials = await page.evaluate(async (count) => {
        const socket = await import("./socket.js");
        const phones = [];
        for (let seed = 1; seed <= count; seed++)
            phones.push((await socket.ask({do: "start_phone", seed, skin: 0,
                locale: "en", dark: false})).phone);
        location.hash = "#/wall";
        return phones;
    }, PHONES);
    await until("all pictures", async () =>
        await page.locator(".wall .device[data-frame]").count() === PHONES);
    return {child, page, serials};
}

async function measureWall() {
    wall = wall || await startWall();
    return await measureScroll(wall, [wall.page], wall.serials, "wall") / PHONES;
}

/* A server that no page has used yet. */
async function first(begin) {
    const path = await begin();
    const page = await openPage(path.url);
    const ms = await firstPicture(page);
    await page.context().close();
    await path.stop();
    return ms;
}

/* Bytes that come while nothing changes. */
async function idle({page}) {
    const session = await page.context().newCDPSession(page);
    let bytes = 0;
    await session.send("Network.enable");
    await rest(page);
    await pause(RATE_MS);
    session.on("Network.webSocketFrameReceived", ({response}) => {
        bytes += response.payloadData.length;
    });
    await pause(IDLE_MS);
    await session.detach();
    return bytes;
}

/* ---- pages that stand still ---- */

/* Stop the scripts of the page; another one goes on. */
async function stop(path) {
    const other = await openPage(path.url);
    const session = await path.page.context().newCDPSession(path.page);
    await firstPicture(other);
    await session.send("Debugger.enable");
    await session.send("Debugger.pause");
    return {...path, other, session};
}

/*
 * How far behind the page is when it goes on while the screen scrolls: the time
 * until it shows what the other one has shown at that moment.
 */
async function goOn({page, other, session, serial}) {
    const scrolls = scroll(serial);
    await pause(SCROLL_MS / 2);
    const newest = await other.evaluate(
        () => window.proctorMeter.frames.at(-1).number);
    const began = Date.now();
    await session.send("Debugger.resume");
    const at = await until("the newest frame", () => page.evaluate(
        ([number, since]) => window.proctorMeter.paintedAt(
            number, since - performance.timeOrigin), [newest, began]));
    await scrolls;
    await session.detach();
    await other.context().close();
    return at - (began - await page.evaluate(() => performance.timeOrigin));
}

/* Both paths at the same time, since it takes long. */
async function measureStop() {
    const both = [paths.builtin, paths.scrcpy];
    await Promise.all(both.map(({serial}) => showShop(serial)));
    const stopped = await Promise.all(both.map(stop));
    for (const end = Date.now() + STOP_MS; Date.now() < end;)
        await Promise.all(both.map(({serial}) => scroll(serial)));
    const behind = await goOn(stopped[0]);
    values["scrcpy.stop"] = await goOn(stopped[1]);
    return behind;
}

const values = {};
const measurements = {
    tap: () => tap(paths.builtin),
    scroll: () => measureScroll(paths.builtin, [paths.builtin.page],
                                [paths.builtin.serial], "scroll"),
    ten: () => viewers(paths.builtin),
    wall: measureWall,
    first: () => first(startBuiltin),
    stop: measureStop,
    idle: () => idle(paths.builtin),
    "scrcpy.tap": () => tap(paths.scrcpy),
    "scrcpy.scroll": () => measureScroll(paths.scrcpy, [paths.scrcpy.page],
                                         [paths.scrcpy.serial],
                                         "scrcpy.scroll"),
    "scrcpy.first": () => first(startScrcpy),
};

async function end() {
    await browser.close();
    await server.close();
    stopAll();
    rmSync(folder, {recursive: true, force: true});
}

console.log("ready");
for await (const name of readline.createInterface({input: process.stdin})) {
    try {
        console.log(name in measurements ? await measurements[name]()
            : values[name]);
    } catch (error) {
        console.log("failed: " + error.message.split("\n")[0]);
        console.error(error);
        break;
    }
}
await end();
process.exit(0);
