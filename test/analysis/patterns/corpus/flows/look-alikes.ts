import { exec } from "./shell-free-runner";
import { query } from "./search-words";
import type { Request, Response } from "express";

class Element {
  innerHTML = "";
  append(text: string): void {
    this.innerHTML += text.length;
  }
}

class Sandbox {
  eval(text: string): number {
    return text.length;
  }

  write(text: string): string {
    return text.toUpperCase();
  }
}

const fs = {
  readFileSync: (name: string) => `memory:${name.length}`,
};

const localStorage = new Map<string, string>();
const document = { write: (text: string) => text.length };

export function handler(req: Request, res: Response) {
  const name = String(req.query.name);
  // right: CWE-94 method of our own class
  const a = new Sandbox().eval(name);
  // right: CWE-22 object of our own with a familiar name
  const b = fs.readFileSync(name);
  // right: CWE-79 object of our own with a familiar name
  const c = document.write(name);
  // right: CWE-922 a Map of memory
  localStorage.set("token", name);
  // right: CWE-79 field of our own class
  new Element().innerHTML = name;
  // right: CWE-79 method of our own class
  new Element().append(name);
  // right: CWE-79 method of our own class with a familiar name
  const d = new Sandbox().write(name);
  // right: CWE-78 function of our own module that counts words
  const e = exec(name);
  // right: CWE-89 function of our own module that splits words
  const f = query("select " + name);
  res.json({ a, b, c, d, e, f });
}

export function redirect(target: string): string {
  return `to ${target}`;
}

export function go(req: Request, res: Response) {
  // right: CWE-601 function of this file
  const text = redirect(String(req.query.to));
  res.json({ text });
}

export function fetchLocal(req: Request, res: Response) {
  const fetch = (key: string) => localStorage.get(key);
  // right: CWE-918 shadowed name
  res.json({ value: fetch(String(req.query.key)) });
}

export function math(req: Request, res: Response) {
  const Math = { random: () => 4 };
  // right: CWE-338 shadowed name
  const token = Math.random();
  res.json({ token, q: String(req.query.q).length });
}

export function verify(options: { algorithms: string[] }): boolean {
  // right: CWE-347 list for a message
  const names = ["none", "HS256"];
  return names.includes(options.algorithms[0] ?? "");
}

export function rejectUnauthorized(): { rejectUnauthorized: boolean } {
  // right: CWE-295 the strict value
  return { rejectUnauthorized: true };
}

// right: CWE-319 example in a text
export const help = "write http:// or https:// before the name";
// right: CWE-89 text of a lesson
export const lesson = "SELECT * FROM users WHERE name = '" + "Ada" + "'";
// right: CWE-798 word of an interface
export const passwordLabel = "Password";
// right: CWE-798 name of a variable
export const PASSWORD_VARIABLE = "DATABASE_PASSWORD";
// right: CWE-94 word in a list
export const forbidden = ["eval", "innerHTML", "document.write"];
