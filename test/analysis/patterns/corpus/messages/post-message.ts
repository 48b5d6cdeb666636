const PARTNER = "https://widget.example.com";
const ALLOWED = ["https://a.example.com", "https://b.example.com"];

interface Command {
  readonly kind: string;
  readonly token: string;
}

// wrong: CWE-346 no look at the origin
window.addEventListener("message", (event) => {
  localStorage.setItem("token", event.data.token);
});

// right: CWE-346 origin is compared first
window.addEventListener("message", (event: MessageEvent<Command>) => {
  if (event.origin !== PARTNER) return;
  localStorage.setItem("token", event.data.token);
});

// right: CWE-346 origin is one of a list
window.addEventListener("message", ({ origin, data }: MessageEvent<Command>) => {
  if (!ALLOWED.includes(origin)) return;
  localStorage.setItem("kind", data.kind);
});

window.addEventListener("message", (event) => {
  // wrong: CWE-346 includes also matches example.com.evil.test
  if (event.origin.includes("example.com")) {
    localStorage.setItem("token", event.data.token);
  }
});

window.addEventListener("message", (event) => {
  // wrong: CWE-346 pattern without anchors
  if (/widget\.example\.com/.test(event.origin)) {
    localStorage.setItem("token", event.data.token);
  }
});

window.addEventListener("message", (event) => {
  // right: CWE-346 anchored pattern
  if (/^https:\/\/[a-z]+\.example\.com$/.test(event.origin)) {
    localStorage.setItem("token", event.data.token);
  }
});

// wrong: CWE-346 handler property without a look
window.onmessage = (event) => {
  document.title = event.data.title;
};

// right: CWE-346 handler property with a comparison
window.onmessage = (event) => {
  if (event.origin === window.location.origin) document.title = event.data.title;
};

export function sendToken(token: string): void {
  // wrong: CWE-346 token for whoever embeds this page
  window.parent.postMessage({ token }, "*");
  // right: CWE-346 named receiver
  window.parent.postMessage({ token }, PARTNER);
}

export function sendToFrame(frame: HTMLIFrameElement, session: string): void {
  // wrong: CWE-346 star as target of a session
  frame.contentWindow?.postMessage(session, "*");
  // right: CWE-346 origin in the options
  frame.contentWindow?.postMessage(session, { targetOrigin: PARTNER });
}

const worker = new Worker(new URL("./worker.js", import.meta.url));
// right: CWE-346 a worker has no target origin
worker.postMessage({ start: true });
// right: CWE-346 messages of a worker come from ourselves
worker.addEventListener("message", (event) => console.log(event.data));

const channel = new MessageChannel();
// right: CWE-346 a port is private
channel.port1.onmessage = (event) => console.log(event.data);
