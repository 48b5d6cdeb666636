import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { installTools } from "../../../scripts/tools.ts";

/** The package with the schema of SARIF 2.1.0 (rtm.5): members and their demands are those of the OASIS standard, but for two that Forge does not write. */
const SCHEMA = "tools/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";

/** Says whether a log is valid by the official schema; `errors` of it says why not. */
export function officialSchema(): ValidateFunction {
  installTools();
  const { $schema: _draft4, id: _old, ...schema } = JSON.parse(readFileSync(join(process.cwd(), SCHEMA), "utf8"));
  const formats = { uri: /^[a-z][a-z0-9+.-]*:\S*$/i, "uri-reference": /^[^\s\\]*$/, "date-time": /^\d{4}-\d\d-\d\dT/ };
  return new Ajv({ strict: false, allErrors: true, formats, unicodeRegExp: false }).compile(schema);
}

interface Text {
  readonly text: string;
}
interface Rule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: Text;
  readonly fullDescription: Text;
  readonly help: Text;
  readonly properties: Readonly<Record<string, unknown>> & { readonly tags: readonly string[] };
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly message: Text;
  readonly locations: readonly { physicalLocation: { artifactLocation: { uri: string } } }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly codeFlows?: readonly { readonly threadFlows: readonly { readonly locations: readonly unknown[] }[] }[];
}
export interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly Rule[] } };
    readonly results: readonly Result[];
  }[];
}

/** What GitHub's code scanning would refuse, cut or not show, by what its documentation says of SARIF. */
export function codeScanningFaults({ runs }: Log): string[] {
  const faults = runs.length > 20 ? ["more than 20 runs"] : [];
  for (const { tool, results } of runs) {
    const { rules } = tool.driver;
    if (rules.length > 25_000 || results.length > 25_000) faults.push("more than 25,000 rules or results");
    faults.push(...rules.flatMap(ruleFaults), ...results.flatMap((result) => resultFaults(result, rules)));
  }
  return faults;
}

function ruleFaults({ id, name, shortDescription, fullDescription, help, properties }: Rule): string[] {
  const score = properties["security-severity"];
  const isScore = typeof score === "string" && Number(score) > 0 && Number(score) <= 10;
  const isOfSecurity = properties.tags.includes("security");
  const severity = String(properties["problem.severity"]);
  return [
    ...(name.length > 255 ? ["a name of more than 255 characters"] : []),
    ...[shortDescription, fullDescription].flatMap(({ text }) =>
      text === "" || text.length > 1_024 ? ["a description that is empty or longer than 1,024 characters"] : [],
    ),
    ...(help.text === "" ? ["no help"] : []),
    // Of 20 that it takes, it shows 10.
    ...(properties.tags.length > 10 ? ["more than 10 tags"] : []),
    ...(/^(?:very-high|high|medium|low)$/.test(String(properties.precision)) ? [] : ["no precision"]),
    ...(isOfSecurity === isScore ? [] : ["a rule has a score if and only if it is about security"]),
    ...(isOfSecurity || /^(?:error|warning|recommendation)$/.test(severity) ? [] : ["no severity"]),
  ].map((fault) => `${id}: ${fault}`);
}

function resultFaults(
  { ruleId, ruleIndex, message, locations, partialFingerprints, codeFlows = [] }: Result,
  rules: readonly Rule[],
) {
  const steps = codeFlows.flatMap(({ threadFlows }) => threadFlows.flatMap((flow) => flow.locations));
  const uris = locations.map(({ physicalLocation }) => physicalLocation.artifactLocation.uri);
  return [
    ...(rules[ruleIndex]?.id === ruleId ? [] : ["the rule is another one"]),
    ...(message.text.trim() === "" ? ["no message"] : []),
    // Of 1,000 that it takes, it shows 100; without one there is nothing to show.
    ...(locations.length < 1 || locations.length > 100 ? ["no location, or more than 100"] : []),
    ...(uris.some((uri) => /^(?:\/|[a-z]+:|\.\.)/.test(uri)) ? ["a path that is not relative to the root"] : []),
    ...(steps.length > 1_000 ? ["more than 1,000 steps of a flow"] : []),
    ...(Object.keys(partialFingerprints).length === 0 ? ["no fingerprint"] : []),
  ].map((fault) => `${ruleId}: ${fault}`);
}
