import { LitElement, html } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { unsafeSVG } from "lit/directives/unsafe-svg.js";

export class NewsElement extends LitElement {
  static override properties = { body: {} };
  declare body: string;

  override render() {
    // wrong: CWE-79 unsafeHTML with a property
    return html`<article>${unsafeHTML(this.body)}</article>`;
  }
}

export class NewsTextElement extends LitElement {
  static override properties = { body: {} };
  declare body: string;

  override render() {
    // right: CWE-79 text binding of lit
    return html`<article>${this.body}</article>`;
  }
}

export class LogoElement extends LitElement {
  override render() {
    // right: CWE-79 constant drawing
    return html`<svg>${unsafeSVG("<circle r='4' />")}</svg>`;
  }
}

const output = document.querySelector<HTMLElement>("#output")!;
const socket = new WebSocket("wss://chat.example.com/room");

socket.addEventListener("message", (event) => {
  // wrong: CWE-79 chat message as markup
  output.innerHTML += `<p>${JSON.parse(event.data).text}</p>`;
});

socket.addEventListener("message", (event) => {
  const line = document.createElement("p");
  // right: CWE-79 chat message as text
  line.innerText = JSON.parse(event.data).text;
  output.append(line);
});

window.addEventListener("message", (event) => {
  // wrong: CWE-79 message of any window as markup
  output.innerHTML = event.data;
});

export async function load(): Promise<void> {
  const answer = await fetch("/api/notice");
  const notice = await answer.json();
  // wrong: CWE-79 answer of an interface as markup
  output.insertAdjacentHTML("afterbegin", "<p>" + notice.text + "</p>");
  // right: CWE-79 node list of text
  output.replaceChildren(document.createTextNode(notice.text));
}

export function count(items: string[]): void {
  // right: CWE-79 a length
  output.innerHTML = `<b>${items.length}</b> items`;
}

class Report {
  innerHTML = "";
}

export function ownObject(): Report {
  const report = new Report();
  // right: CWE-79 a field of our own object, never in a document
  report.innerHTML = location.search;
  return report;
}
