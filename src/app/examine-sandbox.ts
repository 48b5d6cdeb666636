import { openReaderPlace } from "../analysis/reader/start-reader.ts";
import type { Examination } from "../cli/doctor.ts";
import { openSandbox } from "../workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../workspace/sandbox/sandbox.ts";
import { readSurroundings } from "../workspace/sandbox/surroundings.ts";
import { lacksOf } from "./sandbox-advice.ts";

const SEE_DOCS = "see docs/sandbox.md for what it needs";
const OPEN_FILES =
  "let everybody read Forge's folder and start Forge with umask 022, or run it as an ordinary user; see docs/sandbox.md";

/** Who sees to it that a run keeps to its memory. */
function memoryOf({ controlGroups }: Sandbox): string {
  return controlGroups === undefined
    ? "No control groups can be made here, so memory is counted from outside: see docs/sandbox.md"
    : `The kernel holds each run to its memory (control groups, version ${controlGroups})`;
}

/** Whether the sandbox holds (SEC-1), and whether Forge's own analyzers run in it. Tested once in this process. */
export async function examineSandbox(): Promise<Examination> {
  const what = "sandbox";
  const sandbox = await openSandbox();
  if ("unavailable" in sandbox) {
    const lacks = process.platform === "linux" ? lacksOf(await readSurroundings(process.env)) : [];
    const why = [sandbox.unavailable, ...lacks.map((lack) => lack.what)].join(" ");
    const detail = `${why} No code of projects is run, and Forge's own analyzers are child processes with limits`;
    return { what, state: "warning", detail, advice: [...lacks.map(({ advice }) => advice), SEE_DOCS].join("; ") };
  }
  const place = await openReaderPlace();
  if ("beside" in place) {
    const detail = `holds, but Forge's own analyzers run outside of it, as child processes with limits. ${place.beside}`;
    return { what, state: "warning", detail, advice: OPEN_FILES };
  }
  return { what, state: "ok", detail: `holds, and Forge's own analyzers run in it. ${memoryOf(sandbox)}` };
}
