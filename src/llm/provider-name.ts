/** Hosts whose prices are listed under a name of their own. */
const NAMES: Readonly<Record<string, string>> = {
  "api.openai.com": "openai",
  "openrouter.ai": "openrouter",
  "api.mistral.ai": "mistral",
  "api.deepseek.com": "deepseek",
  "api.groq.com": "groq",
  "api.together.xyz": "together",
  "api.fireworks.ai": "fireworks",
  "api.x.ai": "x-ai",
};

/** How an endpoint with OpenAI's interface is called in prices and logs. */
export function findProviderName(baseUrl: string): string {
  return NAMES[new URL(baseUrl).hostname] ?? "openai-compatible";
}
