type Variables = Readonly<Record<string, string>>;

/** What a person chose of models, as variables of the environment. Each problem is a sentence of its own. */
export interface ModelChoice {
  readonly variables: Variables;
  readonly problems: readonly string[];
}

/** Of one interface: the variables of its key and its address. */
const PROVIDERS = {
  anthropic: { key: "ANTHROPIC_API_KEY", address: "ANTHROPIC_BASE_URL" },
  openai: { key: "OPENAI_API_KEY", address: "OPENAI_BASE_URL" },
} as const;

/** Characters of a key, an address or a name. */
const LONGEST = 500;
const PLAIN = /^[!-&(-~]*$/;

/** Reads the form of the model. What is left empty is not set, and the defaults of Forge hold. */
export function readModelChoice(form: URLSearchParams): ModelChoice {
  const problems: string[] = [];
  const field = (name: string, what: string) => {
    const text = (form.get(name) ?? "").trim();
    if (text.length <= LONGEST && PLAIN.test(text)) return text;
    problems.push(
      `${what} has spaces, quotes or letters that cannot be in it, or is longer than ${LONGEST} characters.`,
    );
    return "";
  };
  const provider = form.get("provider") === "openai" ? PROVIDERS.openai : PROVIDERS.anthropic;
  const [key, address] = [field("key", "The key"), field("address", "The address")];
  const [model, fast] = [field("model", "The name of the model"), field("fast", "The name of the fast model")];
  if (key === "" && address === "" && problems.length === 0)
    problems.push("Write a key, or the address of a service that needs none.");
  const url = address === "" ? undefined : URL.parse(address);
  if (url === null || (url && !/^https?:$/.test(url.protocol)))
    problems.push("The address is not an address: write it as https://models.example.com/v1.");
  const all = { [provider.key]: key, [provider.address]: address, FORGE_MODEL: model, FORGE_FAST_MODEL: fast };
  const variables = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  return { variables, problems };
}
