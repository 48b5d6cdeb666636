import type { Account, App } from "../records.ts";
import { nextId, now, type World } from "../world.ts";

/** GitHub Actions has this id on github.com: https://api.github.com/apps/github-actions */
const ACTIONS = { slug: "github-actions", name: "GitHub Actions", appId: 15_368 };

/** Whose name stands over a check that another App writes. It is registered when it is first heard of, and told of nothing. */
export function ciApp(world: World, slug: string = ACTIONS.slug): App {
  const found = world.apps.find((each) => each.slug === slug);
  if (found) return found;
  const isActions = slug === ACTIONS.slug;
  const app: App = {
    appId: isActions ? ACTIONS.appId : nextId(world),
    clientId: `Iv1.${slug}`,
    slug,
    name: isActions ? ACTIONS.name : slug,
    owner: account(world, isActions ? "github" : `${slug}-owner`, "Organization"),
    bot: account(world, `${slug}[bot]`, "Bot"),
    publicKey: null,
    webhookUrl: "",
    webhookSecret: "",
    permissions: { checks: "write", deployments: "write", metadata: "read", statuses: "write" },
    events: [],
    createdAt: now(),
  };
  world.apps.push(app);
  return app;
}

function account(world: World, login: string, type: Account["type"]): Account {
  const found = world.accounts.get(login.toLowerCase());
  if (found) return found;
  const email = `${login}@users.noreply.github.com`;
  const made: Account = { id: nextId(world), login, type, email, name: null, members: new Map() };
  world.accounts.set(login.toLowerCase(), made);
  return made;
}
