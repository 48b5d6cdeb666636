/** What the front door knows of a body that it reads or holds. Times are in milliseconds on one clock that never goes back. */
export interface BodyFacts {
  /** The sender: an address, or the connection if no trusted proxy names the address. */
  readonly client: unknown;
  readonly startedMs: number;
  /** How long the body was held although its sender had sent more. */
  readonly waitedMs: number;
  /** Since when Forge does not read on; undefined while it reads. */
  readonly heldSinceMs: number | undefined;
  /** Whether more bytes have come than Forge has read. */
  readonly hasMore: boolean;
  /** When the latest bytes came, or when the body became the leader, if that was later. */
  readonly movedMs: number;
  /** Bytes in memory now. */
  readonly bytes: number;
  /** The announced length, or the limit of the door. It reserves nothing; the pace of a body follows from it. */
  readonly expectedBytes: number;
  /** Whether every byte came. Such a body is about to be verified, or is being stored. */
  readonly isWhole: boolean;
  /** Whether this is the one large body that grows although the room for large bodies is full. */
  readonly isLeader: boolean;
}

/** Bytes for the bodies of all doors together, before and after their signatures are verified. */
export interface MemoryLimits {
  /** So much of a body counts against `firstRoom`; what is beyond it counts against `restRoom`. */
  readonly firstOfBody: number;
  readonly firstRoom: number;
  /** The leader does not count against it. */
  readonly restRoom: number;
}

const KIB = 1024;
const MEBI = 1024 * KIB;

/** At most 58 MiB in all, with one body of 25 MiB. */
export const MEMORY: MemoryLimits = { firstOfBody: 256 * KIB, firstRoom: 32 * MEBI, restRoom: MEBI };

/** A part of the first room: Forge looks for it once, and not for each few bytes that come. */
const FREED_AT_ONCE = 1 / 8;

const PACE_BYTES = 64 * KIB;
/** GitHub gives up after 10 s, so a body that needs longer is of no use. */
const PATIENCE_SECONDS = 10;
/** The leader keeps the other large bodies waiting, so it may not pause for longer. */
const LEADER_PAUSE_MS = 1_000;

/**
 * Whether a body is slower than its pace: 64 kB in the first second, and then at least 64 kB a second and enough to be complete after
 * ten seconds. The time does not count while Forge keeps a body waiting that has more to give.
 */
export function isBehind(body: BodyFacts, nowMs: number): boolean {
  if (body.isWhole) return false;
  const heldMs = body.heldSinceMs !== undefined && body.hasMore ? nowMs - body.heldSinceMs : 0;
  const seconds = (nowMs - body.startedMs - body.waitedMs - heldMs) / 1000;
  if (seconds < 1) return false;
  const each = Math.max(PACE_BYTES, body.expectedBytes / (PATIENCE_SECONDS - 1));
  return body.bytes < Math.min(body.expectedBytes, PACE_BYTES + each * (seconds - 1));
}

/** Bytes of all bodies in both rooms, counted as they come and go. */
export interface MemoryCount {
  /** A body of so many bytes has so many now; 0 where it is not there. */
  change(bytesBefore: number, bytesAfter: number): void;
  readonly first: number;
  /** What counts against the room for the rest of large bodies: all but the leader's. */
  restBeside(leader: Pick<BodyFacts, "bytes"> | undefined): number;
}

export function countMemory({ firstOfBody }: MemoryLimits): MemoryCount {
  let [first, rest] = [0, 0];
  const restOf = (bytes: number) => Math.max(0, bytes - firstOfBody);
  return {
    change: (before, after) => {
      first += Math.min(after, firstOfBody) - Math.min(before, firstOfBody);
      rest += restOf(after) - restOf(before);
    },
    get first() {
      return first;
    },
    restBeside: (leader) => rest - restOf(leader?.bytes ?? 0),
  };
}

export interface Shares<Body> {
  /** The bodies to give up, and whether each of them was behind its pace. */
  readonly ended: ReadonlyMap<Body, "slow" | "oldest">;
  /** The bodies that have to wait. */
  readonly held: ReadonlySet<Body>;
  readonly leader: Body | undefined;
}

