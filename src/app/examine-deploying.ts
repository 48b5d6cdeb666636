import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { Examination } from "../cli/doctor.ts";
import { reachSources } from "../monitoring/reach-sources.ts";
import type { Config } from "./config.ts";

/** The operator's program that deploys, which is looked at and not started. */
export async function examineProgram({ deployProgram: path }: Pick<Config, "deployProgram">): Promise<Examination> {
  const what = "deploy program";
  if (path === undefined) {
    const detail = "none is set up; `way: program` in a forge.yml cannot deploy";
    return {
      what,
      state: "off",
      detail,
      advice: "set FORGE_DEPLOY_PROGRAM where you want it (docs/guides/deploying.md)",
    };
  }
  const advice = "set FORGE_DEPLOY_PROGRAM to a program that may be run here (chmod +x)";
  try {
    if (!(await stat(path)).isFile()) return { what, state: "wrong", detail: `${path} is no file`, advice };
    await access(path, constants.X_OK);
    return { what, state: "ok", detail: `${path} can be run; it is not tried here` };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return { what, state: "wrong", detail: `${path} ${isMissing ? "does not exist" : "may not be run"}`, advice };
  }
}

/** Every address once: what is watched must answer before a deployment depends on it. To be asked last: each may take its time. */
export async function* examineSources({ sources }: Pick<Config, "sources">): AsyncGenerator<Examination, void, void> {
  const watched = Object.keys(sources.repositories).length;
  const doors = Object.keys(sources.doors).length;
  if (watched + doors === 0) {
    const detail = "none are set up; Forge watches no deployment";
    yield { what: "sources", state: "off", detail, advice: "set FORGE_SOURCES (docs/operations.md)" };
    return;
  }
  const advice = "check the address, the token and the names of the metrics in the file of FORGE_SOURCES";
  for (const { of, state, detail } of await reachSources(sources))
    yield { what: `source ${of}`, state, detail, advice };
  if (doors > 0) {
    const names = Object.keys(sources.doors).map((name) => `/api/feedback/${name}`);
    yield { what: "feedback", state: "ok", detail: `taken at ${names.join(", ")}` };
  }
}
