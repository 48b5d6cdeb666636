import { describeInSandbox } from "../../needs/sandbox.ts";
import { OF_EACH_KIND, STRIKES, tryStrikes, useTrials } from "./try-strikes.ts";

describeInSandbox("demonstrations of a model that obeys (REV-4, SEC-1)", () => {
  tryStrikes(
    Object.keys(STRIKES).filter((name) => !OF_EACH_KIND.includes(name)),
    useTrials(),
  );
});
