// Keys, filters and small comforts. Everything else is done by the server, and works with a mouse or Tab and Enter alone.
"use strict";

(() => {
  let typed = "";
  let typedAt = 0;

  const writing = (node) => node.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=range])");

  // Digits choose the move of that number: the button gets the focus, Enter makes the move.
  const number = (digit) => {
    const now = Date.now();
    typed = (now - typedAt < 900 ? typed : "") + digit;
    typedAt = now;
    const button = document.querySelector(`[data-number="${Number(typed)}"]`);
    if (button) {
      button.hidden = false;
      button.focus();
    }
  };

  document.addEventListener("keydown", (event) => {
    const node = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && writing(node)) {
      node.blur();
      return;
    }
    if (writing(node) || (node.type === "range" && event.key.startsWith("Arrow"))) return;
    if (/^\d$/.test(event.key)) {
      number(event.key);
      event.preventDefault();
      return;
    }
    if (event.key === "Enter" && node.matches("button, a, summary, input")) return;
    if (event.key.startsWith("Arrow") && node.closest(".board, .scroll, .log, pre, [type=radio]")) return;
    const wanted = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!wanted) return;
    event.preventDefault();
    if (wanted.matches("input")) wanted.focus();
    else wanted.click();
  });

  document.addEventListener("input", (event) => {
    const list = event.target.dataset.filter;
    if (!list) return;
    const wanted = event.target.value.toLowerCase().trim();
    for (const one of document.querySelectorAll(list)) one.hidden = !one.textContent.toLowerCase().includes(wanted);
  });

  // Enter in a filter goes to what it has found; it is no move yet.
  document.addEventListener("keydown", (event) => {
    const list = event.target.dataset && event.target.dataset.filter;
    if (event.key !== "Enter" || !list) return;
    event.preventDefault();
    const found = [...document.querySelectorAll(list)].find((one) => !one.hidden);
    if (found) (found.querySelector("input") || found).focus();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-insert]");
    if (!button) return;
    const field = document.querySelector(button.dataset.insert);
    field.setRangeText(button.dataset.text, field.selectionStart, field.selectionEnd, "end");
    field.focus();
  });

  // The field in which the error of a draft lies.
  const mark = () => {
    const verdict = document.getElementById("verdict");
    if (!verdict) return;
    for (const node of document.querySelectorAll(".node")) {
      const wrong = node.dataset.place !== "" && node.dataset.place === verdict.dataset.wrong;
      node.classList.toggle("bad", wrong);
      const field = node.querySelector(":scope > input, :scope > select, :scope > .count > input");
      if (field) field.setAttribute("aria-invalid", String(wrong));
    }
  };

  document.addEventListener("htmx:afterSettle", mark);
  document.addEventListener("DOMContentLoaded", mark);
})();
