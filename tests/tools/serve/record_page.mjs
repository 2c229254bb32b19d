/*
 * record_page.mjs BROWSER PROCTOR FOLDER: recordings are made and edited on the
 * pages of proctor serve, as a person does it.
 *
 * With PROCTOR_FULL, a thousand taps are recorded, five in a second. With
 * RECORD_PICTURES, pictures for the documentation are put into that folder.
 */
import assert from "node:assert/strict";
import {readdir, readFile} from "node:fs/promises";
import {begin, find, finish, showSteps, steps, tapName, untilSteps}
    from "./record_browser.mjs";
import {elements, endTests, open, openPhone, pointOf, runTests, settled,
        startServer, until} from "./serve_browser.mjs";

const folder = process.argv[4] + "/recordings";
const TAPS = process.env.PROCTOR_FULL ? 1000 : 40;
const TAP_MS = process.env.PROCTOR_FULL ? 200 : 0;
const server = await startServer("--device", "phone", "--recordings", folder);

/* The events of a recording on the disk. */
async function events(name) {
    const text = await readFile(`${folder}/${name}/events.jsonl`, "utf8");
    return text.trim().split("\n").map((line) => JSON.parse(line));
}

/* Its actions as words: "click", "type hello". */
async function actions(name) {
    return (await events(name)).filter((event) => event.event === "action")
        .map((event) => event.action + (event.text ? " " + event.text : ""));
}

/*
 * The same, with the texts that follow each other as one, without what was
 * deleted: on a busy computer a pause may split them.
 */
async function joinedActions(name) {
    const joined = [];
    for (const action of await actions(name)) {
        const follows = joined.length && joined.at(-1).startsWith("type ");
        if (follows && action.startsWith("type "))
            joined.push(joined.pop() + action.slice("type ".length));
        else if (follows && action.startsWith("key "))
            joined.push(joined.pop().slice(0, -1));
        else
            joined.push(action);
    }
    return joined;
}

async function treeOf(name, step) {
    const seen = (await events(name)).find((event) =>
        event.event === "observation" && event.step === step);
    return readFile(`${folder}/${name}/${seen.tree.file}`, "utf8");
}

async function picture(page, name) {
    if (process.env.RECORD_PICTURES)
        await page.screenshot({
            path: `${process.env.RECORD_PICTURES}/${name}.png`});
}

/* Choose an element in the list of Inspect, which stays on. */
async function choose(page, name) {
    const index = (await elements(page)).indexOf(name);
    await page.locator(".nodes li").nth(index).click();
}

/* The lowest element of that name: the tab, not the title. */
async function tabOf(page, name) {
    await find(page, name);
    const index = (await elements(page)).lastIndexOf(name);
    const box = await page.locator(".node-box").nth(index).boundingBox();
    await page.locator(".inspect input").uncheck();
    return [box.x + box.width / 2, box.y + box.height / 2];
}

/* Were fingers that came down let through? One truth for each. */
function touchAnswers(page) {
    const asked = new Set();
    const answers = [];
    page.on("websocket", (socket) => {
        socket.on("framesent", ({payload}) => {
            const message = JSON.parse(payload);
            if (message.do === "touch" && message.action === "down")
                asked.add(message.id);
        });
        socket.on("framereceived", ({payload}) => {
            const message = typeof payload === "string"
                ? JSON.parse(payload) : {};
            if (asked.delete(message.id))
                answers.push(message.ok);
        });
    });
    return answers;
}

