import { type ScriptedModel, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { CART, FORGETFUL } from "../e2e/cart.ts";
import { ASK_FOR_MONEY, spender } from "../e2e/gated.ts";
import { openPull } from "../e2e/pulls.ts";
import { createWorld, type World } from "../e2e/world.ts";

export interface GatedShop {
  readonly world: World;
  /** Where people reach the pages. */
  readonly home: string;
  end(): Promise<void>;
}

/** Pages that people can sign in to, and a review of acme/shop#1 that waits for a word on its budget. */
export async function openGatedShop(environment: Readonly<Record<string, string>> = {}): Promise<GatedShop> {
  const model: ScriptedModel = await startScriptedModel(spender);
  const files = { ...CART, ".github/forge.yml": ASK_FOR_MONEY };
  const world = await createWorld({ files, signIn: true, environment: { ...model.environment, ...environment } });
  world.github.createAccount("eve");
  await openPull(world, { "src/total.js": FORGETFUL }, { branch: "topic" });
  await world.settled();
  const home = `http://127.0.0.1:${world.forge?.port}`;
  const end = async () => {
    await world.end();
    await model.stop();
  };
  return { world, home, end };
}
