import { randomBytes } from "node:crypto";
import { deliverBesideReviews } from "./intake/beside-reviews.ts";
import { startChild } from "./intake/child.ts";
import { deliverAmongHostile } from "./intake/hostile.ts";
import { deliverLarge } from "./intake/large.ts";
import { pullRequestPayload } from "./intake/payload.ts";
import { compareRates, type RateOptions } from "./intake/rates.ts";
import { type Result, report } from "./report.ts";

/**
 * What the front door takes: Forge with durable storage beside a bare Probot that stores nothing, on this machine, in this run. Every
 * server and the load have a process of their own. `--seconds <n>` and `--rounds <n>` set how long it measures; with the defaults it
 * takes about a minute and a half. `--hostile` measures only deliveries among 500 hostile connections. `--with-reviews` also measures a whole Forge while it reviews four pull requests.
 */
const args = process.argv.slice(2);
function numberAfter(flag: string, fallback: number): number {
  const at = args.indexOf(flag);
  return at === -1 ? fallback : Number(args[at + 1]);
}

const secret = randomBytes(20).toString("hex");
if (args.includes("--hostile")) {
  report("Deliveries of 200 kB among hostile connections", await deliverAmongHostile(secret));
  process.exit();
}
const body = pullRequestPayload();
const common = { rounds: numberAfter("--rounds", 5), seconds: numberAfter("--seconds", 2), body, secret };

const forge = await startChild("forge-server.ts", secret);
const withoutStore = await startChild("forge-server.ts", secret, ["--no-store"]);
const probot = await startChild("probot-server.ts", secret);
const results: Result[] = [];
let taken = 0;
const goodRates: number[] = [];

for (const connections of [10, 50]) {
  const options: RateOptions = { ...common, connections };
  const [stored, unstored, bare] = await compareRates([forge, withoutStore, probot], options);
  taken += stored!.taken;
  goodRates.push(stored!.perSecond);
  results.push(
    {
      name: `deliveries a second, ${connections} connections, on disk before 202`,
      value: stored!.perSecond,
      unit: "/s",
      baseline: bare!.perSecond,
      goal: "at least 0.7 of a bare Probot",
      met: stored!.perSecond / bare!.perSecond >= 0.7,
    },
    {
      name: `the same without storing, ${connections} connections`,
      value: unstored!.perSecond,
      unit: "/s",
      baseline: bare!.perSecond,
    },
    {
      name: `p99 at ${connections} connections`,
      value: stored!.p99Ms,
      unit: "ms",
      baseline: bare!.p99Ms,
      ...(connections === 50 ? { goal: "under 100 ms, idle machine", met: stored!.p99Ms < 100 } : {}),
    },
  );
}

const [forged] = await compareRates([forge], { ...common, connections: 50, forged: true });
results.push({
  name: "forged deliveries refused a second, 50 connections",
  value: forged!.perSecond,
  unit: "/s",
  baseline: goodRates[1]!,
  goal: "at least as many as good ones are taken",
  met: forged!.perSecond >= goodRates[1]!,
});

const { rows } = await forge.ask<{ rows: number }>("stop");
results.push({
  name: "deliveries answered 202 that are not in the database",
  value: taken - rows,
  unit: `of ${taken.toLocaleString("en-US")}`,
  goal: "0",
  met: taken === rows,
});
for (const child of [forge, withoutStore, probot]) await child.end();

const fresh = await startChild("forge-server.ts", secret);
const large = await deliverLarge(fresh, secret);
await fresh.end();
results.push(
  {
    name: "six deliveries of 24.9 MB, three at a time, accepted",
    value: large.accepted.filter((status) => status === 202).length,
    unit: "of 6",
    goal: "all",
    met: large.accepted.every((status) => status === 202),
  },
  { name: "status of one of 26 MB", value: large.tooLarge, unit: "", goal: "413", met: large.tooLarge === 413 },
  {
    name: "memory they took at most",
    value: large.growthMegabytes,
    unit: "MB",
    goal: "under 150 MB",
    met: large.growthMegabytes < 150,
  },
);

results.push(...(await deliverAmongHostile(secret)));

if (args.includes("--with-reviews")) {
  const beside = await deliverBesideReviews(body, secret);
  results.push(
    {
      name: `p99 at 50 connections while four reviews run, the worst of ${beside.seconds} seconds`,
      value: beside.p99Ms,
      unit: "ms",
      goal: "under 1 s",
      met: beside.p99Ms < 1_000,
    },
    { name: "deliveries a second meanwhile", value: beside.perSecond, unit: "/s" },
    { name: "of them not accepted", value: beside.refused, unit: "", goal: "0", met: beside.refused === 0 },
  );
}

report(`Intake, payload of ${body.length.toLocaleString("en-US")} bytes`, results);
