// Takes one issue of fixtures/trials/issues.json from label to pull request with somebody who reads and thinks in the model's place, at an
// address that speaks Anthropic's interface, and writes down what was said and what came of it. Interrupt it when the run is where it ends.
//
//   node scripts/trial.ts hours-bug http://127.0.0.1:8787 trial-queue
//
// People take part by GitHub's own interface: the addresses and tokens of ana (admin) and ben (write) are printed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordedReplies } from "../test/e2e/recorded-replies.ts";
import { openTrial, outcomeOf, readTrialIssue, saidIn, TRIALS } from "../test/e2e/trial.ts";

const [name, modelUrl, queue] = process.argv.slice(2);
if (!name || !modelUrl || !queue)
  throw new Error("usage: node scripts/trial.ts <trial> <address of the model> <its queue>");
const issue = readTrialIssue(name);
const { world, number } = await openTrial(issue, modelUrl);
const { github } = world;
for (const login of ["ana", "ben"]) console.log(`${login}: ${github.createUserToken(login)}`);
console.log(`${github.origin}/acme/${issue.project}/issues/${number}`);
await github.idle();
const began = Date.now();
await github.addLabel(`acme/${issue.project}`, number, "forge:implement", "ben");

process.once("SIGINT", async () => {
  const wallSeconds = Math.round((Date.now() - began) / 1000);
  const people = saidIn(world, issue.project, number);
  const outcome = await outcomeOf(world, issue.project, number);
  const recording = { issue: name, people, wallSeconds, replies: recordedReplies(queue), outcome };
  writeFileSync(join(TRIALS, `${name}.json`), `${JSON.stringify(recording, null, 2)}\n`);
  await world.end();
});
