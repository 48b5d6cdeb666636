import { sql } from "drizzle-orm";
import {
  blob,
  check,
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { FINDING_OUTCOMES, FINDING_STATES, PLACEMENTS } from "../domain/findings.ts";
import { HIDING_STATES } from "../domain/hiding.ts";
import { LEVEL_ACTIONS } from "../domain/ladder.ts";
import { MEMORY_ORIGINS, MEMORY_TYPES, PATTERN_KINDS, PATTERN_STATES } from "../domain/memories.ts";
import { RUN_KINDS, RUN_STATUSES } from "../domain/phases.ts";

/**
 * The tables (DATA-1). Moments are ISO 8601 texts in UTC with milliseconds, which sort as they are; JSON is text and is parsed where it is
 * read. `subject_key` is `subjectKey(subject)`.
 */

export const DELIVERY_STATES = ["received", "handled", "ignored", "failed"] as const;

/** The inbox: webhooks as GitHub sent them. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    guid: text("guid").primaryKey(),
    event: text("event").notNull(),
    hookTargetId: text("hook_target_id"),
    receivedAt: text("received_at").notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull(),
    reason: text("reason"),
    /** Packed (see delivery-body.ts); of a large one the first part. Last: reading the columns before it does not walk its overflow pages. */
    body: blob("body", { mode: "buffer" }).notNull(),
  },
  (table) => [index("deliveries_by_age").on(table.receivedAt)],
);

/** Messages of production that were counted: one that comes again is not (PROD-2). Kept as long as deliveries. */
export const feedbackMessages = sqliteTable(
  "feedback_messages",
  { id: text("id").primaryKey(), at: text("at").notNull() },
  (table) => [index("feedback_messages_by_age").on(table.at)],
);

/** How often production told of the same thing in one environment. */
export const feedbackCounts = sqliteTable(
  "feedback_counts",
  {
    subjectKey: text("subject_key").notNull(),
    installationId: integer("installation_id").notNull(),
    fingerprint: text("fingerprint").notNull(),
    count: integer("count").notNull(),
    firstAt: text("first_at").notNull(),
    lastAt: text("last_at").notNull(),
    /** The count, and whether it was over, that the pipeline was told last; 0 before. */
    told: integer("told").notNull(),
    resolved: integer("resolved", { mode: "boolean" }).notNull(),
    toldResolved: integer("told_resolved", { mode: "boolean" }).notNull(),
    /** When it got an issue of its own; such a row stays, and the others expire. */
    issueAt: text("issue_at"),
    /** What that issue says, as JSON: the next message that has only a part of it is joined with the rest (PROD-2). */
    shown: text("shown"),
  },
  (table) => [
    primaryKey({ columns: [table.subjectKey, table.fingerprint] }),
    index("feedback_issues").on(table.subjectKey, table.issueAt).where(sql`issue_at is not null`),
    index("feedback_counts_by_age").on(table.lastAt).where(sql`issue_at is null`),
  ],
);

