const SECTION_LINES = 80;

/** The text below each heading of Python's reports, as far as the next heading or a ruler. */
export function sections(lines: readonly string[], heading: RegExp): Map<string, string> {
  const found = new Map<string, string>();
  let name: string | undefined;
  let body: string[] = [];
  const close = () => {
    if (name !== undefined && !found.has(name)) found.set(name, body.join("\n").trim());
    name = undefined;
    body = [];
  };
  for (const line of lines) {
    const next = heading.exec(line)?.[1];
    if (next !== undefined) {
      close();
      name = next;
    } else if (/^={5,}/.test(line)) close();
    else if (name !== undefined && body.length < SECTION_LINES && !/^-{20,}$/.test(line)) body.push(line);
  }
  close();
  return found;
}
