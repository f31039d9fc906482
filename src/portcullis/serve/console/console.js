// Keeps an element with data-live up to date by the server-sent events of that address. Pages are complete without it.
"use strict";

const region = document.querySelector("[data-live]");
if (region && window.EventSource) {
  const bar = document.createElement("p");
  const state = document.createElement("span");
  const button = document.createElement("button");
  bar.className = "live";
  state.setAttribute("role", "status");
  button.type = "button";
  bar.append(state, button);
  region.before(bar);
  let source = null;

  const show = (text, action, name) => {
    if (state.textContent !== text) {
      state.textContent = text;
    }
    button.textContent = action;
    bar.dataset.state = name;
  };
  const start = () => {
    source = new EventSource(region.dataset.live);
    show("Connecting", "Pause", "connecting");
    source.onopen = () => show("Live", "Pause", "live");
    source.onmessage = (event) => {
      const page = new DOMParser().parseFromString(event.data, "text/html");
      const focused = region.contains(document.activeElement) ? document.activeElement.id : "";
      region.replaceChildren(...page.body.childNodes);
      if (focused) {
        document.getElementById(focused)?.focus({ preventScroll: true });
      }
    };
    source.onerror = () => {
      const ended = source.readyState === EventSource.CLOSED;
      show(ended ? "Not live: reload the page" : "Reconnecting", ended ? "Try again" : "Pause", "lost");
    };
  };
  const stop = () => {
    source.close();
    source = null;
    show("Paused", "Go on", "paused");
  };
  button.addEventListener("click", () => {
    if (source && source.readyState !== EventSource.CLOSED) {
      stop();
    } else {
      start();
    }
  });
  start();
}
