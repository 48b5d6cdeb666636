interface NodeTestArguments {
  /** Options of Node that the project's tests need, such as a loader. */
  readonly options: readonly string[];
  /** Which files it takes for tests, where it says so. */
  readonly patterns: readonly string[];
}

const NONE: NodeTestArguments = { options: [], patterns: [] };

/** Options with which code is loaded; the others say how tests are reported, which is ours to choose. */
const LOADING =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--env-file(?:-if-exists)?|--experimental-(?!test-coverage)[\w-]+|--no-experimental-[\w-]+|--no-warnings|--disable-warning|--enable-source-maps|--expose-gc|--test-isolation|--test-global-setup|--test-setup)(?:=|$)/;
const WITH_VALUE =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--disable-warning|--test-global-setup|--test-setup|--test-reporter|--test-reporter-destination|--test-concurrency|--test-timeout|--test-name-pattern|--test-isolation)$/;

/**
 * What the project's own `node --test` script says beside that, read and never run: `npm test` would need npm, and would report as it
 * likes. A script that is more than one command says nothing.
 * @param manifest text of package.json
 */
export function nodeTestArguments(manifest: string | undefined): NodeTestArguments {
  const script = testScript(manifest);
  if (!/^node\s/.test(script) || /[&|;<>`$\n]/.test(script)) return NONE;
  const [, ...words] = [...script.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  const options: string[] = [];
  const patterns: string[] = [];
  const rest = words.values();
  for (const word of rest) {
    if (!word.startsWith("-")) {
      patterns.push(word);
      continue;
    }
    const value = WITH_VALUE.test(word) ? [rest.next().value ?? ""] : [];
    if (LOADING.test(word)) options.push(word, ...value);
  }
  return { options, patterns };
}

function testScript(manifest: string | undefined): string {
  try {
    const parsed = JSON.parse(manifest ?? "{}") as { scripts?: Record<string, unknown> } | null;
    return typeof parsed?.scripts?.test === "string" ? parsed.scripts.test.trim() : "";
  } catch {
    return "";
  }
}
