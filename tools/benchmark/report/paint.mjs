/* paint.mjs BROWSER PAGE ROUNDS: milliseconds to first paint, one a line. */
import {chromium} from "playwright-core";

const [executablePath, file, rounds] = process.argv.slice(2);
const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
           "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
});
for (let i = 0; i < Number(rounds); i++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto("file://" + file);
    console.log(Math.round(await page.evaluate(() => performance
        .getEntriesByName("first-contentful-paint")[0].startTime)));
    await context.close();
}
await browser.close();
