export function follow(): void {
  const next = new URLSearchParams(location.search).get("next");
  // wrong: CWE-601 assignment of a query value
  if (next) location.href = next;
}

export function followAssign(): void {
  const params = new URL(document.location.href).searchParams;
  // wrong: CWE-601 assign also takes javascript:
  window.location.assign(params.get("to")!);
}

export function followReplace(): void {
  // wrong: CWE-601 fragment as address
  window.location.replace(location.hash.substring(1));
}

export function followLocal(): void {
  const url = new URL(new URLSearchParams(location.search).get("next") ?? "/", location.origin);
  if (url.origin !== location.origin) return;
  // right: CWE-601 same origin is checked
  location.href = url.href;
}

export function followKnown(): void {
  const pages: Record<string, string> = { shop: "/shop", help: "/help" };
  const name = new URLSearchParams(location.search).get("page") ?? "";
  // right: CWE-601 table of constants
  location.assign(pages[name] ?? "/");
}

export function openWindow(): void {
  // wrong: CWE-601 opens a query value
  window.open(new URLSearchParams(window.location.search).get("popup") ?? undefined);
}

export function openHelp(): void {
  // right: CWE-601 constant window
  window.open("https://help.example.com/", "_blank", "noopener");
}

export function reload(): void {
  // right: CWE-601 the same page with an encoded part
  location.search = "?q=" + encodeURIComponent(document.querySelector("input")!.value);
}

export function listen(): void {
  window.addEventListener("message", (event) => {
    if (event.origin !== "https://account.example.com") return;
    // right: CWE-601 constant target of a checked message
    if (event.data === "logout") location.replace("/logout");
  });
}

export function referrer(): void {
  // wrong: CWE-601 referrer is chosen by others
  location.href = document.referrer;
}
