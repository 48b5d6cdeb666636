import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import type { IssueOnGitHub } from "../github-repository.ts";
import { findMarker, type Marked, markerFor } from "../marker.ts";
import { productionText, productionTitle } from "../words/production-text.ts";
import type { EffectHandler, EffectOf, Look } from "./effect-ports.ts";

/**
 * The issue about something that production told of (PROD-1): opened once, brought up to date, closed when it is over and opened again when
 * it is back. If other people wrote in it, it is theirs: it stays open or closed as they left it, except for the release of its fix.
 */
export const showProduction: EffectHandler<"feedback.show", { readonly own: IssueOnGitHub | undefined }> = {
  find: async (effect, look) => {
    const known = await findOwn(look);
    if (known) return { there: { own: known } };
    const mark = markOf(effect);
    const there = await look.repository.listOwnIssues(effect.payload.standing.firstAt);
    const own = there.find(({ body }) => findMarker(body, mark, look.markerSecret));
    return { there: { own: own && (await look.repository.findIssue(own.number)) } };
  },
  send: async (effect, there, ports) => {
    const { standing } = effect.payload;
    const text = productionText(standing, ports.wording);
    const body = `${text}\n\n${markerFor(markOf(effect), ports.markerSecret)}`;
    const own = there?.own ?? (await findOwn(ports));
    if (own === undefined) {
      if (standing.resolved) return { kind: "obsolete", reason: "it was over before its issue was opened" };
      const { number } = await ports.write.createIssue({ title: productionTitle(standing, ports.wording), body });
      return done(number);
    }
    // The release of a fix closes what people wrote in too, and what was closed by that is opened again.
    const isOwnWord = standing.fixed !== undefined || standing.backAfter !== undefined;
    const others =
      !isOwnWord && own.comments > 0 && (await ports.repository.listComments(own.number)).some(({ byBot }) => !byBot);
    const wanted = standing.resolved ? "closed" : "open";
    const state = others || own.open === !standing.resolved ? {} : ({ state: wanted } as const);
    if (body !== own.body || "state" in state) await ports.write.updateIssue(own.number, { body, ...state });
    return done(own.number);
  },
};

function done(issueNumber: number): EffectOutcome {
  return { kind: "done", result: { issueNumber } };
}

/** The same for all effects about this issue. */
const markOf = ({ runId }: EffectOf<"feedback.show">): Marked => ({ kind: "production", key: runId });

async function findOwn(look: Look): Promise<IssueOnGitHub | undefined> {
  const { issueNumber } = (await look.earlier()) ?? {};
  return issueNumber === undefined ? undefined : look.repository.findIssue(issueNumber);
}
