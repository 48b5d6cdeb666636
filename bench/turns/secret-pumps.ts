import { findSecrets } from "../../src/analysis/child/find-secrets.ts";
import { SECRET_FORMATS } from "../../src/safety/secrets/secret-formats.ts";
import { fill } from "../../test/analysis/secrets/sample-text.ts";
import { SAMPLES } from "../../test/analysis/secrets/samples.ts";
import type { GrowthCase } from "./growth.ts";

/** Each pattern alone over texts made from a sample of its secret, then all of them together. */
export const SECRET_PUMPS: readonly GrowthCase[] = [
  ...SECRET_FORMATS.flatMap(({ rule, hints, pattern }) => {
    const sample = fill(SAMPLES[rule]!);
    const half = sample.slice(0, Math.ceil(sample.length / 2));
    const texts = [
      (size: number) => hints[0]!.repeat((2 * size) / hints[0]!.length),
      (size: number) => half.repeat((5 * size) / half.length),
      (size: number) => `${half}${sample.at(-2)!.repeat(3 * size)}`,
    ];
    return texts.map((text, at) => ({
      group: "secret patterns",
      name: `secret patterns: ${rule}, text ${at + 1}`,
      size: 100_000,
      work: (size: number) => Array.from(text(size).matchAll(pattern)),
    }));
  }),
  ...[
    "password",
    "token: '",
    'api_key="',
    "password : string = ",
    "key     ",
    "kind: Secret\ndata:\n  a: ",
    'key="a1b2c3d4e5f6g7h8",',
  ].map((part) => ({
    group: "secrets",
    name: `secrets: ${JSON.stringify(part)}`,
    size: 1_000_000,
    work: (length: number) => findSecrets({ id: 0, text: part.repeat(length / part.length), textKind: "data" }),
  })),
];
