// yume_scrcpy.mjs PORT [CHROMIUM]: @yume-chan/adb-scrcpy watches and touches the
// built-in phone. With CHROMIUM, the video is decoded there and compared with
// a screenshot.
import assert from "node:assert/strict";
import { createServer } from "node:http";

import { Adb, AdbDaemonTransport } from "@yume-chan/adb";
import {
    AdbScrcpyClient,
    AdbScrcpyExitedError,
    AdbScrcpyOptions2_1,
    AdbScrcpyOptions2_7,
    AdbScrcpyOptions3_3_3,
} from "@yume-chan/adb-scrcpy";
import { ReadableStream } from "@yume-chan/stream-extra";
import { chromium } from "playwright-core";

import { connection } from "./yume_connection.mjs";

const [port, executablePath] = process.argv.slice(2);
const path = "/data/local/tmp/yume-scrcpy-server.jar";
const video = { audio: false, sendDeviceMeta: true };
const versions = [
    ["2.1", AdbScrcpyOptions2_1],
    ["2.7", AdbScrcpyOptions2_7],
    ["3.3.3", AdbScrcpyOptions3_3_3],
];

// The built-in phone does not run the file: any will do.
function pushServer(adb) {
    return AdbScrcpyClient.pushServer(
        adb,
        new ReadableStream({
            start(controller) {
                controller.enqueue(new TextEncoder().encode("PK a server"));
                controller.close();
            },
        }),
        path,
    );
}

async function start(adb, Options, version, init) {
    await pushServer(adb);
    return AdbScrcpyClient.start(adb, path, new Options(init, { version }));
}

// The packets of a video, read as they come.
class Watcher {
    constructor(stream) {
        this.reader = stream.getReader();
    }

    async next() {
        const { done, value } = await this.reader.read();

        assert.ok(!done, "the video has ended");
        return value;
    }

    async firstFrame() {
        const config = await this.next();
        const key = await this.next();

        assert.equal(config.type, "configuration");
        assert.equal(key.type, "data");
        assert.ok(key.keyframe);
        return [config.data, key.data];
    }
}

async function shell(adb, command) {
    return (await adb.subprocess.shellProtocol.spawnWaitText(command)).stdout;
}

// Wait until the phone's answer to command contains text.
async function waitFor(adb, command, text) {
    for (let answer = ""; !answer.includes(text);) answer = await shell(adb, command);
}

async function centerOf(adb, text) {
    const xml = await shell(adb, "uiautomator dump /dev/tty");
    const found = xml.match(new RegExp(`"${text}[^>]*bounds="\\[(\\d+),(\\d+)\\]\\[(\\d+),(\\d+)\\]`));

    assert.ok(found, `the phone does not show ${text}`);
    const [left, top, right, bottom] = found.slice(1).map(Number);
    return [(left + right) / 2, (top + bottom) / 2];
}

async function tap(client, [x, y], size) {
    for (const action of [0, 1])
        await client.controller.injectTouch({
            action,
            pointerId: -2n,
            pointerX: x,
            pointerY: y,
            ...size,
            pressure: action ? 0 : 1,
            actionButton: 1,
            buttons: action ? 0 : 1,
        });
}

// ---- the picture ----

// WebCodecs is only in secure contexts, which loopback is.
async function openPage() {
    const server = createServer((request, response) => {
        response.setHeader("Content-Type", "text/html");
        response.end("<!doctype html><title>video</title>");
    });
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const page = await browser.newPage();

    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return { page, close: () => Promise.all([browser.close(), server.close()]) };
}

// In the page: decode a key frame, and measure how alike the screen is, in dB.
async function measure([video, codec, png]) {
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const pixels = (image, width, height) => {
        const context = new OffscreenCanvas(width, height).getContext("2d");

        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, width, height).data;
    };
    const frame = await new Promise((resolve, reject) => {
        const decoder = new VideoDecoder({ output: resolve, error: reject });

        decoder.configure({ codec, optimizeForLatency: true });
        decoder.decode(
            new EncodedVideoChunk({ type: "key", timestamp: 0, data: bytes(video) }),
        );
        decoder.flush().catch(reject);
    });
    const screen = await createImageBitmap(new Blob([bytes(png)]));
    const { width, height } = screen;

    if (frame.displayWidth !== width || frame.displayHeight !== height) return 0;
    const a = pixels(frame, width, height);
    const b = pixels(screen, width, height);
    let sum = 0;

    for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
    return 10 * Math.log10((255 * 255) / (sum / a.length));
}

