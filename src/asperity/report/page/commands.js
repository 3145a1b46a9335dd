// Commands that can be copied.
import {html} from "./shared.js";

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

export function addCopyButton(code) {
  const button = html("button", {type: "button", class: "copy"}, undefined, "copy");
  button.addEventListener("click", () => copy(code.textContent, button));
  code.after(button);
}