/** What production told of one environment in one day, in numbers: a storm is not counted row by row. */
export const feedbackDays = sqliteTable(
  "feedback_days",
  {
    subjectKey: text("subject_key").notNull(),
    installationId: integer("installation_id").notNull(),
    /** `2026-11-23`, in UTC. */
    day: text("day").notNull(),
    /** New errors and alerts. */
    heard: integer("heard").notNull(),
    /** Those without an issue of their own, and the number that their shared issue says. */
    others: integer("others").notNull(),
    othersTold: integer("others_told").notNull(),
    /** Updates of issues that were open or closed before. */
    changes: integer("changes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subjectKey, table.day] })],
);

/** What did not fit into the row of a delivery: the parts of its body from the second on, counted from 1. */
export const deliveryParts = sqliteTable(
  "delivery_parts",
  {
    guid: text("guid").notNull(),
    part: integer("part").notNull(),
    body: blob("body", { mode: "buffer" }).notNull(),
  },
  (table) => [uniqueIndex("one_part_a_place").on(table.guid, table.part)],
);

export const JOB_STATES = ["queued", "running", "dead"] as const;

/** Work to do. A job that is done or was cancelled is deleted: the events say what came of it. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    payload: text("payload").notNull(),
    runId: text("run_id"),
    priority: integer("priority").notNull(),
    runAt: text("run_at").notNull(),
    state: text("state", { enum: JOB_STATES }).notNull(),
    /** Tries that ended in an error, and tries whose worker died: counted apart, for a restart is not the job's fault. */
    failures: integer("failures").notNull().default(0),
    lostLeases: integer("lost_leases").notNull().default(0),
    /** Workers that died one after the other with this job in their hands, and it came no further: what is suspected of killing them. */
    deaths: integer("deaths").notNull().default(0),
    /** Whether it came further since it was claimed. */
    moved: integer("moved", { mode: "boolean" }).notNull().default(false),
    /** What it got done since it was claimed that another worker would have to do again, and the most of it that one who died got done. */
    marks: integer("marks").notNull().default(0),
    mostMarks: integer("most_marks").notNull().default(0),
    owner: text("owner"),
    /** Grows with every claim; holders of an older one are fenced out. */
    token: integer("token").notNull().default(0),
    leaseUntil: text("lease_until"),
    cancelRequested: integer("cancel_requested", { mode: "boolean" }).notNull().default(false),
    error: text("error"),
  },
  (table) => [
    index("jobs_by_turn").on(table.state, table.priority, table.runAt, table.id),
    // Only of what they are asked for: a delivery is accepted without a write to either.
    index("jobs_at_work").on(table.key).where(sql`state = 'running'`),
    index("jobs_by_run").on(table.runId).where(sql`run_id is not null`),
  ],
);

/** A projection of the events: one row a run. */
export const runs = sqliteTable(
  "runs",
  {
    traceId: text("trace_id").primaryKey(),
    kind: text("kind", { enum: RUN_KINDS }).notNull(),
    subjectKey: text("subject_key").notNull(),
    subject: text("subject").notNull(),
    repositoryId: integer("repository_id").notNull(),
    installationId: integer("installation_id").notNull(),
    status: text("status", { enum: RUN_STATUSES }).notNull(),
    headSha: text("head_sha").notNull(),
    baseSha: text("base_sha").notNull(),
    requestId: text("request_id").notNull(),
    startedAt: text("started_at").notNull(),
    endedAt: text("ended_at"),
    conclusion: text("conclusion"),
    version: integer("version").notNull(),
    /** Of an implementation, once they are there: its branch, and the pull request that it opened. */
    branch: text("branch"),
    pullNumber: integer("pull_number"),
  },
  (table) => [
    uniqueIndex("one_active_run")
      .on(table.subjectKey, table.kind)
      .where(sql`status in ('pending', 'running', 'waiting')`),
    index("runs_by_subject").on(table.subjectKey, table.startedAt),
    index("runs_by_head").on(table.repositoryId, table.headSha),
    index("runs_by_start").on(table.startedAt),
    index("runs_by_status").on(table.status, table.startedAt),
    index("runs_by_installation").on(table.installationId),
    index("runs_by_pull").on(table.repositoryId, table.pullNumber),
    // What `findRepositoryByName` asks, word for word.
    index("runs_by_name").on(
      sql`lower((subject ->> '$.repository.owner') || '/' || (subject ->> '$.repository.name'))`,
      table.startedAt,
    ),
  ],
);

/** The log, append-only. The unique version is what refuses an append to a run that has moved on. */
export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey(),
    traceId: text("trace_id").notNull(),
    version: integer("version").notNull(),
    at: text("at").notNull(),
    source: text("source").notNull(),
    type: text("type").notNull(),
    payload: text("payload").notNull(),
    phase: text("phase"),
    actor: text("actor"),
    durationMs: real("duration_ms"),
    cost: text("cost"),
    previousHash: text("previous_hash").notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [uniqueIndex("one_event_a_version").on(table.traceId, table.version)],
);