async function comparePicture(adb, [config, key]) {
    const png = Buffer.from(await adb.subprocess.noneProtocol.spawnWait("screencap -p"));
    const codec = `avc1.${Buffer.from(config).subarray(5, 8).toString("hex")}`;
    const both = Buffer.concat([config, key]).toString("base64");
    const { page, close } = await openPage();
    const psnr = await page.evaluate(measure, [both, codec, png.toString("base64")]);

    await close();
    console.log(`@yume-chan/adb-scrcpy: ${codec}, ${psnr.toFixed(1)} dB`);
    assert.ok(psnr >= 30);
}

// ---- what is tried ----

// Each version, by a connection to us and by one to the phone.
async function watch(adb) {
    for (const [version, Options] of versions) {
        for (const tunnelForward of [false, true]) {
            const client = await start(adb, Options, version, { ...video, tunnelForward });
            const watched = await client.videoStream;
            const { deviceName, width, height } = watched.metadata;

            assert.equal(deviceName, "proctor phone");
            assert.deepEqual([width, height], [1080, 2400]);
            await new Watcher(watched.stream).firstFrame();
            assert.deepEqual([watched.width, watched.height], [1080, 2400]);
            await client.close();
            await client.exited;
        }
    }
}

// Both streams are read at the same time: this client reads nothing from a
// connection while one of its streams is full.
async function audioIsDisabled(adb) {
    const client = await start(adb, AdbScrcpyOptions3_3_3, "3.3.3", { audio: true });
    const video = client.videoStream.then(({ stream }) => new Watcher(stream).firstFrame());

    assert.equal((await client.audioStream).type, "disabled");
    await video;
    await client.close();
}

async function seePicture(adb) {
    if (!executablePath) {
        console.log("@yume-chan/adb-scrcpy: no browser, so no picture");
        return;
    }
    const client = await start(adb, AdbScrcpyOptions3_3_3, "3.3.3", video);
    const frame = await new Watcher((await client.videoStream).stream).firstFrame();

    await comparePicture(adb, frame);
    await client.close();
}

async function control(adb) {
    const client = await start(adb, AdbScrcpyOptions3_3_3, "3.3.3", video);
    const { stream } = await client.videoStream;
    const watcher = new Watcher(stream);
    const size = { videoWidth: 1080, videoHeight: 2400 };

    await watcher.firstFrame();
    await tap(client, await centerOf(adb, "Settings"), size);
    assert.equal((await watcher.next()).type, "data");
    await waitFor(adb, "dumpsys activity top", "com.android.settings");
    await tap(client, await centerOf(adb, "Search settings"), size);
    await waitFor(adb, "uiautomator dump /dev/tty", "search_src_text");
    await client.controller.setClipboard({ content: "你好,世界", sequence: 7n, paste: true });
    await waitFor(adb, "uiautomator dump /dev/tty", "你好,世界");
    await client.controller.resetVideo();
    while ((await watcher.next()).type !== "configuration");
    await client.controller.rotateDevice();
    await waitFor(adb, "settings get system user_rotation", "1");
    await client.close();
}

// A server of another version says so.
async function refuse(adb) {
    await assert.rejects(
        start(adb, AdbScrcpyOptions3_3_3, "bogus", video),
        (error) =>
            error instanceof AdbScrcpyExitedError &&
            error.output.join("\n").includes(
                "The server version (3.3.4) does not match the client (bogus)",
            ),
    );
}

const adb = new Adb(
    await AdbDaemonTransport.authenticate({
        serial: "phone",
        connection: await connection(Number(port)),
        credentialStore: { generateKey: () => assert.fail(), *iterateKeys() {} },
    }),
);

for (const attempt of [watch, audioIsDisabled, seePicture, control, refuse]) {
    await attempt(adb);
    console.log(`@yume-chan/adb-scrcpy: ${attempt.name}`);
}
process.exit(0);
