// appium.mjs SERIAL: appium-adb, which runs the adb in ANDROID_HOME and always
// passes -P 5037, uses the phone that proctor-adb shows.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import path from "node:path";

import { ADB } from "appium-adb";

const serial = process.argv[2];
const adb = await ADB.createADB({ adbExecTimeout: 60000 });

async function useDevices() {
    const version = await adb.getVersion();

    assert.equal(version.bridge.version.toString(), "1.0.41");
    assert.match(adb.getAdbPath ? adb.getAdbPath() : adb.executable.path, /platform-tools\/adb$/);
    const devices = await adb.getConnectedDevices();
    assert.deepEqual(devices.map((device) => [device.udid, device.state]), [[serial, "device"]]);
    adb.setDeviceId(serial);
    await adb.waitForDevice(30);
}

async function useShell() {
    assert.equal(await adb.shell(["echo", "one two"]), "one two");
    assert.equal(await adb.getDeviceProperty("ro.product.model"), "proctor phone");
    assert.match(await adb.getScreenSize(), /^\d+x\d+$/);
    assert.ok(Number(await adb.getApiLevel()) > 20);
    await assert.rejects(adb.shell(["false"]));
}

async function useFiles() {
    const folder = await fs.mkdtemp(path.join(process.env.TMPDIR ?? "/tmp", "appium"));
    const sent = path.join(folder, "sent");
    const back = path.join(folder, "back");

    await fs.writeFile(sent, Buffer.alloc(1_000_000, "appium "));
    await adb.push(sent, "/sdcard/appium");
    assert.equal(await adb.fileExists("/sdcard/appium"), true);
    assert.equal(await adb.fileSize("/sdcard/appium"), 1_000_000);
    await adb.pull("/sdcard/appium", back);
    assert.ok((await fs.readFile(sent)).equals(await fs.readFile(back)));
}

async function useInput() {
    await adb.keyevent(3);
    await adb.inputText("hello");
    await adb.back();
}

async function useForwards() {
    await adb.forwardPort(7010, 7);
    assert.equal((await adb.getForwardList()).length, 1);
    await adb.removePortForward(7010);
    await adb.reversePort(5002, 7010);
    assert.equal((await adb.getReverseList()).length, 1);
    await adb.removePortReverse(5002);
}

async function useServer() {
    await adb.killServer();
    await adb.restartAdb();
    assert.equal(await adb.isDeviceConnected(), true);
    await adb.root();
    assert.equal(await adb.shell(["whoami"]), "shell");
}

for (const use of [useDevices, useShell, useFiles, useInput, useForwards, useServer]) {
    await use();
    console.log(`appium-adb: ${use.name}`);
}
process.exit(0);
