/** Lines of a table with a head (RFC 4180): fields in quotes may hold commas, line breaks and doubled quotes. */
export function readCsv(text: string): Readonly<Record<string, string>>[] {
  const rows: string[][] = [[]];
  let field = "";
  let quoted = false;
  const end = () => {
    rows.at(-1)!.push(field);
    field = "";
  };
  for (let at = 0; at < text.length; at += 1) {
    const next = text[at]!;
    if (quoted) {
      if (next !== '"') field += next;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (next === '"') quoted = true;
    else if (next === ",") end();
    else if (next === "\n") {
      end();
      rows.push([]);
    } else if (next !== "\r" && next !== "\ufeff") field += next;
  }
  if (field !== "" || rows.at(-1)!.length > 0) end();
  const [head = [], ...lines] = rows.filter((row) => row.length > 1);
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] ?? ""])));
}
