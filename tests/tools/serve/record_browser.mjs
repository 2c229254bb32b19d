/* What the scripts that record on the pages share. */
import {elements, settled, shell, until} from "./serve_browser.mjs";

/* Where an element is on the page, when it is there. */
export async function find(page, name) {
    let index = -1;
    await until(name, async () => {
        index = (await elements(page)).indexOf(name);
        if (index < 0)
            await page.locator(".inspect input").uncheck();
        return index >= 0;
    });
    const box = await page.locator(".node-box").nth(index).boundingBox();
    await page.locator(".inspect input").uncheck();
    return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function tapName(page, name) {
    await page.mouse.click(...await find(page, name));
}

export const steps = (page) => page.locator(".steps .step:not(.end)");

/* That many steps are on the disk, and shown. */
export function untilSteps(page, count) {
    return until(count + " steps", async () =>
        await steps(page).count() === count);
}

export async function showSteps(page) {
    await page.locator("#tab-record").click();
}

/*
 * On the page of a phone: what is done from now on becomes steps; with inHand,
 * what is done on the phone itself.
 */
export async function startRecording(page, name, inHand = false) {
    await page.getByRole("button", {name: "Record", exact: true}).click();
    if (inHand)
        await page.getByLabel("On the phone, in my hand").check();
    await page.locator(".record-form input[type=text]").fill(name);
    await page.locator(".record-form input[type=text]").press("Enter");
    await page.getByText("Recording: what you do").waitFor();
}

/* Start at the home screen, with no app open: no part of the recording. */
export async function begin(page, name) {
    await shell(page, "for app in settings deskclock calculator2; " +
                "do am force-stop com.android.$app; done; echo ended");
    await page.locator("[aria-label=Home]").click();
    await page.getByText("You drive this phone.").waitFor();
    await settled(page);
    await startRecording(page, name);
}

export async function finish(page) {
    await showSteps(page);
    await page.getByRole("button", {name: "Stop"}).click();
    await page.locator(".recording .step").first().waitFor();
}
