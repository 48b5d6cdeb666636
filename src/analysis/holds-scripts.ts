import type { SourceFile } from "./source-file.ts";

/** Where a page or a picture runs something: elements, handlers, addresses, and what loads another document. */
const SCRIPT =
  /<\s*\/?(?:[\w-]+:)?(?:script|iframe|object|embed|foreignObject|meta\s[^>]{0,200}http-equiv|base\s|handler|animate\s[^>]{0,300}(?:href|on\w+))|[\s"'/](?:on[a-z]{3,30}|srcdoc|formaction)\s*=|(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*(?::|&colon;|&#0*58;|&#x0*3a;)|(?:href|src|action|to|values|from)\s{0,9}=\s{0,9}["']?[^"'>]{0,200}&#|data:(?:text\/html|image\/svg|text\/javascript|application\/)|<!ENTITY|<\?(?:php|xml-stylesheet|=)|expression\s*\(/i;

/** An expression or a module in Markdown with components. */
const MDX = /^(?:import|export)\b|\{(?!\/\*)/m;

/** Whether a page, a picture or a text with components holds anything that runs. */
export function holdsScripts({ language, text }: Pick<SourceFile, "language" | "text">): boolean {
  if (language?.name === "XSLT") return true;
  return SCRIPT.test(text) || (language?.name === "MDX" && MDX.test(withoutExamples(text)));
}

/** Without blocks and spans of code, which are shown and not run. */
export function withoutExamples(text: string): string {
  return text
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:(?! {0,3}\1)[^\n]*(?:\n|$))*(?: {0,3}\1[^\n]*)?/gm, "")
    .replace(/`[^`\n]{1,300}`/g, "");
}
