import DOMPurify from "dompurify";

const params = new URLSearchParams(window.location.search);
const box = document.getElementById("box")!;

export function greet(): void {
  // wrong: CWE-79 innerHTML with a query value
  box.innerHTML = "Hello " + params.get("name");
}

export function greetText(): void {
  // right: CWE-79 textContent
  box.textContent = "Hello " + params.get("name");
}

export function greetPurified(): void {
  // right: CWE-79 purified
  box.innerHTML = DOMPurify.sanitize(params.get("name") ?? "");
}

export function fromHash(): void {
  // wrong: CWE-79 outerHTML with the fragment
  box.outerHTML = decodeURI(location.hash.slice(1));
}

export function insert(): void {
  const term = new URL(document.URL).searchParams.get("term");
  // wrong: CWE-79 insertAdjacentHTML
  box.insertAdjacentHTML("beforeend", `<li>${term}</li>`);
}

export function insertText(): void {
  // right: CWE-79 insertAdjacentText
  box.insertAdjacentText("beforeend", params.get("term") ?? "");
}

export function write(): void {
  // wrong: CWE-79 document.write with the referrer
  document.write("<p>You came from " + document.referrer + "</p>");
}

export function writeYear(): void {
  // right: CWE-79 a number of the clock
  document.write("<p>" + new Date().getFullYear() + "</p>");
}

export function fragment(): void {
  const range = document.createRange();
  // wrong: CWE-79 contextual fragment of storage
  box.append(range.createContextualFragment(sessionStorage.getItem("draft") ?? ""));
}

export function clear(): void {
  // right: CWE-79 emptied
  box.innerHTML = "";
}

export function template(): void {
  // right: CWE-79 constant markup
  box.innerHTML = "<ul class='list'><li>nothing yet</li></ul>";
}

export function frame(): void {
  const iframe = document.createElement("iframe");
  // wrong: CWE-79 srcdoc with a query value
  iframe.srcdoc = params.get("preview") ?? "";
  box.append(iframe);
}

export function link(): void {
  const anchor = document.createElement("a");
  // wrong: CWE-79 href may be javascript:
  anchor.href = params.get("link") ?? "#";
  box.append(anchor);
}

export function linkChecked(): void {
  const anchor = document.createElement("a");
  const url = new URL(params.get("link") ?? "/", location.origin);
  if (url.protocol !== "https:") return;
  // right: CWE-79 scheme is checked
  anchor.href = url.href;
  box.append(anchor);
}

export function handler(): void {
  // wrong: CWE-79 attribute that is code
  box.setAttribute("onclick", params.get("action") ?? "");
  // right: CWE-79 attribute that is text
  box.setAttribute("title", params.get("action") ?? "");
}
