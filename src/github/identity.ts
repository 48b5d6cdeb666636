import { z } from "zod";
import type { AppClient } from "./app-client.ts";
import { createAsk } from "./ask.ts";

const App = z.object({
  slug: z.string(),
  name: z.string(),
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
  /** GitHub says it only to the App itself. */
  installations_count: z.number().optional(),
});
const Webhook = z.object({ url: z.string().nullish(), content_type: z.string().nullish() });
export type App = z.infer<typeof App>;

/** Who Forge is on GitHub. Asked once and kept: an App's slug changes only when somebody renames it. */
export interface Identity {
  /** The login under which Forge writes: `<slug>[bot]`. */
  login(): Promise<string>;
}

export function createIdentity(client: AppClient): Identity {
  let known: Promise<string> | undefined;
  return {
    login: () => {
      known ??= readApp(client).then(({ slug }) => `${slug}[bot]`);
      // A failure is not kept: the next one who asks tries again.
      known.catch(() => {
        known = undefined;
      });
      return known;
    },
  };
}

/** The App as GitHub describes it: what it may do, and what it is told. */
export async function readApp(client: AppClient): Promise<App> {
  return createAsk(await client.app(), undefined).ask(App, "GET /app");
}

/** Where GitHub sends its webhooks to, and in which form. */
export async function readWebhook(client: AppClient): Promise<z.infer<typeof Webhook>> {
  return createAsk(await client.app(), undefined).ask(Webhook, "GET /app/hook/config");
}
