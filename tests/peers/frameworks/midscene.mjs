// Midscene's AndroidDevice does the task: the class by which its agents act.
// It types other letters than those of ASCII by yadb, which it brings along.
import { AndroidDevice, getConnectedDevices } from "@midscene/android";

import { doTask } from "./tasks.mjs";
import { elementsOf } from "./ui_tree.mjs";

const [{ udid }] = await getConnectedDevices();
const device = new AndroidDevice(udid);

await device.connect();
// Its positions are not pixels: they are those of size().
const { width } = await device.size();
const scale = width / Number.parseInt((await device.getScreenSize()).physical, 10);

await doTask({
    async elements() {
        const adb = await device.getAdb();
        const picture = await device.screenshotBase64();

        if (!picture.startsWith("data:image/")) throw new Error(`no picture: ${picture.slice(0, 80)}`);
        await adb.shell("uiautomator dump /sdcard/window.xml");
        return elementsOf(await adb.shell("cat /sdcard/window.xml"));
    },
    tap: (x, y) => device.mouseClick(x * scale, y * scale),
    type: (text) => device.keyboardType(text),
    enter: () => device.keyboardPress("Enter"),
});
await device.destroy();
process.exit(0);
