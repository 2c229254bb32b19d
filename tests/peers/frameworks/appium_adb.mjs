// appium-adb does the task. It runs the adb of ANDROID_HOME, always with -P 5037.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { ADB } from "appium-adb";

import { doTask } from "./tasks.mjs";
import { elementsOf } from "./ui_tree.mjs";

const adb = await ADB.createADB({ adbExecTimeout: 60000 });
const folder = await fs.mkdtemp(path.join(os.tmpdir(), "appium-adb-"));
const tree = path.join(folder, "window.xml");

adb.setDeviceId(process.env.ANDROID_SERIAL);
await doTask({
    async elements() {
        await adb.shell(["uiautomator", "dump", "/sdcard/window.xml"]);
        await adb.pull("/sdcard/window.xml", tree);
        return elementsOf(await fs.readFile(tree, "utf8"));
    },
    tap: (x, y) => adb.shell(["input", "tap", String(x), String(y)]),
    type: (text) => adb.inputText(text),
    enter: () => adb.keyevent(66),
});
await fs.rm(folder, { recursive: true });
process.exit(0);