/* The taps on 9, 1, 3 and AC: each tree shows what was typed until then. */
async function checkTaps(page) {
    const all = await events("taps");
    const done = all.filter((event) => event.event === "action").slice(1);
    assert.equal(done.length, TAPS);
    const shown = ["", "9", "91", "913"];
    const pictures = new Map();
    for (const [i, event] of done.entries()) {
        const seen = all.find((other) => other.event === "observation" &&
                              other.step === event.step);
        const tree = await readFile(`${folder}/taps/${seen.tree.file}`, "utf8");
        const formula = /text="([^"]*)" resource-id="[^"]*formula"/.exec(tree);
        assert.equal(formula[1], shown[i % 4], `step ${event.step}`);
        assert.equal(event.action, "click");
        pictures.set(seen.screen.file, shown[i % 4]);
    }
    // Each picture shows one formula: the same pixels where the others differ.
    const looks = new Map();
    for (const [file, text] of pictures) {
        const look = await page.evaluate(async (url) => {
            const answer = await fetch(url);
            const bitmap = await createImageBitmap(await answer.blob());
            const canvas = new OffscreenCanvas(bitmap.width, 400);
            const context = canvas.getContext("2d");
            context.drawImage(bitmap, 0, -200);
            const {data} = context.getImageData(0, 0, bitmap.width, 400);
            let sum = 0;
            for (let at = 0; at < data.length; at += 4)
                sum = (sum * 31 + data[at] + 7 * data[at + 1]) | 0;
            return sum;
        }, `recording/taps/${file}`);
        assert.equal(looks.get(look) ?? text, text, file);
        looks.set(look, text);
    }
    assert.ok(looks.size >= 4);
}

const isWide = (page) => page.evaluate(
    () => document.documentElement.scrollWidth > window.innerWidth);

