// Keeps a page up to date: hears which runs changed, loads the page again, and puts in what is different. Without it pages are read as they
// were loaded.
const main = document.querySelector("main[data-place]");
const status = document.querySelector("#live");
/** Milliseconds between two loads. */
const PACE = 1_000;
/** Milliseconds until a stream is asked for again that was refused. */
const AGAIN = 30_000;
let place = main?.dataset.place ?? "";
let source;
let isAsked = false;
let isLoading = false;
let isStale = false;

function say(text) {
  if (status && status.textContent !== text) status.textContent = text;
}

/** Details that a person opened stay open. */
function keepOpen(before, after) {
  for (const fold of before.querySelectorAll("details[open][id]")) {
    after.querySelector(`#${CSS.escape(fold.id)}`)?.setAttribute("open", "");
  }
}

/** What a person has typed and not sent stays as well, also where they looked elsewhere since. */
function keepTyped(before, after) {
  for (const field of before.querySelectorAll("input[id]")) {
    const same = after.querySelector(`#${CSS.escape(field.id)}`);
    if (same && field.value !== field.defaultValue) same.value = field.value;
  }
}

function putIn(fresh) {
  for (const part of main.querySelectorAll("[data-live]")) {
    const after = fresh.querySelector(`#${CSS.escape(part.id)}`);
    if (!after) continue;
    // A part with the keyboard's focus is left alone: a person may be writing there.
    if (part.contains(document.activeElement)) continue;
    keepOpen(part, after);
    keepTyped(part, after);
    if (part.innerHTML !== after.innerHTML) part.replaceWith(document.adoptNode(after));
  }
  const heading = main.querySelector("h1");
  const said = fresh.querySelector("h1")?.textContent;
  if (heading && said && heading.textContent !== said) heading.textContent = said;
}

async function load() {
  isAsked = false;
  isLoading = true;
  isStale = false;
  try {
    const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
    if (answer.ok) putIn(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The stream says whether the connection is lost.
  } finally {
    isLoading = false;
    if (isStale) loadSoon();
  }
}

function loadSoon() {
  if (isLoading) isStale = true;
  else if (!isAsked) {
    isAsked = true;
    setTimeout(load, PACE);
  }
}

function listen() {
  if (source || document.hidden) return;
  source = new EventSource(`/live?after=${place}`);
  source.addEventListener("place", () => say(status.dataset.on));
  source.addEventListener("changed", (event) => {
    place = event.lastEventId;
    const { runs, many } = JSON.parse(event.data);
    if (many || main.dataset.run === "" || runs.includes(main.dataset.run)) loadSoon();
  });
  source.addEventListener("ended", () => {
    close();
    say(status.dataset.ended);
  });
  source.addEventListener("error", () => {
    say(status.dataset.lost);
    // Browsers connect again by themselves, but not after an answer that is an error: a proxy's while Forge starts again, or ours that it is full.
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    setTimeout(listen, AGAIN);
  });
}

function close() {
  source?.close();
  source = undefined;
}

if (main && status) {
  // Browsers keep few connections to a host: a page that nobody looks at gives its own back.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : listen()));
  listen();
}
