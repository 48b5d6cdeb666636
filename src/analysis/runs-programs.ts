import { shortenBlanks } from "./short-blanks.ts";

/** Calls that run text, load programs or start them, in any language. */
const DANGER =
  /\b(?:eval|exec|execSync|execFile|spawn|spawnSync|system|popen|passthru|shell_exec|proc_open|assert|Function|require|import|__import__|compile|atob|setTimeout|dlopen|load|loadstring|Invoke-Expression|iex|instance_eval|class_eval)\s{0,3}\(\s{0,3}[\w"'`$@[{(\\/]|\bchild_process\b|\bos\.system\b|\bsubprocess\b|\bprocess\.(?:argv|env|binding|mainModule)\b|<\?(?:php\b|=)|<script\b|\bjavascript:|\b(?:curl|wget)\b(?:(?!\b(?:curl|wget)\b)[^\n|]){0,300}\|\s{0,3}(?:sudo\s{1,9})?(?:ba|z|da|k)?sh\b|\/dev\/tcp\/|\bbase64\s{1,9}(?:-d|--decode)\b/;

/** Whether a text calls what runs text, loads programs or starts them. */
export function runsPrograms(text: string): boolean {
  return DANGER.test(shortenBlanks(text));
}
