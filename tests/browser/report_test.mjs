// Reports as a browser shows them, from disk and without a network: no errors, bodies drawn where the page says that they are, slider, play,
// picking, figures with read-out, zoom and export, keyboard, touch and phone size. Exit 77: there is no browser here.
//
//     report_test.mjs ASPERITY SOURCE_DIR OUT_DIR
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";

const [asperity, source, out] = process.argv.slice(2);
const chromium = (process.env.PATH || "").split(":").map(folder => path.join(folder, "chromium")).find(file => fs.existsSync(file));
let playwright;
try {
  playwright = createRequire(path.join(source, "src/asperity/report/viewer/package.json"))("playwright-core");
} catch {
  playwright = null;
}
if (!chromium || !playwright) {
  console.log("skipped: " + (chromium ? "playwright-core is not installed (npm ci in src/asperity/report/viewer)" : "there is no chromium here (make browser installs it)"));
  process.exit(77);
}

let failures = 0;
function expect(is, what) {
  if (is) return;
  ++failures;
  console.log("FAILED: " + what);
}

fs.rmSync(out, {recursive: true, force: true});
fs.mkdirSync(out, {recursive: true});
function run(verb, file, ...options) {
  const folder = path.join(out, path.basename(file, ".toml") + (verb === "run" ? "" : "-" + verb));
  execFileSync(asperity, [verb, path.join(source, "scenarios", file), "--out", folder, ...(["run", "campaign"].includes(verb) ? ["--quiet"] : []), ...options], {stdio: ["ignore", "ignore", "inherit"]});
  return "file://" + path.join(folder, "report.html");
}

const flags = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
async function browser(options, ...more) {
  const profile = fs.mkdtempSync(path.join(out, "profile-"));
  return playwright.chromium.launchPersistentContext(profile, {executablePath: chromium, headless: true, offline: true, acceptDownloads: true, args: [...flags, ...more], ...options});
}

async function open(context, address) {
  const page = await context.newPage(), name = address.split("/").at(-2);
  page.on("console", message => expect(!["error", "warning"].includes(message.type()) || /GPU stall|fallback/.test(message.text()), name + ": " + message.text()));
  page.on("pageerror", error => expect(false, name + ": " + error));
  page.on("request", request => expect(request.url() === address || request.url().startsWith("data:"), name + " asks for " + request.url()));
  await page.goto(address);
  await page.waitForTimeout(300);
  return page;
}

// Colours of the picture at some points, drawn afresh; what the screen has may be some frames behind. Transparent is white.
const colours = (page, id, points) => page.evaluate(([of, at]) => {
  const {scene} = document.getElementById(of), copy = document.createElement("canvas");
  scene.draw();
  const {width, height} = scene.canvas, context = copy.getContext("2d", {willReadFrequently: true});
  Object.assign(copy, {width, height});
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height);
  context.drawImage(scene.canvas, 0, 0);
  return at.map(([x, y]) => [...context.getImageData(Math.floor(x * width / scene.width), Math.floor(y * height / scene.height), 1, 1).data.slice(0, 3)]);
}, [id, points]);
const distance = (a, b) => Math.max(...a.map((x, k) => Math.abs(x - b[k])));

// Where the page says that its bodies are, of those in the picture: [x, y, colour of the body].
const bodies = page => page.evaluate(() => {
  const {scene} = document.getElementById("view");
  const all = [...scene.moving, ...scene.given].filter(m => m.place && m.body >= 0 && m.object !== scene.stage.ground).map(m => [m.place.x, m.place.y, m.place.z]);
  for (const m of scene.many) for (let i = 0; i < m.now.length; i += 3) all.push([...m.now.slice(i, i + 3)]);
  return all.map(p => scene.project(...p)).filter(([x, y]) => x > 8 && y > 8 && x < scene.width - 8 && y < scene.height - 8);
});

// Of the points where bodies are, those where the picture is another one without bodies and marks. Paths, which have their colours, are left out.
async function drawn(page) {
  const at = (await bodies(page)).map(([x, y]) => [x, y]);
  const look = is => page.evaluate(shown => {
    const {scene} = document.getElementById("view");
    const bodies = [...scene.moving, ...scene.given, ...scene.many].filter(m => m.object !== scene.stage.ground).map(m => m.object || m.balls.mesh);
    for (const body of [...bodies, ...scene.stage.marks]) body.traverse(o => { o.layers.mask = shown ? 1 : 0; });
    for (const line of scene.stage.over.children) if (!scene.stage.marks.includes(line)) line.layers.mask = 0;
  }, is);
  await look(true);
  const full = await colours(page, "view", at);
  await look(false);
  const empty = await colours(page, "view", at);
  await look(true);
  return {count: at.length, drawn: full.filter((c, i) => distance(c, empty[i]) > 12).length};
}

