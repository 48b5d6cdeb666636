import type { Seal } from "../seal.ts";
import type { Visitor } from "../visitor.ts";

type Session = Pick<Visitor, "formToken">;

/**
 * An attempt of GitHub as a form holds it: of this delivery alone and for this session. Otherwise a form could name a delivery that is not here
 * together with the attempt of one that was handled, which GitHub would send again.
 */
export function sealAttempt(seal: Pick<Seal, "close">, session: Session, guid: string, id: number): string {
  return seal.close("an attempt", String(id), boundTo(session, guid));
}

/** Undefined for what no page offered to this session for this delivery. */
export function createAttempts(seal: Pick<Seal, "open">, session: Session) {
  return (sealed: string, guid: string): number | undefined => {
    const id = seal.open("an attempt", sealed, boundTo(session, guid));
    return id === undefined ? undefined : Number(id);
  };
}

function boundTo({ formToken }: Session, guid: string): string {
  return `${formToken} ${guid}`;
}
