import { message, refusal, streamed } from "../../llm/anthropic-wire.ts";
import { events, hang, hangUp, json, type RawAnswer } from "../../llm/raw-server.ts";

const CLAIM = {
  ...{ file: "src/total.js", line: 4, quote: "sum += item.price;", kind: "logic", severity: "critical" },
  ...{ claim: "The count is left out.", scenario: "Two for 3 cost 3.", confidence: 0.9 },
};

let ids = 0;
function use(...calls: readonly (readonly [name: string, input: unknown])[]): RawAnswer {
  const blocks = calls.map(([name, input]) => {
    ids += 1;
    return { type: "tool_use", id: `toolu_${ids}`, name, input };
  });
  return json(message(blocks, "tool_use"));
}

const done = (findings: readonly object[] = []) => use(["complete", { summary: "Sums prices.", findings }]);
const say = (text: string, stopReason?: string) => json(message([{ type: "text", text }], stopReason));
const fails = (status: number, type: string, text = "no", headers = {}, details?: object) =>
  json(refusal(type, text, details), status, headers);
const read = (path: string) => use(["read_file", { path }]);
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

export interface Case {
  readonly answers: readonly RawAnswer[];
  /** Of the AI layer: `ran` where it got over it. */
  readonly state: "ran" | "partly" | "failed";
  readonly reason?: RegExp;
  readonly requests: number;
  readonly slept?: readonly number[];
  /** Events of the reply are asked for one by one, as on a terminal. */
  readonly streaming?: boolean;
  readonly timeoutMs?: number;
  readonly limitUsd?: number;
  /** Nothing was billed. */
  readonly free?: boolean;
  /** The calls were sent and nothing came back: they count with what they cost for being sent. */
  readonly abandoned?: boolean;
  readonly found?: readonly string[];
}

const huge = "x".repeat(5_000_000);
const cutStream = events(streamed([{ type: "text", text: "I begin" }]).slice(0, 5), "cut");
const brokenArguments = events(streamed([{ type: "tool_use", id: "t1", name: "complete", json: '{"summary": "x' }]));
const overWindow = say("…", "model_context_window_exceeded");