const tests = {
    async "a task becomes steps that are starred, noted, deleted and undone"() {
        const {page, close} = await openPhone(server.url);
        await begin(page, "dark-mode");
        await tapName(page, "Settings");
        await untilSteps(page, 1);
        await tapName(page, "Display");
        await untilSteps(page, 2);
        await page.locator("[aria-label=Back]").click();
        await untilSteps(page, 3);
        await showSteps(page);
        assert.match(await steps(page).nth(0).innerText(), /Settings/);
        assert.match(await steps(page).nth(2).innerText(), /Back/);
        await steps(page).nth(1).locator(".star").click();
        await page.locator(".step.starred[data-step='1']").waitFor();
        await steps(page).nth(1).locator(".pen").click();
        await page.keyboard.type("the right page");
        await page.keyboard.press("Enter");
        await page.locator(".step-note", {hasText: "the right page"}).waitFor();
        await steps(page).nth(0).locator(".strike").click();
        await page.locator(".step.gone[data-step='0']").waitFor();
        await steps(page).nth(0).locator(".strike").click();
        await page.locator(".step[data-step='0']:not(.gone)").waitFor();
        // Undo: the phone shows again what it showed before.
        await page.getByRole("button", {name: "Undo"}).click();
        await page.locator(".step.gone[data-step='2']").waitFor();
        await find(page, "Dark theme");
        await tapName(page, "Dark theme");
        await untilSteps(page, 4);
        await showSteps(page);
        await settled(page);
        await picture(page, "recording-steps");
        await finish(page);
        assert.deepEqual(await actions("dark-mode"),
                         ["click", "click", "back", "click"]);
        assert.match(await treeOf("dark-mode", 3), /Dark theme/);
        await page.getByText("3 steps, finished").waitFor();
        await close();
    },

    async "a recording goes on after the page was loaded again"() {
        const {page, close} = await openPhone(server.url);
        await begin(page, "reloaded");
        await tapName(page, "Clock");
        await untilSteps(page, 1);
        await page.reload();
        await page.locator(".device[data-frame]").waitFor();
        await untilSteps(page, 1);
        await page.getByText("It is being recorded.").waitFor();
        await page.locator("[aria-label=Home]").click();
        await untilSteps(page, 2);
        await page.getByText("Recording: what you do").waitFor();
        await tapName(page, "Calculator");
        await untilSteps(page, 3);
        await finish(page);
        assert.deepEqual(await actions("reloaded"),
                         ["click", "home", "click"]);
        await close();
    },

    async "a recording goes on after the connection was lost"() {
        const {page, close} = await openPhone(server.url);
        await page.addInitScript(() => {
            const Original = window.WebSocket;
            window.WebSocket = class extends Original {
                constructor(...args) {
                    super(...args);
                    window.lastSocket = this;
                }
            };
        });
        await page.reload();
        await page.locator(".device[data-frame]").waitFor();
        await begin(page, "connected-again");
        await tapName(page, "Clock");
        await untilSteps(page, 1);
        await page.evaluate(() => window.lastSocket.close());
        await page.getByText("It is being recorded.").waitFor();
        await page.locator("[aria-label=Home]").click();
        await untilSteps(page, 2);
        await finish(page);
        assert.deepEqual(await actions("connected-again"), ["click", "home"]);
        await close();
    },

    async "what is typed is one step, as it ends"() {
        const {page, close} = await openPhone(server.url);
        await begin(page, "typing");
        await tapName(page, "Search apps");
        await untilSteps(page, 1);
        await page.locator("textarea.keys").focus();
        await page.keyboard.type("cax");
        await page.keyboard.press("Backspace");
        await page.keyboard.insertText("你好");
        await page.keyboard.press("Backspace");
        await page.keyboard.press("Backspace");
        await page.keyboard.type("lc");
        await page.keyboard.press("Enter");
        await steps(page).getByText("Enter")
            .waitFor({state: "attached"});
        await finish(page);
        assert.deepEqual(await joinedActions("typing"),
                         ["click", "type calc", "enter"]);
        await close();
    },

    async "a password is typed into a dialog, and is stored nowhere"() {
        const secret = "correct horse";
        const {page, close} = await openPhone(server.url);
        await begin(page, "wifi");
        for (const [count, name] of ["Settings", "Network & internet", "Wi-Fi",
                                     "Mazevo-5G"].entries()) {
            await tapName(page, name);
            await untilSteps(page, count + 1);
        }
        await find(page, "Cancel"); // the dialog
        await page.locator("textarea.keys").focus();
        await page.keyboard.insertText(secret); // at once
        await untilSteps(page, 5);
        await settled(page); // the keyboard has moved the dialog
        await tapName(page, "Connect");
        await untilSteps(page, 6);
        await finish(page);
        const done = await actions("wifi");
        assert.equal(done.length, 6);
        assert.match(done[4], /^type ./);
        assert.ok(!done[4].includes("horse"));
        for (const file of await readdir(folder + "/wifi",
                                         {recursive: true})) {
            const text = await readFile(`${folder}/wifi/${file}`)
                .catch(() => ""); // a folder
            assert.ok(!text.includes(secret), file);
        }
        await close();
    },

    async "a long press and a drag are what they were"() {
        const {page, close} = await openPhone(server.url);
        await begin(page, "long-press");
        await tapName(page, "Clock");
        await untilSteps(page, 1);
        await page.mouse.click(...await tabOf(page, "Clock"));
        await untilSteps(page, 2);
        await page.mouse.move(...await find(page, "Hanoi"));
        await page.mouse.down();
        await page.waitForTimeout(800);
        await page.mouse.up();
        await untilSteps(page, 3);
        await until("the city to go", async () => {
            const names = await elements(page);
            await page.locator(".inspect input").uncheck();
            return !names.includes("Hanoi");
        });
        await page.locator("[aria-label=Home]").click();
        await untilSteps(page, 4);
        await tapName(page, "Settings");
        await untilSteps(page, 5);
        await settled(page);
        await page.mouse.move(...await pointOf(page, 0.5, 0.8));
        await page.mouse.down();
        await page.mouse.move(...await pointOf(page, 0.5, 0.3), {steps: 12});
        await page.mouse.up();
        await untilSteps(page, 6);
        await finish(page);
        assert.deepEqual(await actions("long-press"), [
            "click", "click", "long_press", "home", "click", "swipe"]);
        await close();
    },

    async "an answer that is read off the screen fills in the form"() {
        const {page, close} = await openPhone(server.url);
        const mark = async (name) => {
            await find(page, name);
            await choose(page, name);
            await page.getByRole("button", {name: "The answer"}).click();
            await page.locator(".toast", {hasText: "the answer"}).waitFor();
            await page.locator(".inspect input").uncheck();
        };
        await begin(page, "answer");
        await tapName(page, "Settings");
        await untilSteps(page, 1);
        await mark("Display");
        await tapName(page, "Display");
        await untilSteps(page, 2);
        await mark("Dark theme");
        await finish(page);
        const answer = page.locator(".step-answer");
        await answer.filter({hasText: "Dark theme"}).waitFor();
        assert.equal(await answer.count(), 1); // the one before it is none
        assert.match(await readFile(`${folder}/answer/edits.jsonl`, "utf8"),
                     /"edit":"answer".*"text":"Dark theme".*"selector":/);
        const field = page.locator(".task-form [name=answer]");
        await until("the answer in the form", async () =>
            await field.inputValue() === "Dark theme");
        await page.getByLabel("Instruction, English").fill(
            "What is the first switch of Display?");
        await page.getByRole("button", {name: "Propose"}).click();
        const json = page.locator(".task-result pre");
        await json.waitFor({state: "attached"});
        const task = JSON.parse(await json.textContent());
        assert.equal(task.answer, "Dark theme");
        assert.deepEqual(task.gold.at(-1), {
            do: "answer", text: "Dark theme", key_step: true});
        // Without it in the form, the task asks for none.
        await field.fill("");
        await page.getByRole("button", {name: "Propose"}).click();
        await page.locator(".task-form .trouble", {hasText: "star a step"})
            .waitFor();
        await answer.locator(".unmark").click();
        await until("the mark to go", async () => !await answer.count());
        await close();
    },

    async "evidence, something to wait for, and keys alone"() {
        const {page, close} = await openPhone(server.url);
        await begin(page, "evidence");
        await tapName(page, "Settings");
        await untilSteps(page, 1);
        await find(page, "Display");
        await choose(page, "Display");
        await page.getByRole("button", {name: "Wait for it"}).click();
        await page.locator(".toast", {hasText: "waits for it"}).waitFor();
        await page.getByRole("button", {name: "Evidence of the end"}).click();
        await page.locator(".toast", {hasText: "Marked"}).waitFor();
        await page.locator(".inspect input").uncheck();
        await tapName(page, "Display");
        await untilSteps(page, 2);
        await showSteps(page);
        await page.locator("[data-step='1'] .step-wait").waitFor();
        await page.locator("[data-step='1'] .step-evidence").waitFor();
        for (const mark of ["wait", "evidence"]) {
            await page.locator(`[data-step='1'] .step-${mark} .unmark`).click();
            await until("the mark to go", async () =>
                !await page.locator(`[data-step='1'] .step-${mark}`).count());
        }
        await steps(page).nth(0).focus();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("s");
        await page.locator("[data-step='1'].starred").waitFor();
        await page.keyboard.press("n");
        await page.keyboard.type("by keys");
        await page.keyboard.press("Enter");
        await page.locator(".step-note", {hasText: "by keys"}).waitFor();
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("Delete");
        await page.locator("[data-step='0'].gone").waitFor();
        await finish(page);
        await close();
    },

    async "a Chinese phone"() {
        const all = await startServer("--recordings", folder);
        const {page, close} = await open(all.url);
        await page.getByRole("button", {name: "Built-in phone"}).click();
        await page.locator("dialog[open] [name=locale]").selectOption("zh");
        await page.locator("dialog[open] [type=submit]").click();
        await page.locator(".stage .device[data-frame]").waitFor();
        await begin(page, "zh");
        await tapName(page, "设置");
        await untilSteps(page, 1);
        await tapName(page, "显示");
        await untilSteps(page, 2);
        await showSteps(page);
        assert.match(await steps(page).nth(1).innerText(), /显示/);
        await finish(page);
        assert.deepEqual(await actions("zh"), ["click", "click"]);
        await close();
        await all.stop();
    },

    async "no tap is lost or doubled, and each has its own screen"() {
        const {page, close} = await openPhone(server.url);
        const answers = touchAnswers(page);
        await page.reload();
        await page.locator(".device[data-frame]").waitFor();
        await begin(page, "taps");
        await tapName(page, "Calculator");
        await untilSteps(page, 1);
        const keys = [];
        for (const name of ["9", "1", "3", "AC"])
            keys.push(await find(page, name));
        await settled(page);
        const start = Date.now();
        let refused = 0;
        for (let i = 0; i < TAPS;) {
            const before = answers.length;
            await page.mouse.click(...keys[i % keys.length]);
            await until("an answer", () => answers.length > before);
            // The key has just changed on the screen: a person taps again.
            if (answers.at(-1))
                i++;
            else
                refused++;
            const pause = start + (i + 1) * TAP_MS - Date.now();
            if (pause > 0)
                await page.waitForTimeout(pause);
        }
        console.log(`${TAPS} taps in ${Date.now() - start} ms, ` +
                    `${refused} refused`);
        await untilSteps(page, TAPS + 1);
        await finish(page);
        await checkTaps(page);
        await close();
    },

    async "a recording is edited: cut, blurred, split, renamed"() {
        const {page, close} = await open(server.origin + "/?token=" +
                                         server.token);
        await page.goto(server.origin + "/#/recordings");
        await page.getByRole("link", {name: "long-press"}).click();
        await page.locator(".step[data-step='4']").click();
        await page.getByRole("button", {name: "Cut off behind"}).click();
        await page.locator(".step.gone[data-step='5']").waitFor();
        await page.getByRole("button", {name: "Use all"}).click();
        await page.locator(".step[data-step='5']:not(.gone)").waitFor();
        await page.locator(".step[data-step='2']").click();
        const shot = page.locator(".shot-place");
        const before = await page.locator(".shot").getAttribute("src");
        await page.getByRole("button", {name: "Blur"}).click();
        const box = await shot.boundingBox();
        await page.mouse.move(box.x + box.width * .2, box.y + box.height * .3);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * .8, box.y + box.height * .5,
                              {steps: 4});
        await picture(page, "recording-blur");
        await page.mouse.up();
        await until("another picture", async () =>
            await page.locator(".shot").getAttribute("src") !== before);
        await page.locator(".step[data-step='4']").click();
        await page.getByLabel("Name of the second part").fill("second");
        await page.getByRole("button", {name: "Split here"}).click();
        await page.getByRole("heading", {name: "second"}).waitFor();
        await page.locator(".step[data-step='1']").waitFor();
        await page.getByLabel("New name").fill("scrolled");
        await page.getByRole("button", {name: "Rename"}).click();
        await page.getByRole("heading", {name: "scrolled"}).waitFor();
        await page.locator(".step[data-step='1']").waitFor();
        assert.deepEqual(await actions("scrolled"), ["click", "swipe"]);
        await close();
    },

    async "a note is written while its step changes"() {
        const {page, context, close} = await open(
            server.origin + "/?token=" + server.token);
        let changes = 0;
        page.on("websocket", (socket) => socket.on(
            "framereceived", ({payload}) => {
                if (/"push":"recording".*"starred":true/.test(payload))
                    changes++;
            }));
        await page.goto(server.origin + "/#/recording/dark-mode");
        await page.reload();
        const step = page.locator(".step[data-step='0']");
        await step.locator(".pen").click();
        await page.keyboard.type("be");
        const before = changes;
        const other = await open(server.origin + "/#/recording/dark-mode",
                                 {context});
        await other.page.locator(".step[data-step='0'] .star").click();
        await other.page.locator(".step.starred[data-step='0']").waitFor();
        await until("the star to be pushed", () => changes > before);
        await page.keyboard.type("gins");
        await page.keyboard.press("Enter");
        await step.locator(".step-note", {hasText: "begins"}).waitFor();
        await page.locator(".step.starred[data-step='0']").waitFor();
        await other.page.locator(".step[data-step='0'] .star").click();
        await page.locator(".step[data-step='0']:not(.starred)").waitFor();
        await other.close();
        await close();
    },

    async "a recording is saved as a task with proved checks"() {
        const {page, close} = await open(server.origin + "/?token=" +
                                         server.token);
        await page.goto(server.origin + "/#/recording/dark-mode");
        await page.locator(".step[data-step='3'] .star").click();
        await page.locator(".step.starred[data-step='3']").waitFor();
        await page.getByRole("button", {name: "Propose"}).click();
        await page.locator(".task-card .trouble", {hasText: "instruction"})
            .waitFor();
        // What is not filled in is what the recording says.
        const filled = (label) => page.getByLabel(label, {exact: false})
            .first().inputValue();
        await until("the form to be filled in", async () =>
            await filled("Apps") === "com.android.settings");
        assert.equal(await filled("Kind"), "process");
        assert.equal(await filled("Level"), "1");
        await page.getByLabel("Budget").fill("20");
        await page.getByLabel("Instruction, English")
            .fill("Turn on the dark theme.");
        await page.getByRole("button", {name: "Propose"}).click();
        await page.locator(".proof tbody tr").nth(1).waitFor();
        assert.match(await page.locator(".proof tbody tr").first().innerText(),
                     /accepted/);
        await page.locator(".task-result").scrollIntoViewIfNeeded();
        await picture(page, "recording-proof");
        await page.getByRole("button", {name: "Save", exact: true}).click();
        await page.locator(".saved").waitFor();
        await page.getByRole("button", {name: "Save", exact: true}).click();
        await page.locator(".task-card .trouble", {hasText: "already"})
            .waitFor();
        await page.getByLabel("replace a task").check();
        await page.getByRole("button", {name: "Save", exact: true}).click();
        await until("it to be replaced", async () =>
            !await page.getByLabel("replace a task").isChecked());
        const suite = JSON.parse(await readFile(
            process.argv[4] + "/my-suite.json", "utf8"));
        const [task] = suite.tasks || suite;
        assert.equal(task.instruction, "Turn on the dark theme.");
        assert.equal(task.app, "com.android.settings");
        assert.equal(task.kind, "process");
        assert.equal(task.level, "L1");
        assert.equal(task.budget.steps, 20);
        await close();
    },

    async "pages fit from 390 to 2560 pixels, light and dark"() {
        for (const [colorScheme, widths] of [["light", [390, 1280, 2560]],
                                             ["dark", [820]]]) {
            for (const width of widths) {
                const {page, close} = await open(
                    server.origin + "/?token=" + server.token,
                    {colorScheme, viewport: {width, height: 844}});
                await page.goto(server.origin + "/#/recordings");
                await page.locator(".recording-card").first().waitFor();
                assert.equal(await isWide(page), false, "list " + width);
                await page.goto(server.origin + "/#/recording/dark-mode");
                await page.locator(".step.chosen").waitFor();
                await until("the picture", () => page.locator(".shot").evaluate(
                    (image) => image.complete && image.naturalWidth > 0));
                assert.equal(await isWide(page), false, "recording " + width);
                await picture(page, `recording-${colorScheme}-${width}`);
                await close();
            }
        }
    },

    async "pictures need the session, and lead nowhere else"() {
        const {page, close} = await open(server.origin + "/?token=" +
                                         server.token);
        const status = async (path) =>
            (await page.request.get(server.origin + path)).status();
        const seen = (await events("dark-mode")).find((event) => event.screen);
        const path = "/recording/dark-mode/" + seen.screen.file;
        assert.equal(await status(path), 200);
        for (const wrong of ["/recording/dark-mode/events.jsonl",
                             "/recording/dark-mode/screens/../events.jsonl",
                             "/recording/..%2Fdark-mode/screens/0000.png",
                             "/recording/none/screens/0000.png",
                             "/recording/dark-mode/screens/.png"])
            assert.equal(await status(wrong), 404, wrong);
        assert.ok([401, 403].includes(
            (await fetch(server.origin + path)).status));
        await close();
    },
};

await runTests(tests);
await server.stop();
endTests();
