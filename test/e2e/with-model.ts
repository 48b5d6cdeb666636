import { afterEach } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { createWorld, type World } from "./world.ts";

type Script = Parameters<typeof startScriptedModel>[0];
type Files = NonNullable<NonNullable<Parameters<typeof createWorld>[0]>["files"]>;

/** For the tests of a file, each of which begins a world of its own with a scripted model; both end with it. */
export function worldWithModel() {
  let world: World | undefined;
  let model: ScriptedModel | undefined;
  afterEach(async () => {
    await world?.expectGoodManners();
    await world?.end();
    await model?.stop();
    world = model = undefined;
  });
  return {
    get world() {
      return world!;
    },
    get model() {
      return model!;
    },
    /** @param script undefined: without a model. @param variables of Forge's environment, besides those that name the model */
    begin: async (script: Script | undefined, files: Files, variables: Readonly<Record<string, string>> = {}) => {
      model = script && (await startScriptedModel(script));
      world = await createWorld({ files, environment: { ...model?.environment, ...variables } });
      return world;
    },
  };
}
