// Commands that can be copied.
import {html} from "./shared.js";

export function addCopyButton(code) {
  const button = html("button", {type: "button", class: "copy"}, undefined, "copy");
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(code);
    document.execCommand("copy");  // the clipboard proper is not given to pages from a file by every browser
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1200);
  });
  code.after(button);
}

// "run 7: ", and the command that computes it again.
export function showRun(parent, text, command) {
  parent.replaceChildren(text + ": ");
  addCopyButton(html("code", {class: "command"}, parent, command));
}