// Every figure is drawn and can be saved; the first says what it shows, zooms by drag and key, and shows everything again.
async function checkCharts(page, name) {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));  // all of them, not only those that are seen
  const undrawn = await page.evaluate(() => [...document.querySelectorAll("figure.chart")].filter(f => !f.hidden && !f.querySelector(".drawing svg")).map(f => f.textContent));
  expect(undrawn.length === 0, name + ": figures that are not drawn: " + undrawn);
  const first = page.locator("figure.chart:not([hidden])").first(), drawing = first.locator(".drawing");
  await drawing.scrollIntoViewIfNeeded();
  const box = await drawing.boundingBox(), ticks = () => first.locator("[aria-label='x-axis tick label']").textContent(), before = await ticks();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.5 * box.height);
  expect(/\d/.test(await first.locator(".reading").textContent()), name + ": the pointer reads values");
  await page.mouse.down();
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 0.6 * box.height, {steps: 4});
  await page.mouse.up();
  expect(await ticks() !== before, name + ": a drag zooms");
  await drawing.focus();
  await page.keyboard.press("0");
  expect(await ticks() === before, name + ": 0 shows everything");
  await page.keyboard.press("ArrowRight");
  expect(/\d/.test(await first.locator(".reading").textContent()), name + ": arrow keys read values");
  await page.keyboard.press("+");
  expect(await ticks() !== before, name + ": plus zooms");
  await page.keyboard.press("Escape");
  for (const [kind, begin] of [["PNG", "\x89PNG"], ["SVG", "<svg"], ["CSV", "\""]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), first.locator(".tools button", {hasText: kind}).click()]);
    const text = fs.readFileSync(await file.path(), "latin1");
    expect(text.startsWith(begin) && text.length > 200, `${name}: ${file.suggestedFilename()} begins with ${text.slice(0, 20)}`);
    expect(kind !== "SVG" || !text.includes("var("), name + ": the colours of a drawing are its own");
  }
}

async function checkRun(context, address, {least}) {
  const page = await open(context, address), name = address.split("/").at(-2);
  const {count, drawn: seen} = await drawn(page);
  expect(count >= least, `${name}: ${count} bodies in the picture, ${least} wanted`);
  expect(seen === count, `${name}: ${seen} of ${count} bodies drawn where they are`);
  if (await page.isDisabled("#time")) return page.close();
  const time = () => page.evaluate(() => Number(document.getElementById("time").value));
  const last = await time(), before = await bodies(page);
  await page.evaluate(() => {
    const s = document.getElementById("time");
    s.value = s.min;
    s.dispatchEvent(new Event("input"));
    document.getElementById("view").scene.draw();
  });
  expect(await time() < last, name + ": the slider moves the time");
  expect(JSON.stringify(await bodies(page)) !== JSON.stringify(before), name + ": the slider moves the bodies");
  await page.click("#play");
  const moves = () => { const s = document.getElementById("time"); return Number(s.value) > Number(s.min); };
  const why = await page.waitForFunction(moves, null, {timeout: 20000}).then(() => "", error => error.message);
  expect(!why, `${name}: play moves the time ${why}`);
  await page.evaluate(() => { const b = document.getElementById("play"); if (b.textContent !== "▶") b.click(); });
  await page.focus("#view canvas");
  const yaw = await page.evaluate(() => document.getElementById("view").scene.yaw);
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate(() => document.getElementById("view").scene.yaw) !== yaw, name + ": an arrow key turns the picture");
  const [[x, y]] = await bodies(page);
  const box = await (await page.$("#view")).boundingBox();
  await page.mouse.click(box.x + x, box.y + y);
  expect((await page.textContent("#picked")).length > 10, name + ": a click on a body says what it is");
  const range = await page.evaluate(() => [document.getElementById("time").min, document.getElementById("time").max].map(Number));
  await page.click("#back");
  expect(await time() >= range[0] && await time() <= range[1], name + ": a step to the event before stays in the run");
  if (await page.locator("#frame-choice:not([hidden])").count()) {
    await page.selectOption("#frame", {index: 1});
    await page.evaluate(() => document.getElementById("view").scene.draw());
    const still = await page.evaluate(() => { const m = [...document.getElementById("view").scene.moving, ...document.getElementById("view").scene.given][0].place; return Math.hypot(m.x, m.y, m.z); });
    expect(still < 1e-9, name + ": seen from a body, it stands still");
  }
  if (await page.isVisible("#path-colour")) {
    await page.selectOption("#path-colour", "speed");
    expect(/m\/s/.test(await page.textContent("#modes")), name + ": paths by speed have a colour bar");
  }
  if (await page.locator("figure.chart:not([hidden])").count()) await checkCharts(page, name);
  await page.close();
}

