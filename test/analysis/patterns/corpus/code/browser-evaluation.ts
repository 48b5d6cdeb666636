export function runHash(): void {
  // wrong: CWE-94 code from the fragment
  eval(decodeURIComponent(location.hash.slice(1)));
}

export function runInterval(): void {
  const name = new URLSearchParams(window.location.search).get("callback");
  // wrong: CWE-94 string in setInterval
  window.setInterval(`${name}()`, 500);
}

export function runKnown(): void {
  const name = new URLSearchParams(window.location.search).get("callback");
  const callbacks: Record<string, () => void> = { open: () => console.log("open"), close: () => console.log("close") };
  const callback = name !== null && Object.hasOwn(callbacks, name) ? callbacks[name]! : callbacks.close!;
  // right: CWE-94 function out of a table
  window.setInterval(callback, 500);
}

export function addScript(): void {
  const script = document.createElement("script");
  // wrong: CWE-94 text of a script from storage
  script.textContent = localStorage.getItem("snippet");
  document.head.append(script);
}

export function addStyle(): void {
  const style = document.createElement("style");
  // right: CWE-94 constant text
  style.textContent = "body { margin: 0 }";
  document.head.append(style);
}

export function loadScript(): void {
  const script = document.createElement("script");
  // wrong: CWE-94 address of a script from the location
  script.src = new URL(location.href).searchParams.get("plugin") ?? "";
  document.body.append(script);
}

export function parse(text: string): unknown {
  // right: CWE-94 parsed and not evaluated
  return JSON.parse(text);
}

export class Interpreter {
  evaluate(text: string): number {
    return text.length;
  }
}

export function evaluateOwn(): number {
  // right: CWE-94 a method named evaluate of our own
  return new Interpreter().evaluate(location.search);
}

export function callMethod(target: Record<string, (value: string) => void>): void {
  const params = new URLSearchParams(location.search);
  // wrong: CWE-94 method of the window by a name of the address
  (window as unknown as Record<string, (value: string) => void>)[params.get("call")!]!(params.get("value")!);
  // right: CWE-94 constant method name
  target["open"]!(params.get("value")!);
}
