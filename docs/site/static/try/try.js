// "Try it" below programs: shlo in the reader's browser. Without scripts, a network or Pyodide, pages are plain text.
"use strict";

(() => {
  const base = new URL(".", document.currentScript.src);
  const FUNCTION = /^\s*func\.func\b/m;
  let worker;
  let busy;

  /** Returns the command that shows most about a program. */
  function commandFor(text) {
    if (/\bcheck\.expect_/.test(text)) return "test program.mlir";
    const main = /func\.func (?:public )?@main\(([^)]*)\)/.exec(text);
    if (!main) return "check program.mlir";
    return main[1].trim() ? "run program.mlir --random 0" : "run program.mlir";
  }

  function made(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  /** Puts an editor, a command line and the output below a program. */
  function open(block, text) {
    const program = made("textarea", { value: text, spellcheck: false, rows: text.split("\n").length + 1 });
    program.setAttribute("aria-label", "program.mlir");
    const words = made("input", { value: commandFor(text), spellcheck: false, type: "text" });
    words.setAttribute("aria-label", "command");
    const run = made("button", { type: "submit", textContent: "Run" });
    const stop = made("button", { type: "button", textContent: "Stop", hidden: true });
    const output = made("pre", { className: "try-output" });
    output.setAttribute("aria-live", "polite");
    const line = made("div", { className: "try-line" }, made("code", { textContent: "shlo" }), words, run, stop);
    const form = made("form", { className: "try-form" }, program, line, output);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      execute(program.value, words.value, { run, stop, output });
    });
    stop.addEventListener("click", () => end("Stopped."));
    block.after(form);
    form.requestSubmit();
  }

  async function execute(text, words, parts) {
    if (busy) {
      parts.output.textContent = "Another program runs: stop it, or press Run when it has ended.";
      return;
    }
    busy = parts;
    parts.run.disabled = true;
    parts.stop.hidden = false;
    parts.output.classList.remove("try-failed");
    try {
      const response = await fetch(new URL("config.json", base));
      const config = await response.json();
      if (busy !== parts) return; // stopped meanwhile
      if (!worker) {
        worker = new Worker(new URL("worker.js", base), { type: "module" });
        worker.addEventListener("message", ({ data }) => heard(data));
        worker.addEventListener("error", (event) => finish(event.message || "Python ended"));
      }
      worker.postMessage({ config, base: base.href, text, words });
    } catch (error) {
      if (busy !== parts) return;
      finish(location.protocol === "file:" ? "pages opened from files cannot load Python" : String(error));
    }
  }

  function heard({ status, output, error }) {
    if (!busy) return;
    if (status) busy.output.textContent = status;
    else if (error !== undefined) finish(error);
    else {
      busy.output.textContent = output || "(nothing printed)";
      rest();
    }
  }

  /** Says why there is no answer; the program and what it prints stay on the page as text. */
  function finish(reason) {
    busy?.output.classList.add("try-failed");
    end(`shlo does not run here: ${reason}`);
  }

  /** Ends Python with what it runs; the next command loads it again. */
  function end(words) {
    if (!busy) return;
    busy.output.textContent = words;
    worker?.terminate();
    worker = undefined;
    rest();
  }

  function rest() {
    busy.run.disabled = false;
    busy.stop.hidden = true;
    busy = undefined;
  }

  function prepare() {
    if (typeof Worker === "undefined" || typeof WebAssembly === "undefined") return;
    for (const block of document.querySelectorAll("article div.highlight-mlir")) {
      const text = block.querySelector("pre")?.textContent ?? "";
      if (!FUNCTION.test(text)) continue;
      const button = made("button", { type: "button", className: "try-button", textContent: "Try it" });
      button.title = "Runs shlo in this browser. Loads Python from cdn.jsdelivr.net, some 40 MB, when it is pressed.";
      button.addEventListener("click", () => {
        button.remove();
        open(block, text);
      });
      block.after(button);
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", prepare);
  else prepare();
})();
