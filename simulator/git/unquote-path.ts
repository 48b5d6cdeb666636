const ESCAPES: Record<string, number> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, '"': 34, "\\": 92 };

/** Decodes a path that git has put in quotes because of special or non-ASCII bytes; other paths come back as they are. */
export function unquotePath(path: string): string {
  if (!path.startsWith('"')) return path;
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escaped !== undefined) bytes.push(ESCAPES[escaped] ?? escaped.charCodeAt(0));
    else bytes.push(...Buffer.from(plain ?? ""));
  }
  return Buffer.from(bytes).toString();
}