/** What a log came to at one of its versions, so that only what follows is read (EVT-3). Rebuilt from the log when it does not fit. */
export const foldedLogs = sqliteTable("folded_logs", {
  traceId: text("trace_id").primaryKey(),
  /** Which fold made it, and its version. */
  fold: text("fold").notNull(),
  version: integer("version").notNull(),
  /** Of the last event that is in it. */
  hash: text("hash").notNull(),
  state: text("state").notNull(),
});

/** The ledger of findings (GH-3a). The id is the identity: it survives a rename, which changes the fingerprint. */
export const findings = sqliteTable(
  "findings",
  {
    repositoryId: integer("repository_id").notNull(),
    findingId: text("finding_id").notNull(),
    subjectKey: text("subject_key").notNull(),
    subjectNumber: integer("subject_number").notNull(),
    installationId: integer("installation_id").notNull(),
    fingerprint: text("fingerprint").notNull(),
    finding: text("finding").notNull(),
    state: text("state", { enum: FINDING_STATES }).notNull(),
    placement: text("placement", { enum: PLACEMENTS }),
    commentId: integer("comment_id"),
    headSha: text("head_sha").notNull(),
    /** Who dismissed it, when and why, while it is dismissed. */
    dismissal: text("dismissal"),
    /** What the merged text said of it, once its pull request was merged. */
    outcome: text("outcome", { enum: FINDING_OUTCOMES }),
  },
  (table) => [
    uniqueIndex("one_finding_an_id").on(table.repositoryId, table.findingId),
    index("findings_by_subject").on(table.subjectKey),
    index("findings_by_id").on(table.findingId),
    index("findings_by_installation").on(table.installationId),
  ],
);

/** Dismissals that stand in a repository, each by the finding it was given for (HUM-1); a projection of the subjects' events. */
export const dismissals = sqliteTable(
  "dismissals",
  {
    repositoryId: integer("repository_id").notNull(),
    installationId: integer("installation_id").notNull(),
    findingId: text("finding_id").notNull(),
    fingerprint: text("fingerprint").notNull(),
    rule: text("rule").notNull(),
    dismissal: text("dismissal").notNull(),
  },
  (table) => [uniqueIndex("one_dismissal_a_finding").on(table.repositoryId, table.findingId)],
);

/** Classes of findings that learning hides or wants to (MEM-6); a projection of the subjects' events. */
export const hidings = sqliteTable(
  "hidings",
  {
    repositoryId: integer("repository_id").notNull(),
    installationId: integer("installation_id").notNull(),
    hidingId: text("hiding_id").notNull(),
    class: text("class").notNull(),
    state: text("state", { enum: HIDING_STATES }).notNull(),
    by: text("by").notNull(),
    at: text("at").notNull(),
    right: integer("probes_right").notNull().default(0),
    wrong: integer("probes_wrong").notNull().default(0),
    /** How often it was changed: who decides on an older one decides anew. */
    changes: integer("changes").notNull().default(0),
  },
  (table) => [uniqueIndex("one_class_an_id").on(table.repositoryId, table.hidingId)],
);

/** Repositories in which Forge starts nothing; a projection of the subjects' events. */
export const pauses = sqliteTable("pauses", {
  repositoryId: integer("repository_id").primaryKey(),
  installationId: integer("installation_id").notNull(),
  by: text("by").notNull(),
  at: text("at").notNull(),
});

/** At which level of automation a repository stands, where somebody said so (SAFE-4); a projection of the subjects' events. */
export const levels = sqliteTable("levels", {
  repositoryId: integer("repository_id").primaryKey(),
  installationId: integer("installation_id").notNull(),
  standing: text("standing").notNull(),
  /** How often it was changed: who decides on an older one decides anew. */
  changes: integer("changes").notNull(),
  /** The last outcome that counts no more, since a miss. */
  afterOutcome: integer("after_outcome").notNull(),
});

