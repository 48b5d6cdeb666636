/** A change with findings that become comments, and findings that are annotations only. */
export const CHANGE: Readonly<Record<string, string>> = {
  "src/same.ts": `export function same(a: number, b: number): boolean {
  const limit = 3;
  limit = 4;
  return a === a && b < limit;
}
`,
  "src/wait.ts": `export function wait(done: boolean): string {
  debugger;
  if (done = true) return "done";
  return "waiting"
}
`,
};

/** The same files without faults. */
export const REPAIR: Readonly<Record<string, string>> = {
  "src/same.ts": "export function same(a: number, b: number): boolean {\n  return a === b;\n}\n",
  "src/wait.ts": 'export function wait(done: boolean): string {\n  return done ? "done" : "waiting";\n}\n',
};
