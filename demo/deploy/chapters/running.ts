import { POSTAGE } from "../../github.ts";
import { mainOf } from "../../implement/look.ts";
import type { Telling } from "../../telling.ts";
import { until } from "../../until.ts";
import { type Company, ENVIRONMENTS, LOAD, WORKFLOW } from "../company.ts";

const LIMIT_MS = 60_000;
/** Enough that there is a time before to compare with. */
const ANSWERS = 200;

/** The service runs already, deployed by its own workflow before Forge came, and customers ask it. Resolves with the commit that runs. */
export async function running({ stage, screen, expectations }: Telling, { servers }: Company): Promise<string> {
  const { github, signal, forge } = stage;
  screen.step("A service runs in staging and in production, and customers use it");
  const sha = await mainOf(stage, POSTAGE);
  for (const environment of ENVIRONMENTS) {
    await servers.deploy(environment, sha, 100);
    await github.workflows(POSTAGE).deployed({ sha, environment, path: WORKFLOW, by: "ana" });
  }
  const answers = async () => {
    const counts = await servers.counts("production");
    return (counts[`${sha} 200`] ?? 0) >= ANSWERS ? counts : undefined;
  };
  const counts = await until("customers are answered", answers, { signal, limitMs: LIMIT_MS, unless: forge.died });
  screen.say(
    `${POSTAGE} says what a parcel costs: ${LOAD.production} requests a second in production, ${LOAD.staging} in staging.`,
    `Router   ${servers.router === "haproxy" ? "HAProxy" : "part of this demo, because HAProxy is not installed"}`,
    `Metrics  ${servers.metrics === "prometheus" ? "Prometheus" : "part of this demo, because Prometheus is not installed"}`,
    `Forge    deploys each merge to staging, and to production at 5, 25 and 100 % of the traffic (.github/forge.yml).`,
  );
  expectations.expect("production answers every customer", Object.keys(counts), [`${sha} 200`]);
  return sha;
}