/**
 * Decides who gives way when memory is short, so that a quick delivery always finds room (SEC-9).
 *
 * The first part of each body has its own room. If that room is full, Forge gives up incomplete bodies: those behind their pace, then those of
 * the client with the most bodies, then the oldest. If half of it is full of whole bodies, the others that keep their pace wait. The rest of large bodies has a smaller room. If it is full, one body (the leader) grows and
 * the others wait; Forge gives up those that are behind. The next leader is the newest: an older body may have come only to keep it out.
 */
export function shareMemory<Body extends BodyFacts>(
  bodies: Iterable<Body>,
  nowMs: number,
  limits: MemoryLimits = MEMORY,
): Shares<Body> {
  const left = new Set(bodies);
  const ended = new Map<Body, "slow" | "oldest">();
  const count = countMemory(limits);
  for (const { bytes } of left) count.change(0, bytes);
  const end = (body: Body, why: "slow" | "oldest") => {
    left.delete(body);
    count.change(body.bytes, 0);
    ended.set(body, why);
  };
  const isLarge = ({ bytes }: Body) => bytes > limits.firstOfBody;

  // Whole bodies wait for Forge itself, so nobody is given up for them.
  const whole = countMemory(limits);
  for (const { bytes, isWhole } of left) if (isWhole) whole.change(0, bytes);
  const waitsForStorage = whole.first > limits.firstRoom / 2;
  const enough = limits.firstRoom * (1 - FREED_AT_ONCE);
  for (const { body, isSlow } of count.first > limits.firstRoom ? givingWay(left, nowMs) : []) {
    if (count.first <= enough || (waitsForStorage && !isSlow)) break;
    end(body, isSlow ? "slow" : "oldest");
  }

  let leader = chooseLeader(left, isLarge);
  const isFull = () => count.restBeside(leader) > limits.restRoom;
  const slow = [...left].filter((body) => isLarge(body) && (isBehind(body, nowMs) || isStalled(body, nowMs)));
  for (const body of slow.sort((a, b) => Number(b.isLeader) - Number(a.isLeader) || a.startedMs - b.startedMs)) {
    if (!isFull()) break;
    end(body, "slow");
    leader = chooseLeader(left, isLarge);
  }
  const waits = (body: Body) => count.first > limits.firstRoom || (isFull() && body !== leader && isLarge(body));
  return { ended, held: new Set([...left].filter((body) => !body.isWhole && waits(body))), leader };
}

function isStalled({ isLeader, isWhole, movedMs }: BodyFacts, nowMs: number): boolean {
  return isLeader && !isWhole && nowMs - movedMs >= LEADER_PAUSE_MS;
}

/** The present leader as long as it is there. */
function chooseLeader<Body extends BodyFacts>(bodies: Iterable<Body>, isLarge: (body: Body) => boolean) {
  const large = [...bodies].filter(isLarge);
  const newest = (a: Body, b: Body) => (b.startedMs > a.startedMs ? b : a);
  return large.find((body) => body.isLeader) ?? (large.length === 0 ? undefined : large.reduce(newest));
}

/** The incomplete bodies with whether they are behind, in the order in which they give way. */
function givingWay<Body extends BodyFacts>(bodies: Iterable<Body>, nowMs: number) {
  const open = [...bodies].filter(({ isWhole }) => !isWhole);
  const of = new Map<unknown, number>();
  for (const { client } of open) of.set(client, (of.get(client) ?? 0) + 1);
  // Everything that is compared is made once: 500 bodies may be sorted many times a second.
  return open
    .map((body) => ({ body, isSlow: isBehind(body, nowMs), share: of.get(body.client)!, startedMs: body.startedMs }))
    .sort(
      (a, b) =>
        Number(b.isSlow) - Number(a.isSlow) ||
        Number(a.body.isLeader) - Number(b.body.isLeader) ||
        b.share - a.share ||
        a.startedMs - b.startedMs,
    );
}