/** What became of runs, one row each (SAFE-4); a projection of the subjects' events. */
export const runOutcomes = sqliteTable(
  "run_outcomes",
  {
    /** In the order in which the first was known of them: a clock may be set back. */
    sequence: integer("sequence").primaryKey({ autoIncrement: true }),
    runId: text("run_id").notNull().unique("one_outcome_a_run"),
    repositoryId: integer("repository_id").notNull(),
    installationId: integer("installation_id").notNull(),
    subject: text("subject").notNull(),
    outcome: text("outcome").notNull(),
    at: text("at").notNull(),
  },
  (table) => [index("outcomes_by_repository").on(table.repositoryId, table.sequence)],
);

/** What Forge did by itself because of its level; a projection of the subjects' events. */
export const levelActions = sqliteTable(
  "level_actions",
  {
    repositoryId: integer("repository_id").notNull(),
    installationId: integer("installation_id").notNull(),
    subjectKey: text("subject_key").notNull(),
    level: integer("level").notNull(),
    action: text("action", { enum: LEVEL_ACTIONS }).notNull(),
    at: text("at").notNull(),
  },
  (table) => [index("actions_by_repository").on(table.repositoryId)],
);

export const EFFECT_STATES = ["planned", "sending", "done", "failed", "obsolete"] as const;

/** Writes to GitHub that were decided (GH-13). */
export const effects = sqliteTable(
  "effects",
  {
    sequence: integer("sequence").primaryKey({ autoIncrement: true }),
    key: text("key").notNull().unique("one_effect_a_key"),
    kind: text("kind").notNull(),
    payload: text("payload").notNull(),
    runId: text("run_id").notNull(),
    subjectKey: text("subject_key").notNull(),
    subject: text("subject").notNull(),
    installationId: integer("installation_id").notNull(),
    headSha: text("head_sha").notNull(),
    state: text("state", { enum: EFFECT_STATES }).notNull(),
    sendingSince: text("sending_since"),
    attempts: integer("attempts").notNull().default(0),
    result: text("result"),
    error: text("error"),
    plannedAt: text("planned_at").notNull(),
    settledAt: text("settled_at"),
  },
  (table) => [
    index("effects_by_subject").on(table.subjectKey, table.state, table.sequence),
    index("effects_by_run").on(table.runId),
    index("effects_by_installation").on(table.installationId),
    index("effects_by_head").on(table.headSha),
  ],
);

