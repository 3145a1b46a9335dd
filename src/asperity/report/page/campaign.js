// The page of a study: commands that can be copied, the run of each point of a map, landers over a body.
const data = JSON.parse(byId("data").textContent);
const NEAR = 14;  // of a point, in units of the picture

function copy(text, button) {
  const done = () => {
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1200);
  };
  const byHand = () => {
    // where the clipboard is not given to pages from a file
    const field = html("textarea", {style: "position:fixed;opacity:0"}, document.body);
    field.value = text;
    field.select();
    document.execCommand("copy");
    field.remove();
    done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
}

function addCopyButton(code) {
  const button = html("button", {type: "button", class: "copy"}, undefined, "copy");
  button.addEventListener("click", () => copy(code.textContent, button));
  code.after(button);
}

function startMap(picture) {
  const group = picture.querySelector("[data-map]"), names = data.maps[group.dataset.map];
  const chosen = picture.querySelector(".chosen"), reading = picture.parentElement.querySelector(".reading");
  const points = [];
  for (const path of group.querySelectorAll(".points")) {
    const of = names[path.dataset.group];
    let i = 0;
    for (const [, x, y] of path.getAttribute("d").matchAll(/M(-?[\d.]+) (-?[\d.]+)/g)) points.push({x: +x, y: +y, name: of.name, run: of.runs[i++]});
  }
  let held = null;
  const show = point => {
    chosen.setAttribute("visibility", point ? "visible" : "hidden");
    if (!point) { reading.textContent = "Point at a run to see its number, click to keep it."; return; }
    chosen.setAttribute("cx", point.x);
    chosen.setAttribute("cy", point.y);
    reading.textContent = "run " + point.run + " (" + point.name + "): ";
    addCopyButton(html("code", {class: "command"}, reading, data.command + point.run));
  };
  const nearest = event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    let best = null, least = NEAR * NEAR;
    for (const point of points) {
      const d = (point.x - at.x) ** 2 + (point.y - at.y) ** 2;
      if (d < least) { least = d; best = point; }
    }
    return best;
  };
  picture.addEventListener("pointermove", event => { if (!held) show(nearest(event)); });
  picture.addEventListener("pointerleave", () => { if (!held) show(null); });
  picture.addEventListener("click", event => { held = nearest(event); show(held); });
  show(null);
}

const redrawBody = data.body ? startBody(data.body) : () => {};
startTheme(redrawBody);
startTables();
for (const code of document.querySelectorAll("code.command")) addCopyButton(code);
for (const picture of document.querySelectorAll("svg.map")) startMap(picture);
