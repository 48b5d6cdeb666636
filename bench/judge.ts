// How often the judge rolls back good deployments, and bad ones: `npm run bench:judge [-- --seed <n> --deployments <n> --json <file>]`.
// Tuned on seeds 1 and 3; the published figures are of seeds 4 and 5. `--alone`: only the judge, without what it is compared with. With
// `--kayenta` instead: Kayenta's own labeled cases.
import { parseArgs } from "node:util";
import { JudgeSettings, type Sample } from "../src/domain/samples.ts";
import { type Deployment, deploymentOf, FAULTS } from "./judge/deployments.ts";
import { measureKayentasCases } from "./judge/kayenta.ts";
import { byForge, byRanks, byThresholds, type Judging } from "./judge/others.ts";
import { median, type Result, report } from "./report.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "2" },
    deployments: { type: "string", default: "1000" },
    json: { type: "string" },
    kayenta: { type: "boolean", default: false },
    alone: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const count = Number(values.deployments);

interface Outcome {
  readonly deployment: Deployment;
  readonly ended: "rolled_back" | "through" | "asked";
  readonly met: number;
}

/** A person who is asked lets it go on: what is asked about is not found by that. */
function follow(deployment: Deployment, judging: Judging): Outcome {
  let isAsked = false;
  const earlier: Sample[] = [];
  for (const step of deployment.steps.keys()) {
    const { least, most } = deployment.looks(step);
    const samples: Sample[] = [];
    for (let at = 0; at < most; at += 1) {
      samples.push(deployment.look(step, at));
      const isOver = at + 1 >= least;
      const answer = judging(samples, isOver, step === 0, earlier);
      if (answer === "roll_back") return { deployment, ended: "rolled_back", met: deployment.met() };
      if (isOver && answer === "go_on") break;
      if (at + 1 === most) isAsked = true;
    }
    earlier.push(...samples);
  }
  return { deployment, ended: isAsked ? "asked" : "through", met: deployment.met() };
}

const WAYS: Readonly<Record<string, Judging>> = {
  "the judge": byForge(JudgeSettings.parse({})),
  "twice, two looks running": byThresholds,
  "Mann-Whitney at 98 %, any metric": byRanks(100),
  "Mann-Whitney at 98 %, 75 points": byRanks(75),
};

/** Classes of traffic; `most`: percent of the good ones that people may be asked about. */
const CLASSES: readonly { name: string; from: number; to: number; most?: number }[] = [
  { name: "below 50", from: 0, to: 50 },
  { name: "50 to 500", from: 50, to: 500 },
  { name: "500 and more", from: 500, to: Number.POSITIVE_INFINITY, most: 15 },
];

function measure(): Result[] {
  const ways = Object.entries(WAYS).slice(0, values.alone ? 1 : undefined);
  return ways.flatMap(([name, judging], at) => {
    const isOurs = at === 0;
    const all = (isBad: boolean) =>
      Array.from({ length: count }, (_, at) =>
        follow(deploymentOf(seed * 1_000_000 + (isBad ? 500_000 : 0) + at, isBad), judging),
      );
    const which = (outcomes: readonly Outcome[], ended: Outcome["ended"]) =>
      outcomes.filter((one) => one.ended === ended);
    const [good, bad] = [all(false), all(true)];
    const most = Math.floor((2 * count) / 1_000);
    const falsely = which(good, "rolled_back").length;
    const plain = bad.filter(({ deployment }) => deployment.times > 2 && deployment.enough);
    const found = which(plain, "rolled_back");
    const share = (outcomes: readonly Outcome[]) => (100 * which(outcomes, "rolled_back").length) / outcomes.length;
    const goals = isOurs
      ? [
          { goal: `at most ${most}`, met: falsely <= most },
          { goal: "at least 95 %", met: share(plain) >= 95 },
        ]
      : [];
    const line = (what: string, value: number, unit: string, goal: Partial<Result> = {}): Result => {
      return { name: `${name}: ${what}`, value, unit, ...goal };
    };
    return [
      line("good ones rolled back", falsely, `of ${count}`, goals[0]),
      line("good ones that a person was asked about", which(good, "asked").length, `of ${count}`),
      ...CLASSES.map(({ name, from, to, most }) => {
        const its = good.filter(({ deployment: { requests } }) => requests >= from && requests < to);
        const asked = (100 * which(its, "asked").length) / its.length;
        const classGoal = isOurs && most !== undefined ? { goal: `at most ${most} %`, met: asked <= most } : {};
        return line(`  ${name} requests a look at 5 %`, asked, `% of ${its.length}`, classGoal);
      }),
      line("bad ones above twice, with enough traffic, rolled back", share(plain), `% of ${plain.length}`, goals[1]),
      ...FAULTS.map((fault) => {
        const its = plain.filter(({ deployment }) => deployment.fault === fault);
        return line(`  ${fault.replace("_", " ")}`, share(its), `% of ${its.length}`);
      }),
      line(
        "requests that met such a version before it was rolled back, median",
        median(found.map(({ met }) => met)),
        "",
      ),
      line("all bad ones rolled back", which(bad, "rolled_back").length, `of ${count}`),
      line("bad ones that a person was asked about", which(bad, "asked").length, `of ${count}`),
      line("bad ones that went through without a question", which(bad, "through").length, `of ${count}`),
    ];
  });
}

if (values.kayenta) report("Kayenta's labelled cases", measureKayentasCases());
else report(`${count} good and ${count} bad deployments, seed ${seed}`, measure());
