/** Whether brackets are nested deeper than this: a parser calls itself for each level. */
export function isNested(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    else if ((code === 0x29 || code === 0x5d || code === 0x7d) && depth > 0) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