async function checkStudy(context, address) {
  const page = await open(context, address);
  await page.click("[data-layer=paths]");  // which end at the stops, in the same colour
  const stops = await page.evaluate(() => {
    const {scene} = document.getElementById("body-view");
    scene.draw();
    return scene.body.stops.flatMap(({xyz}) => [0, 3].filter(i => i < xyz.length).map(i => scene.project(...xyz.slice(i, i + 3))));
  });
  const shown = await colours(page, "body-view", stops.map(([x, y]) => [x, y]));
  await page.click("[data-layer=stops]");
  const hidden = await colours(page, "body-view", stops.map(([x, y]) => [x, y]));
  expect(shown.some((c, i) => distance(c, hidden[i]) > 12), "study: stops are drawn, and a button hides them");
  await page.click("#body-runs button");
  expect(/run \d+/.test(await page.textContent("#body-reading")), "study: a run can be chosen");
  await checkCharts(page, "study");
  await page.close();
}

// Two runs of one world: pictures at the same time, curves over each other.
async function checkComparison(context, address) {
  const page = await open(context, address);
  await page.evaluate(() => { const s = document.getElementById("time"); s.value = s.min; s.dispatchEvent(new Event("input")); });
  const [first, second] = await page.evaluate(() => [...document.querySelectorAll("#motion .view")].map(view => { view.scene.draw(); return view.scene.moving.map(m => [m.place.x, m.place.y, m.place.z]); }));
  expect(first.length === 3 && first.every((p, i) => distance(p, second[i]) < 1), "comparison: the same bodies at the same places in both pictures");
  await checkCharts(page, "comparison");
  await page.close();
}

// The pages of equilibria have no run and no picture, but figures.
async function checkEquilibria(context, address) {
  const page = await open(context, address.replace("report.html", "equilibria.html"));
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await page.locator("figure.chart .drawing svg path").count() > 5, "equilibria: the figures are drawn");
  await page.close();
}

async function checkPhone(address) {
  const context = await browser({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
  const page = await open(context, address);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "phone: nothing is wider than the screen");
  const least = await page.evaluate(() => Math.min(...[...document.querySelectorAll("main *")].filter(e => e.offsetParent && e.childNodes.length && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .map(e => parseFloat(getComputedStyle(e).fontSize))));
  expect(least >= 10, `phone: text of ${least} px`);
  const touch = () => page.evaluate(() => getComputedStyle(document.querySelector("#view canvas")).touchAction);
  expect(await touch() === "pan-y", "phone: one finger scrolls");
  await page.locator("#view").scrollIntoViewIfNeeded();
  await page.tap("#view canvas");
  expect(await touch() === "none", "phone: after a tap one finger turns");
  await context.close();
}

async function checkWithoutWebGL(address) {
  const context = await browser({}, "--disable-3d-apis");
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", error => errors.push(error));
  await page.goto(address);
  expect(/no WebGL/.test(await page.textContent("#view")), "without WebGL the page says so");
  expect(await page.locator("figure.chart .drawing svg").count() > 0 && errors.length === 0, "without WebGL everything else works " + errors);
  await context.close();
}

const lander = run("run", "landers/flat-sliding.toml");
const context = await browser({viewport: {width: 1280, height: 900}});
await checkRun(context, lander, {least: 1});
await checkRun(context, run("run", "matrix/wheel-and-arm.toml"), {least: 1});
await checkRun(context, run("run", "matrix/box-on-incline.toml"), {least: 1});
await checkRun(context, run("run", "matrix/three-spheres.toml"), {least: 3});
await checkRun(context, run("run", "matrix/grains.toml"), {least: 100});
await checkStudy(context, run("campaign", "landers/itokawa-deploy.toml", "--runs", "4"));
await checkComparison(context, run("compare", "matrix/three-spheres.toml", "--method", "constraint,penalty"));
await checkEquilibria(context, run("equilibria", "ternary/lr-static.toml"));
await context.close();
await checkPhone(lander);
await checkWithoutWebGL(lander);
console.log(failures ? failures + " failures" : "ok");
process.exit(failures ? 1 : 0);
