import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../simulator/free-port.ts";
import { type Metrics, SCRAPE_SECONDS } from "./metrics.ts";
import { startProgram } from "./program.ts";

const READY_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** The real one, which finds what it reads in a file. @throws Error with what it says when it does not start */
export async function startPrometheus(file: string, folder: string): Promise<Metrics> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const targetsFile = join(folder, "targets.json");
  const configuration = join(folder, "prometheus.yml");
  await writeFile(targetsFile, "[]");
  await writeFile(
    configuration,
    `global: { scrape_interval: ${SCRAPE_SECONDS}s, scrape_timeout: ${SCRAPE_SECONDS}s }
scrape_configs:
  - job_name: postage
    file_sd_configs: [{ files: [${JSON.stringify(targetsFile)}], refresh_interval: 1s }]
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
    watch: async (targets) => {
      const groups = targets.map((target) => ({
        targets: [`127.0.0.1:${target.port}`],
        labels: { environment: target.environment },
      }));
      // Half a file is read by nobody.
      await writeFile(`${targetsFile}.new`, JSON.stringify(groups));
      await rename(`${targetsFile}.new`, targetsFile);
    },
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
