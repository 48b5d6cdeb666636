/** Words of documentation and templates; long enough that random characters do not spell them. */
const PLACEHOLDER_WORDS =
  /example|sample|placeholder|change[-_]?me|dummy|redacted|replace|insert|your[-_]|<|>|\$\{|\{\{|\$\(|%\(|x{5}|\*{3}|\.{3}|0{8}|1234567|abcdefg|deadbeef/i;

/** Passwords that protect nothing: defaults of images and of documentation, and variables of shells and templates. */
const COMMON_PASSWORD =
  /^(?:password|passw0rd|passwd|pass|pwd|secret|test|testing|user|username|admin|root|postgres|mysql|mongo|redis|guest|foo|bar|baz|token|key|x+|\*+|\$.*|%.*|__.*__)\d{0,4}$/i;

const LOCAL_HOST =
  /@(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w.-]*\.?example(?:\.[a-z]+)?)(?:[:/?#]|$)/i;

/** Whether a match is a stand-in that people write where a secret will be, or a credential that opens nothing. */
export function isPlaceholder(rule: string, match: string, value: string): boolean {
  if (PLACEHOLDER_WORDS.test(value)) return true;
  if (rule === "url-credentials") {
    const user = /:\/\/([^:]*):/.exec(match)?.[1];
    return COMMON_PASSWORD.test(value) || value === user || LOCAL_HOST.test(match);
  }
  return new Set(value.slice(-20)).size < 6;
}
