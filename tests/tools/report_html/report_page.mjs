/*
 * report_page.mjs BROWSER FOLDER: the pages of reports, as a person has them.
 * pair.html has six episodes each of two agents, evil.html one whose every
 * text tries to be markup, many.html two thousand.
 */
import assert from "node:assert/strict";
import http from "node:http";
import path from "node:path";
import {chromium} from "playwright-core";

const [executablePath, folder] = process.argv.slice(2);
const HOSTILE = "</script><img src=x onerror=alert(1)>\"'&lt;";
const PATIENCE_MS = 100000;

const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
           "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
});

/* Open a page; whatever it asks for, says or pops up is an error. */
async function open(name, options = {}) {
    const context = await browser.newContext(
        {viewport: {width: 1280, height: 900}, ...options});
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const wrong = [];
    const address = "file://" + path.join(folder, name);
    page.on("request", (request) => {
        const url = request.url();
        if (url !== address && !url.startsWith("data:image/jpeg;base64,"))
            wrong.push("asked for " + url);
    });
    page.on("console", (message) => wrong.push("said " + message.text()));
    page.on("pageerror", (error) => wrong.push("threw " + error.message));
    page.on("dialog", (dialog) => {
        wrong.push("popped up " + dialog.message());
        dialog.dismiss();
    });
    await page.goto(address);
    return {page, wrong, close: async () => {
        assert.deepEqual(wrong, [], name);
        await context.close();
    }};
}

const shown = (page) => page.locator(".ep:visible").count();
const focused = (page) => page.evaluate(
    () => document.activeElement.closest(".ep")?.id);

