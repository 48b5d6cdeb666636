// biome-ignore lint/performance/noBarrelFile: the demo has the same model, and tests of models look for it here.
export {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
