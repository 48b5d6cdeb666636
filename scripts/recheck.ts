// Has recheck judge every regular expression of src/, and writes scripts/recheck/verdicts.json (SEC-8).
//   npm run recheck [-- --all]
// Without --all, only patterns without a verdict are judged. RECHECK_BACKEND=native is several times faster where its binary runs.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { allPatterns } from "./recheck/all-patterns.ts";
import { judgePattern, type Verdict } from "./recheck/judge-pattern.ts";
import { readVerdicts, writeVerdicts } from "./recheck/verdict-file.ts";

const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
const { constant } = allPatterns();
const known = values.all ? new Map<string, Verdict>() : readVerdicts();
const verdicts = new Map([...constant.keys()].flatMap((key) => (known.has(key) ? [[key, known.get(key)!]] : [])));
const open = [...constant].filter(([key]) => !verdicts.has(key));
const total = open.length;

await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const [key, { source, flags, places }] = next;
      const verdict = await judgePattern(source, flags);
      verdicts.set(key, verdict);
      // An interrupted run keeps what it has.
      if (open.length % 10 === 0) writeVerdicts(verdicts);
      if (verdict.verdict !== "safe") console.log(`${verdict.complexity}: ${key}\n  ${places.join(", ")}`);
    }
  }),
);
writeVerdicts(verdicts);
const counts = Map.groupBy(verdicts.values(), ({ verdict }) => verdict);
console.log(`${total} patterns judged of ${verdicts.size}.`);
for (const [verdict, of] of counts) console.log(`${String(of.length).padStart(5)} ${verdict}`);
process.exit(0);
