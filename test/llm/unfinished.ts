import { describe, expect, it } from "vitest";
import type { Model } from "../../src/llm/ports.ts";
import { events, hang, type RawServer } from "./raw-server.ts";
import { neverStopped, request } from "./requests.ts";

/** A stream as far as a provider got before it stopped. */
type Begun = Parameters<typeof events>[0];

/** How each provider ends a request that gets no whole answer, as tests. */
export function describeUnfinished(server: RawServer, begun: Begun, model: (over?: { timeoutMs?: number }) => Model) {
  const streamed = { onEvent: () => {} };
  const step = (given: { signal?: AbortSignal; timeoutMs?: number; onEvent?: () => void } = {}) => {
    const { timeoutMs, signal = neverStopped(), ...how } = given;
    return model(timeoutMs === undefined ? {} : { timeoutMs }).step(request(), { signal, ...how });
  };

  describe("a request without a whole answer", () => {
    it.each(["cut", "end"] as const)("tells what a stream cost that is over before its end (%s)", async (ending) => {
      server.answer(events(begun, ending));
      expect(await step(streamed)).toMatchObject({
        ok: false,
        failure: { class: "transport", usage: { outputTokens: 11 } },
      });
    });

    it.each([
      ["a reply", hang, {}],
      ["the rest of a stream", events(begun, "hang"), streamed],
    ])("times out when %s does not come", async (_name, answer, how) => {
      server.answer(answer);
      expect(await step({ timeoutMs: 60, ...how })).toMatchObject({ ok: false, failure: { class: "timeout" } });
    });

    it.each([
      ["before the reply", hang, {}],
      ["in the middle of a stream", events(begun, "hang"), streamed],
    ])("is stopped %s by the signal", async (_name, answer, how) => {
      const stop = new AbortController();
      server.answer((response, sent) => {
        answer(response, sent);
        setImmediate(() => stop.abort());
      });
      expect(await step({ signal: stop.signal, ...how })).toMatchObject({ ok: false, failure: { class: "aborted" } });
    });

    it("sends nothing when it was stopped before", async () => {
      server.answer(events(begun, "cut"));
      const aborted = await step({ signal: AbortSignal.abort() });
      expect(aborted).toMatchObject({ ok: false, failure: { class: "aborted" } });
      expect(server.requests).toHaveLength(0);
    });
  });
}