const tests = {
    async "a strip shows what was seen, done and said"() {
        const {page, close} = await open("pair.html");
        await page.locator("#e0 summary").first().click();
        const strip = page.locator("#e0 .strip");
        await strip.locator("li").first().waitFor(); // made when it is opened
        assert.equal(await strip.locator("li").count(), 4);
        assert.match(await strip.innerText(), /a list of ways opened/);
        const image = strip.locator("img").first();
        await image.evaluate((node) => node.decode());
        assert.ok(await image.evaluate((node) => node.naturalWidth) >= 240);
        assert.ok(await strip.locator("circle.mark").count() >= 2);
        assert.ok(await strip.locator("line.mark").count() === 0);
        assert.equal(await page.locator("#e0 .needs li").count(), 2);
        await strip.locator("button.shot").nth(1).click();
        assert.ok(await page.locator("dialog").isVisible());
        await page.keyboard.press("ArrowRight");
        assert.match(await page.locator("dialog p").innerText(), /^2 /);
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({state: "hidden"});
        await close();
    },

    async "filters narrow the list, and Escape clears them"() {
        const {page, close} = await open("pair.html");
        const all = await shown(page);
        assert.equal(all, 12);
        await page.locator(".chip[data-o=success]").click();
        const succeeded = await shown(page);
        assert.ok(succeeded > 0 && succeeded < all);
        assert.equal(await page.locator(".ep:visible .tag.o-success").count(),
                     succeeded);
        assert.equal(await page.locator("#count").innerText(),
                     succeeded + " of 12");
        await page.keyboard.press("Escape");
        assert.equal(await shown(page), all);
        await page.locator("#find").fill("TASK-001 idle");
        assert.equal(await shown(page), 2);
        await page.locator("#find").fill("cheapest pair was opened");
        assert.equal(await shown(page), succeeded); // in the part that is cut
        await page.locator("#find").fill("no such thing");
        assert.equal(await shown(page), 0);
        assert.ok(await page.locator("#nothing").isVisible());
        await page.keyboard.press("Escape");
        await page.locator("#agent").selectOption({label: "able"});
        assert.equal(await shown(page), 6);
        await page.keyboard.press("Escape");
        await page.locator("#task .pick").nth(2).click();
        assert.equal(await shown(page), 4);
        await close();
    },

    async "all can be done by keys"() {
        const {page, close} = await open("pair.html");
        await page.keyboard.press("j");
        assert.equal(await focused(page), "e0");
        await page.keyboard.press("j");
        assert.equal(await focused(page), "e1");
        await page.keyboard.press("Enter");
        await page.locator("#e1 .strip").waitFor();
        await page.keyboard.press("k");
        assert.equal(await focused(page), "e0");
        await page.keyboard.press("/");
        await page.keyboard.type("jk");
        assert.equal(await page.locator("#find").inputValue(), "jk");
        await close();
    },

    async "an address opens an episode"() {
        const {page, close} = await open("pair.html");
        await page.evaluate(() => { location.hash = "#e7"; });
        await page.locator("#e7 .body").waitFor();
        await close();
    },

    async "an opened episode sets the address"() {
        const {page, close} = await open("pair.html");
        const hash = () => page.evaluate(() => location.hash);
        await page.locator("#e3 summary").first().click();
        await page.locator("#e3 .body").waitFor();
        await page.waitForURL(/#e3$/);
        await page.locator("#e3 .reply summary").first().click();
        assert.equal(await hash(), "#e3");
        await page.locator("#e5 summary").first().click();
        await page.waitForURL(/#e5$/);
        await page.locator("#e3 summary").first().click();
        await page.locator("#e3:not([open])").waitFor();
        assert.equal(await hash(), "#e5");
        await page.locator("#e5 summary").first().click();
        await page.waitForURL(/html$/);
        await close();
    },

    async "nothing is lost on paper"() {
        for (const name of ["pair.html", "many.html"]) {
            const {page, close} = await open(
                name, {viewport: {width: 718, height: 1000}}); // A4, in pixels
            await page.locator("#e0 summary").first().click();
            await page.locator("#e0 .strip li").first().waitFor();
            await page.emulateMedia({media: "print"});
            assert.deepEqual(await page.evaluate(cutOff), [], name);
            await close();
        }
    },

    async "a reason is cut behind a word"() {
        const {page, close} = await open("many.html");
        const whys = await page.locator(".why").evaluateAll((all) =>
            all.map((why) => [why.textContent, why.title]));
        assert.ok(whys.some(([, whole]) => whole));
        for (const [text, whole] of whys) {
            const shown = text.replace(/ …$/, "");
            assert.ok(!whole || (whole.startsWith(shown) &&
                                 whole[shown.length] === " "), text);
        }
        await close();
    },

    async "hostile text shows as text"() {
        const {page, close} = await open("evil.html");
        const scripts = await page.evaluate(() => document.scripts.length);
        await page.locator("#e0 summary").first().click();
        for (const part of [".ask", ".verdict", ".needs", ".words",
                            ".path"]) {
            const text = await page.locator("#e0 " + part).first().innerText();
            assert.ok(part === ".path" || text.includes(HOSTILE),
                      part + ": " + text);
        }
        await page.locator("#e0 .reply summary").first().click();
        assert.ok((await page.locator("#e0 .reply p").first().innerText())
            .includes(HOSTILE));
        assert.ok((await page.locator("#e0 .why").innerText())
            .includes(HOSTILE));
        assert.equal(await page.locator("img:not([src^='data:'])").count(), 0);
        assert.equal(await page.evaluate(() => document.scripts.length),
                     scripts);
        await close();
    },

    async "only its own script runs, and nothing is sent"() {
        let received = 0;
        const server = http.createServer((request, response) => {
            received++;
            response.end();
        });
        await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
        const {page, wrong} = await open("pair.html");
        await page.evaluate((address) => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            const image = document.createElement("img");
            image.src = address + "x.png";
            document.body.append(script, image);
            return fetch(address).catch(() => {});
        }, "http://127.0.0.1:" + server.address().port + "/");
        await page.waitForTimeout(200);
        assert.equal(await page.evaluate(() => window.ran), undefined);
        assert.equal(received, 0);
        assert.ok(wrong.some((text) => /Content Security Policy/.test(text)));
        await page.context().close();
        server.close();
    },

    async "it fits a desk and a hand, by day and by night"() {
        const pages = new Set();
        for (const width of [1280, 768, 390, 320]) {
            for (const colorScheme of ["light", "dark"]) {
                const {page, close} = await open(
                    "pair.html", {viewport: {width, height: 800}, colorScheme});
                await page.locator("#e0 summary").first().click();
                assert.ok(await page.evaluate(
                    () => document.documentElement.scrollWidth) <= width,
                          "too wide for " + width);
                pages.add(await page.evaluate(() => getComputedStyle(
                    document.body).backgroundColor));
                await close();
            }
        }
        assert.equal(pages.size, 2);
    },

    async "text stands out from what it stands on"() {
        for (const colorScheme of ["light", "dark"]) {
            const {page, close} = await open("pair.html", {colorScheme});
            const low = await page.evaluate(lowContrast);
            assert.deepEqual(low, [], colorScheme);
            await close();
        }
    },

    async "two thousand episodes are found in"() {
        const {page, close} = await open("many.html");
        assert.equal(await page.locator(".ep").count(), 2000);
        await page.locator("#find").fill("task-199");
        assert.equal(await shown(page), 10);
        await close();
    },
};

/* Runs in the page: what has more in it than it shows, or leaves the paper. */
function cutOff() {
    const lost = [];
    for (const node of document.querySelectorAll("body *")) {
        const style = getComputedStyle(node);
        const name = node.tagName + "." + node.className;
        if (!node.checkVisibility() || node.closest("script, svg"))
            continue;
        if (style.overflow !== "visible" && node.tagName !== "BUTTON" &&
            (node.scrollHeight > node.clientHeight + 1 ||
             node.scrollWidth > node.clientWidth + 1))
            lost.push(name);
        if (node.getBoundingClientRect().right > innerWidth + 1)
            lost.push(name + " is beyond the paper");
    }
    return lost.slice(0, 10);
}

/* Runs in the page: texts whose contrast is below 4.5 (WCAG AA). */
function lowContrast() {
    const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
    const light = (rgb) => {
        const [r, g, b] = rgb.map((value) => {
            const part = value / 255;
            return part <= 0.03928 ? part / 12.92
                : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (node) => {
        for (let at = node; at; at = at.parentElement) {
            const [r, g, b, a = 1] =
                parse(getComputedStyle(at).backgroundColor);
            if (a > 0)
                return [r, g, b];
        }
        return [255, 255, 255];
    };
    const low = [];
    for (const node of document.querySelectorAll("body *")) {
        const own = Array.from(node.childNodes).some(
            (child) => child.nodeType === 3 && child.data.trim());
        if (!own || !node.checkVisibility() || node.closest("script, style"))
            continue;
        const ink = light(parse(getComputedStyle(node).color).slice(0, 3));
        const page = light(ground(node));
        const ratio = (Math.max(ink, page) + 0.05) /
            (Math.min(ink, page) + 0.05);
        if (ratio < 4.5)
            low.push(node.className + " " + node.textContent.slice(0, 20) +
                     " " + ratio.toFixed(2));
    }
    return low;
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
    try {
        await test();
        console.log("ok      " + name);
    } catch (error) {
        failed++;
        console.log("FAILED  " + name + "\n" + error.stack);
    }
}
await browser.close();
process.exit(failed ? 1 : 0);
