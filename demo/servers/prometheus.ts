import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../simulator/free-port.ts";
import { type Metrics, SCRAPE_SECONDS, type Target } from "./metrics.ts";
import { startProgram } from "./program.ts";

const READY_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** The real one. @throws Error with what it says when it does not start */
export async function startPrometheus(file: string, folder: string, targets: readonly Target[]): Promise<Metrics> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const groups = targets.map((target) => ({
    targets: [`127.0.0.1:${target.port}`],
    labels: { environment: target.environment },
  }));
  const configuration = join(folder, "prometheus.yml");
  await writeFile(
    configuration,
    `global: { scrape_interval: ${SCRAPE_SECONDS}s, scrape_timeout: ${SCRAPE_SECONDS}s }
scrape_configs:
  - job_name: postage
    static_configs: ${JSON.stringify(groups)}
`,
  );
  const address = `http://127.0.0.1:${port}`;
  const program = startProgram(file, [
    `--config.file=${configuration}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=warn",
  ]);
  const end = performance.now() + READY_MS;
  while (!(await isReady(address))) {
    if (performance.now() > end) {
      program.kill();
      throw new Error(`Prometheus does not start: ${program.said()}`);
    }
    await pause(LOOK_EVERY_MS);
  }
  return {
    kind: "prometheus",
    address,
    stop: () => program.stop(),
    kill: () => program.kill(),
  };
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/-/ready`)).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}
