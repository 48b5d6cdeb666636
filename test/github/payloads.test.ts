import { emitterEventNames } from "@octokit/webhooks";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { HANDLERS } from "../../src/github/handlers/handle-delivery.ts";
import { IssueLabelEvent, type Payload, parsePayload, StatusEvent } from "../../src/github/handlers/payloads.ts";

const sender = { login: "ana", id: 5, type: "User" };
const repository = { id: 3, name: "shop", owner: { login: "acme" } };
const labeled = {
  installation: { id: 9 },
  repository,
  sender,
  issue: { number: 4 },
  label: { name: "forge:implement" },
};

describe("events are those of GitHub's own list", () => {
  it("every event that has a handler is on it", () => {
    const known: readonly string[] = emitterEventNames;
    expect(Object.keys(HANDLERS).filter((name) => !known.includes(name))).toEqual([]);
  });

  it("a schema that asks for what GitHub does not send is refused by the compiler", () => {
    const status = {} as Payload<"status">;
    const read = () => {
      parsePayload(StatusEvent, status);
      // @ts-expect-error: the member is called `state`
      parsePayload(z.object({ status: z.string() }), status);
      // @ts-expect-error: the number of an issue is a number
      parsePayload(z.object({ issue: z.object({ number: z.string() }) }), {} as Payload<"issues.closed">);
      // @ts-expect-error: there is no such action
      return {} as Payload<"issues.renamed">;
    };
    expect(read).toThrow("payload");
  });
});

describe("a payload is still read as what somebody else sent", () => {
  it("what is there is taken, and nothing else", () => {
    expect(parsePayload(IssueLabelEvent, { ...labeled, action: "labeled" } as typeof labeled)).toEqual({
      ...labeled,
      issue: { number: 4 },
    });
  });

  it.each(["installation", "repository", "sender", "label"] as const)("without %s it is refused", (missing) => {
    const { [missing]: _left, ...rest } = labeled;
    expect(() => parsePayload(IssueLabelEvent, rest as typeof labeled)).toThrow(
      `The payload has no usable \`${missing}\``,
    );
  });

  it("an account without a type is refused: it could be a bot", () => {
    const { type: _left, ...unknown } = sender;
    expect(() => parsePayload(IssueLabelEvent, { ...labeled, sender: unknown })).toThrow("`sender.type`");
  });
});