/** What was written to GitHub lately, for the budget that all workers share. */
export const writes = sqliteTable(
  "writes",
  {
    installationId: integer("installation_id").notNull(),
    at: text("at").notNull(),
    count: integer("count").notNull(),
    /** Whether it made something that people are told of; before there was this column, everything counted as that. */
    content: integer("content", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [index("writes_by_installation").on(table.installationId, table.at)],
);

/** Until when GitHub wants no writes of an installation, in its own words. */
export const writePauses = sqliteTable("write_pauses", {
  installationId: integer("installation_id").primaryKey(),
  until: text("until").notNull(),
});

/** The last configuration of each repository that was accepted (CONF-1); repository 0 stands for the installation's organisation. */
export const configurations = sqliteTable(
  "configurations",
  {
    installationId: integer("installation_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    text: text("text").notNull(),
    at: text("at").notNull(),
  },
  (table) => [uniqueIndex("one_configuration_a_repository").on(table.installationId, table.repositoryId)],
);

/** libSQL's type for 32-bit floats, little-endian. A read gives a Buffer that may be reused: copy it. */
const vector = customType<{ data: Buffer }>({ dataType: () => "F32_BLOB" });

/**
 * What was learnt (MEM-1). Repository 0 stands for the installation's organisation. Its words are indexed in `memory_words`, its changes
 * counted in `memory_scopes`: triggers of the migrations `memory_words` and `consolidation` see to both.
 */
export const memories = sqliteTable(
  "memories",
  {
    sequence: integer("sequence").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique("one_memory_an_id"),
    installationId: integer("installation_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    /** Of the scope, at the last change that recall has to know of. */
    revision: integer("revision").notNull().default(0),
    archived: integer("archived", { mode: "boolean" }).notNull().default(false),
    type: text("type", { enum: MEMORY_TYPES }).notNull(),
    /** The kind of agent it is for; null is for all. */
    agentType: text("agent_type"),
    content: text("content").notNull(),
    context: text("context").notNull(),
    tags: text("tags").notNull(),
    keywords: text("keywords").notNull(),
    confidence: real("confidence").notNull(),
    origin: text("origin", { enum: MEMORY_ORIGINS }).notNull(),
    taughtBy: text("taught_by"),
    thread: text("thread"),
    sourceEvent: text("source_event"),
    cites: text("cites").notNull(),
    metadata: text("metadata").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    lastUsedAt: text("last_used_at").notNull(),
    expiresAt: text("expires_at"),
    accessCount: integer("access_count").notNull().default(0),
    embeddingMethod: text("embedding_method"),
    /** After the rest, so that reading it does not walk its overflow pages; what was added since is short. */
    embedding: vector("embedding"),
    /** The sequence of the memory that says the same and came first: of these one is recalled. */
    linkedTo: integer("linked_to"),
    /** The id of the pattern that is recalled in its place. */
    replacedBy: text("replaced_by"),
    /** JSON: why it was archived. */
    putAway: text("put_away"),
    /** When a person brought it back. */
    restoredAt: text("restored_at"),
  },
  (table) => [
    index("memories_by_change").on(table.installationId, table.repositoryId, table.revision),
    index("memories_by_method").on(table.embeddingMethod, table.sequence),
  ],
);

/** How often the memories of a scope have changed, and how often one was deleted: what a cache compares itself with. */
export const memoryScopes = sqliteTable(
  "memory_scopes",
  {
    installationId: integer("installation_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    revision: integer("revision").notNull(),
    deletions: integer("deletions").notNull().default(0),
    consolidatedAt: text("consolidated_at"),
  },
  (table) => [uniqueIndex("one_count_a_scope").on(table.installationId, table.repositoryId)],
);

/**
 * What was seen of memories beside their words: what changed how far they are believed (MEM-3), and by a cause of `seen:` each run that came
 * to one. Each cause counts once for each of them.
 */
export const memoryChanges = sqliteTable(
  "memory_changes",
  {
    memoryId: text("memory_id").notNull(),
    cause: text("cause").notNull(),
    installationId: integer("installation_id").notNull(),
    delta: real("delta").notNull(),
    at: text("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.memoryId, table.cause] }),
    index("memory_changes_by_installation").on(table.installationId),
  ],
);

/**
 * What episodes have in common (MEM-1, MEM-4): a proposal until a replay, then the memory of that id is recalled in their place. `episodes`
 * and `replay` are JSON.
 */
export const patterns = sqliteTable(
  "patterns",
  {
    id: text("id").primaryKey(),
    installationId: integer("installation_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    state: text("state", { enum: PATTERN_STATES }).notNull(),
    kind: text("kind", { enum: PATTERN_KINDS }).notNull(),
    trigger: text("trigger").notNull(),
    pattern: text("pattern").notNull(),
    resolution: text("resolution").notNull(),
    frequency: integer("frequency").notNull(),
    /** Of the episodes whose run's end is known; null where none is. */
    successRate: real("success_rate"),
    confidence: real("confidence").notNull(),
    lastSeenAt: text("last_seen_at").notNull(),
    episodes: text("episodes").notNull(),
    replay: text("replay"),
    at: text("at").notNull(),
  },
  (table) => [index("patterns_by_scope").on(table.installationId, table.repositoryId)],
);

/**
 * What an agent's loop has added step by step (PIPE-6): the state is all of them in order. `agent` is which agent of the run it is
 * ("reviewer/1"), so that the next worker finds it.
 */
export const checkpoints = sqliteTable(
  "checkpoints",
  {
    traceId: text("trace_id").notNull(),
    agent: text("agent").notNull(),
    sequence: integer("sequence").notNull(),
    at: text("at").notNull(),
    content: text("content").notNull(),
  },
  (table) => [primaryKey({ columns: [table.traceId, table.agent, table.sequence] })],
);

/**
 * The files of implementations in progress (PIPE-6): for each run what is not part of its base, in git's pack format. Written with the step
 * that changed them, so that conversation and files are always of one moment.
 */
export const workTrees = sqliteTable("work_trees", {
  traceId: text("trace_id").primaryKey(),
  at: text("at").notNull(),
  base: text("base").notNull(),
  head: text("head").notNull(),
  tree: text("tree").notNull(),
  /** JSON: commits of others that were merged in. */
  merged: text("merged").notNull(),
  pack: blob("pack", { mode: "buffer" }).notNull(),
});

export const SPEND_STATES = ["reserved", "settled", "lost"] as const;

/**
 * Money for calls of models (SAFE-2), in millionths of a USD: what is set aside for a call, then what it cost. `lost`: the process died
 * with the call in flight, and what it surely cost is counted. The indexes hold the amount, so that sums are read from them alone.
 */
export const spend = sqliteTable(
  "spend",
  {
    id: text("id").primaryKey(),
    installationId: integer("installation_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    subjectKey: text("subject_key").notNull(),
    runId: text("run_id").notNull(),
    phase: text("phase").notNull(),
    /** The date in UTC. */
    day: text("day").notNull(),
    micros: integer("micros").notNull(),
    leastMicros: integer("least_micros").notNull(),
    state: text("state", { enum: SPEND_STATES }).notNull(),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    inputTokens: integer("input_tokens").notNull().default(0),
    cacheReadTokens: integer("cache_read_tokens").notNull().default(0),
    cacheWriteTokens: integer("cache_write_tokens").notNull().default(0),
    outputTokens: integer("output_tokens").notNull().default(0),
    at: text("at").notNull(),
  },
  (table) => [
    index("spend_by_run").on(table.runId, table.phase, table.micros),
    index("spend_by_subject").on(table.subjectKey, table.micros),
    index("spend_by_repository").on(table.repositoryId, table.day, table.micros),
    index("spend_by_installation").on(table.installationId, table.day, table.micros),
    index("spend_by_day").on(table.day, table.micros),
  ],
);

/** Who owns the database file, to be named to a second process; the lock itself is the kernel's (see open-store.ts). */
export const owners = sqliteTable("owners", {
  id: integer("id").primaryKey(),
  pid: integer("pid").notNull(),
  host: text("host").notNull(),
  processName: text("process_name").notNull(),
  since: text("since").notNull(),
});

/** One row: what this Forge is, made with the database. */
export const instance = sqliteTable("instance", {
  id: integer("id").primaryKey(),
  bornAt: text("born_at").notNull(),
  key: blob("key", { mode: "buffer" }).notNull(),
});

/** Always empty: inserting 0 is how a statement makes its whole batch fail. */
export const guards = sqliteTable("guards", { passed: integer("passed").notNull() }, () => [
  check("guard_passed", sql`passed = 1`),
]);

/**
 * Who is signed in to the pages (OPS-2). `idHash` is of what the cookie holds, so that nobody who reads this can be somebody; `token` is the
 * person's own at GitHub, sealed.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    idHash: text("id_hash").primaryKey(),
    /** As GitHub numbers people. */
    personId: integer("person_id").notNull(),
    login: text("login").notNull(),
    token: text("token").notNull(),
    endsAt: text("ends_at").notNull(),
    /** Grows whenever something may have changed what people see: what was read of GitHub before does not count then. */
    accessVersion: integer("access_version").notNull().default(0),
  },
  (table) => [index("sessions_by_person").on(table.personId), index("sessions_by_end").on(table.endsAt)],
);