export const CASES: Readonly<Record<string, Case>> = {
  "an empty reply, twice": { answers: [json(message([]))], state: "failed", reason: /reply was empty/, requests: 2 },
  "an empty reply, then a good one": { answers: [json(message([])), done()], state: "ran", requests: 2 },
  "prose only, twice": { answers: [say("It is fine.")], state: "failed", reason: /called no tool/, requests: 2 },
  "several calls at once": {
    answers: [use(["read_file", { path: "src/total.js" }], ["glob", { pattern: "**" }], ["git_diff", {}]), done()],
    ...{ state: "ran", requests: 2 },
  },
  "a result among other calls": {
    answers: [use(["read_file", { path: "src/total.js" }], ["complete", { summary: "x", findings: [] }])],
    ...{ state: "ran", requests: 1 },
  },
  "an unknown tool": { answers: [use(["approve", {}]), done()], state: "ran", requests: 2 },
  "wrong arguments": { answers: [use(["read_file", { path: 7, line: "all" }]), done()], state: "ran", requests: 2 },
  "a result that does not fit": {
    answers: [use(["complete", { findings: "none" }]), done()],
    state: "ran",
    requests: 2,
  },
  "arguments that are not JSON": {
    answers: [
      brokenArguments,
      events(
        streamed([{ type: "tool_use", id: "t2", name: "complete", json: '{"summary":"x","findings":[]}' }], "tool_use"),
      ),
    ],
    ...{ state: "ran", requests: 2, streaming: true },
  },
  "5 MB of words, twice": { answers: [say(huge)], state: "failed", reason: /called no tool/, requests: 2 },
  "5 MB of arguments": { answers: [read(huge), done()], state: "ran", requests: 2 },
  "10,000 findings, again and again": {
    answers: times(9, () => done(times(10_000, (at) => ({ ...CLAIM, line: at + 1 })))),
    ...{ state: "failed", reason: /the same call failed in the same way 3 times/, requests: 3 },
  },
  "10,000 findings, then one": {
    answers: [done(times(10_000, () => CLAIM)), done([CLAIM]), use(["complete", { judgements: [] }])],
    ...{ state: "partly", reason: /1 of 1 claims were not verified/, requests: 3, found: ["ai/logic"] },
  },
  "10,000 calls at once": {
    answers: [use(...times(10_000, () => ["git_diff", {}] as const)), done()],
    state: "ran",
    requests: 2,
  },
  "lines outside the file": {
    answers: [done([{ ...CLAIM, line: 9_999, end_line: 99_999 }]), use(["complete", { judgements: [] }])],
    state: "partly",
    reason: /1 of 1 claims were not verified/,
    requests: 2,
    found: ["ai/logic"],
  },
  "invented files": {
    answers: [
      done(["src/invented.js", "../../../etc/passwd", "https://example.com"].map((file) => ({ ...CLAIM, file }))),
    ],
    ...{ state: "ran", requests: 1 },
  },
  "quotes that do not exist": {
    answers: [done([{ ...CLAIM, quote: "sum -= item.price;" }])],
    state: "ran",
    requests: 1,
  },
  "the same call without end": {
    answers: times(20, () => read("src/total.js")),
    ...{ state: "failed", reason: /the same step was repeated 3 times/, requests: 5 },
  },
  "other calls without end": {
    answers: times(20, (at) => read(`src/${at}.js`)),
    ...{ state: "failed", reason: /reached its limit of 10 model calls/, requests: 10 },
  },
  "a refusal": { answers: [say("No.", "refusal")], state: "failed", reason: /The model refused to go on/, requests: 1 },
  "the end of the output, twice": {
    answers: [say("I", "max_tokens")],
    state: "failed",
    reason: /cut off at the output limit/,
    requests: 2,
  },
  "a full context": {
    answers: [overWindow],
    state: "failed",
    reason: /does not fit the model's context window/,
    requests: 1,
  },
  "a prompt that is too long": {
    answers: [fails(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum")],
    ...{ state: "failed", reason: /does not fit the model's context window/, requests: 1, free: true },
  },
  "a stream that is cut in the middle": {
    answers: [cutStream],
    ...{
      state: "failed",
      reason: /The reply ended before its end|connection to the provider failed/,
      requests: 2,
      slept: [5_000],
      streaming: true,
    },
  },
  "a stream that is cut, then a good one": {
    answers: [
      cutStream,
      events(
        streamed([{ type: "tool_use", id: "t2", name: "complete", json: '{"summary":"x","findings":[]}' }], "tool_use"),
      ),
    ],
    ...{ state: "ran", requests: 2, slept: [5_000], streaming: true },
  },
  "a 200 that is no message": {
    answers: [json({ nonsense: true })],
    state: "failed",
    reason: /no message of its interface/,
    requests: 2,
    slept: [5_000],
    free: true,
  },
  "a 200 that is no JSON": {
    answers: [json("<html>not found</html>")],
    state: "failed",
    reason: /model did not answer/,
    requests: 2,
    slept: [5_000],
    free: true,
  },
  "401": {
    answers: [fails(401, "authentication_error")],
    state: "failed",
    reason: /The provider answered 401/,
    requests: 1,
    free: true,
  },
  "402": {
    answers: [fails(402, "billing_error")],
    state: "failed",
    reason: /The provider answered 402/,
    requests: 1,
    free: true,
  },
  "403": {
    answers: [fails(403, "permission_error")],
    state: "failed",
    reason: /The provider answered 403/,
    requests: 1,
    free: true,
  },
  "404": {
    answers: [fails(404, "not_found_error")],
    state: "failed",
    reason: /The provider answered 404/,
    requests: 1,
    free: true,
  },
  "413": {
    answers: [fails(413, "request_too_large")],
    state: "failed",
    reason: /context window/,
    requests: 1,
    free: true,
  },
  "429": {
    answers: [fails(429, "rate_limit_error")],
    state: "failed",
    reason: /The provider answered 429/,
    requests: 2,
    slept: [5_000],
    free: true,
  },
  "429 with retry-after 7, then an answer": {
    answers: [fails(429, "rate_limit_error", "slow", { "retry-after": "7" }), done()],
    ...{ state: "ran", requests: 2, slept: [7_000] },
  },
  "429 with retry-after 3600": {
    answers: [fails(429, "rate_limit_error", "slow", { "retry-after": "3600" })],
    ...{ state: "failed", reason: /asks to wait 60 minutes/, requests: 1, free: true },
  },
  "a spend limit": {
    answers: [
      fails(
        429,
        "rate_limit_error",
        "spent",
        { "retry-after": "3600" },
        { error_code: "enforced_spend_limit_reached" },
      ),
    ],
    ...{ state: "failed", reason: /The provider answered 429: spent/, requests: 1, free: true },
  },
  "500": {
    answers: [fails(500, "api_error")],
    state: "failed",
    reason: /The provider answered 500/,
    requests: 2,
    slept: [5_000],
    free: true,
  },
  "529": {
    answers: [fails(529, "overloaded_error")],
    state: "failed",
    reason: /The provider answered 529/,
    requests: 2,
    slept: [5_000],
    free: true,
  },
  "529, then an answer": {
    answers: [fails(529, "overloaded_error"), done()],
    state: "ran",
    requests: 2,
    slept: [5_000],
  },
  "no answer at all": {
    answers: [hang],
    state: "failed",
    reason: /did not answer in time|fell silent/,
    requests: 2,
    slept: [5_000],
    timeoutMs: 150,
    abandoned: true,
  },
  "a connection that is hung up": {
    answers: [hangUp],
    state: "failed",
    reason: /connection to the provider failed/,
    requests: 2,
    slept: [5_000],
    free: true,
  },
  "a budget that allows no call": {
    answers: [done()],
    state: "failed",
    reason: /reached the budget of \$0.0010/,
    requests: 0,
    limitUsd: 0.001,
    free: true,
  },
  "every second call failing": {
    answers: times(20, (at) => (at % 2 === 0 ? fails(529, "overloaded_error") : read(`src/${at}.js`))),
    ...{
      state: "failed",
      reason: /30 % of the last 10 calls failed; from 25 % on nothing is tried any more/,
      requests: 6,
      slept: times(3, () => 5_000),
    },
  },
  "a verifier that does not answer": {
    answers: [done([CLAIM]), fails(500, "api_error")],
    ...{
      state: "partly",
      reason: /findings were not verified: the model did not answer/,
      requests: 3,
      slept: [5_000],
      found: ["ai/logic"],
    },
  },
  "a verifier that judges what nobody claimed": {
    answers: [
      done([CLAIM]),
      use([
        "complete",
        { judgements: times(60, (at) => ({ claim: at + 2, verdict: "stands", reason: "x", severity: "critical" })) },
      ]),
    ],
    ...{ state: "partly", reason: /not verified/, requests: 2, found: ["ai/logic"] },
  },
};

/** One of each kind; `npm run test:long` tries the others. */
export const OF_EACH_KIND: readonly string[] = [
  "a result that does not fit",
  "invented files",
  "429 with retry-after 7, then an answer",
  "no answer at all",
  "a budget that allows no call",
  "a verifier that does not answer",
];
