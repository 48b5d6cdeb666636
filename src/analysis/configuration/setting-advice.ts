import { quoted } from "./unquoted-texts.ts";

/** How a value of the wrong type is written right, as it follows the complaint: an example made of what was written, or none. */
export function exampleOf(key: string, expected: string, value: unknown, ofProgram: boolean): string {
  const right = mended(expected, value, ofProgram);
  return right === undefined ? "" : `: write \`${key}: ${right}\``;
}

function mended(expected: string, value: unknown, ofProgram: boolean): string | undefined {
  const text =
    typeof value === "string"
      ? value.replace(/^[\u201c\u201d\u201e\u2018\u2019\u00ab]|[\u201c\u201d\u2019\u00bb]$/g, "")
      : "";
  switch (expected) {
    case "boolean":
      if (["true", "yes", "on", "1"].includes(text.toLowerCase()) || value === 1) return "true";
      return ["false", "no", "off", "0"].includes(text.toLowerCase()) || value === 0 ? "false" : undefined;
    case "int":
    case "number":
      return /^\d{1,6}$/.test(text.trim()) ? text.trim() : undefined;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? `"${value}"` : undefined;
    case "array": {
      if (typeof value !== "string" || text === "" || /[`\n]/.test(text) || text.length > 60) return undefined;
      const items = ofProgram ? text.split(/\s+/) : text.split(/,\s*/);
      return `[${items.filter(Boolean).map(quoted).join(", ")}]`;
    }
    default:
      return undefined;
  }
}

/** What is wrong with the text that stands where a group of settings is expected, as it follows the complaint. */
export function groupAdvice(value: unknown): string {
  if (Array.isArray(value)) return ", without dashes before the names";
  if (typeof value !== "string") return "";
  const [, name, rest] = /^([\w-]{1,40})\s*[:=]\s*([^\s`][^`\n]{0,40})$/.exec(value) ?? [];
  return name === undefined
    ? ", each as `name: value` on a line of its own"
    : `: write \`${name}: ${rest}\`, with a space after the colon`;
}
