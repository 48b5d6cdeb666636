import { z } from "zod";
import { DeploySettings } from "./deployments.ts";
import { GateSettings } from "./gates.ts";
import { compileGlob } from "./globs/compile-glob.ts";
import { Level } from "./ladder.ts";
import { MERGES } from "./merging.ts";

/** The path of a repository's configuration, and of an organization's in its repository `.github` (CONF-1). */
export const CONFIGURATION_PATH = ".github/forge.yml";

/** Formats in which a configured analyser may report (REV-5). */
export const REPORT_FORMATS = ["sarif", "eslint", "biome", "tsc", "checkstyle"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Providers of models; `openai` stands for every endpoint with its interface. */
export const PROVIDERS = ["anthropic", "openai"] as const;

const list = (of: string) => z.array(z.string().min(1)).default([]).describe(of);

/** A glob that can be asked about every file of a change: what is wrong with one is said by its line. */
const Glob = z
  .string()
  .min(1)
  .superRefine((glob, context) => {
    const compiled = compileGlob(glob);
    if ("fault" in compiled) context.addIssue({ code: "custom", message: compiled.fault });
  });
const globs = (of: string) => z.array(Glob).default([]).describe(of);

/** A program of the repository that looks at the code, run in the sandbox, and how to read what it prints. */
export const ConfiguredAnalyser = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,29}$/)
      .describe("Stands before each rule of its findings: small letters, digits and dashes, at most 30."),
    command: z
      .array(z.string().min(1))
      .min(1)
      .max(50)
      .describe("The program and its arguments, one by one: there is no shell. It must print its report."),
    format: z.enum(REPORT_FORMATS).describe("How its report is written."),
    paths: globs("Globs of changed files for which it is run. Empty: every change."),
  })
  .describe("A program of this repository that reports findings. It runs in the sandbox, or not at all.");
export type ConfiguredAnalyser = z.infer<typeof ConfiguredAnalyser>;

/** The highest limit in USD that can be set. */
export const MOST_USD = 10_000;
const usd = z.number().min(0).max(MOST_USD);

/** What `safety.time.review` may be. */
export const REVIEW_MINUTES = { least: 1, most: 240 } as const;

/** What people tell the AI layer about a part of the repository (GH-15a). */
const PathInstruction = z.strictObject({
  path: Glob.describe("Glob of the files that it is about."),
  instructions: z.string().min(1).max(4_000).describe("What the AI layer should know or look for there."),
});

const Review = z.strictObject({
  on_pr: z.boolean().default(true).describe("Review pull requests without being asked."),
  drafts: z.boolean().default(false).describe("Review drafts too. `/forge review` works on them either way."),
  comments: z
    .enum(["all", "blocking", "none"])
    .default("all")
    .describe("Which findings become comments on lines: all above info, only blocking ones, or none."),
  max_comments: z
    .number()
    .int()
    .min(0)
    .max(50)
    .default(20)
    .describe("At most this many comments in one review; the rest are annotations and in the summary."),
  max_rounds: z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe(
      "After this many reviews with comments on one pull request only the check goes on, until `/forge review`.",
    ),
  paths: z
    .strictObject({
      include: globs("Globs of paths to review. Empty: everything."),
      exclude: globs("Globs of paths to leave out."),
    })
    .prefault({})
    .describe("Which files are reviewed. Globs work as in .gitignore."),
  authors: z
    .strictObject({ exclude: list("Logins whose pull requests are left out, for instance `renovate[bot]`.") })
    .prefault({})
    .describe("Whose pull requests are reviewed."),
  labels: z
    .strictObject({ exclude: list("Labels with which a pull request is left out.") })
    .prefault({})
    .describe("Which labels keep a pull request from being reviewed."),
  base_branches: list("Branches to which reviewed pull requests go. Empty: all."),
  ai: z
    .enum(["auto", "always", "never"])
    .default("auto")
    .describe(
      "When a model reads the change: by its risk (medium and above), always, or never. Without a model nothing of it runs.",
    ),
  tests: z
    .enum(["auto", "always", "never"])
    .default("auto")
    .describe(
      "When the tests of a pull request are run by themselves after its review, as the check `forge/tests`: by its risk (medium and above), always, or never. `/forge test` runs them either way.",
    ),
  approve: z
    .boolean()
    .default(false)
    .describe(
      "Whether Forge approves pull requests of people on GitHub: of low risk, in which it found nothing, where its level (`/forge level`) is 2 or above. It takes that back when something is pushed.",
    ),
  request_changes: z
    .boolean()
    .default(false)
    .describe(
      "Whether Forge requests changes on GitHub while blocking findings are open on a pull request of people. It takes that back as soon as they are closed.",
    ),
  high_risk: z
    .enum(["say", "ask"])
    .default("ask")
    .describe(
      "What a high or critical risk means for a pull request that Forge did not open: the check waits until another user with push permission approves the pull request on GitHub (`ask`), or it only says so (`say`). A critical risk waits for an architect.",
    ),
  architects: z
    .array(z.string().min(1).max(140))
    .max(50)
    .default([])
    .describe(
      "Who has to approve a critical risk: logins, and teams of the organization such as `@acme/architects`, whose members Forge reads with the permission `members: read`. Empty: a user with maintain permission.",
    ),
  path_instructions: z
    .array(PathInstruction)
    .max(50)
    .default([])
    .describe(
      "What the AI layer should know about parts of the repository, in addition to AGENTS.md and similar files.",
    ),
  protected_paths: globs("Globs of files whose change is at least a high risk, whatever its size."),
  path_weights: z
    .record(Glob, z.number().min(0).max(20))
    .default({})
    .describe(
      "How critical files are for the risk score, in points: each key is a glob of files, such as `src/auth/**: 15`.",
    ),
  learn_risk: z
    .boolean()
    .default(true)
    .describe(
      "Whether Forge reads the repository's own history to see what became of similar changes. It shows the result next to the risk score, and uses it for the weights of the score where that predicts better.",
    ),
});

/** A program of the repository and its arguments, one by one: no shell reads it. It runs in the sandbox, or not at all. */
const command = (of: string) => z.array(z.string().min(1).max(1_000)).min(1).max(50).optional().describe(of);

const Tools = z.strictObject({
  test: command(
    'How the tests are run, as a list of program and arguments, such as `["npm", "test"]`. Left out: found from the manifest, and only the tests that a change affects are run at low risk.',
  ),
  typecheck: command("How types are checked, as a list of program and arguments. It runs in the sandbox."),
  lint: command(
    "How style is checked, as a list of program and arguments: who writes for Forge runs it, in the sandbox, on what it wrote. For findings in reviews name it under `analysers`.",
  ),
  build: command("What has to be built before the tests can run, as a list of program and arguments."),
  missing_tests: z
    .enum(["report", "write"])
    .default("write")
    .describe(
      "What follows when tests reach less than 80 % of the lines that Forge changed: the implementer writes the missing tests, once for a run, or Forge only reports the lines.",
    ),
  analysers: z
    .array(ConfiguredAnalyser)
    .max(10)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "must not name two analysers alike")
    .default([])
    .describe("Analyzers of this repository, in addition to those of Forge."),
});

/** What one run may cost in USD unless the repository says otherwise, and with it all runs of one pull request or issue. */
const RUN_USD = 50;

const Cost = z
  .strictObject({
    planning: usd.default(5).describe("USD that planning one issue may cost."),
    implementation: usd.default(10).describe("USD that the work on one plan may cost, with all its rounds."),
    review: usd.default(2).describe("USD that one review may cost."),
    testing: usd.default(3).describe("USD that looking into failing tests may cost in one run."),
    deployment: usd.default(2).describe("USD that a model may cost to look at one deployment and explain it."),
    run: usd.default(RUN_USD).describe("USD that one run may cost in all its phases."),
    subject: usd
      .optional()
      .describe(
        `USD that all runs of one pull request or issue may cost together. Left out: ${RUN_USD}, or \`safety.cost.run\` where that is more.`,
      ),
    day: usd.default(200).describe("USD that this repository may cost in a day (UTC)."),
  })
  // The default of one limit does not undercut another limit that was set.
  .transform((cost) => ({ ...cost, subject: cost.subject ?? Math.max(RUN_USD, cost.run) }));

const Safety = z.strictObject({
  cost: Cost.prefault({}).describe("Money: reserved before each call of a model, never overshot."),
  time: z
    .strictObject({
      planning: z.number().min(1).max(240).default(30).describe("Minutes of work that planning may take."),
      implementation: z.number().min(1).max(240).default(60).describe("Minutes of work on one plan."),
      review: z
        .number()
        .min(REVIEW_MINUTES.least)
        .max(REVIEW_MINUTES.most)
        .default(30)
        .describe("Minutes of work that a review may take."),
      testing: z.number().min(1).max(240).default(20).describe("Minutes that one round of tests may take."),
      deployment: z
        .number()
        .min(1)
        .max(60)
        .default(15)
        .describe("Minutes of work that one explanation of a deployment may take. No step waits for it."),
      run: z.number().min(1).max(1_000).default(120).describe("Minutes of work of one run in all its phases."),
    })
    .prefault({})
    .describe("Time: waiting for people does not count."),
  iterations: z
    .strictObject({
      planning: z.number().int().min(1).max(100).default(20).describe("Model calls of the planner for one plan."),
      implementation: z.number().int().min(1).max(200).default(50).describe("Model calls for one task of a plan."),
      review: z.number().int().min(1).max(50).default(10).describe("Model calls of the reviewer in one review."),
      testing: z.number().int().min(1).max(50).default(5).describe("Model calls for one look into failing tests."),
      deployment: z
        .number()
        .int()
        .min(1)
        .max(20)
        .default(3)
        .describe("Model calls for one explanation of a deployment."),
      run: z.number().int().min(1).max(1_000).default(150).describe("Model calls of one run in all its phases."),
    })
    .prefault({})
    .describe("Calls of a model."),
  confirm_over_usd: usd
    .default(5)
    .describe("A plan whose work may cost more than so many USD waits for a person's yes."),
  automation_level: Level.optional().describe(
    "Forge does no more by itself than this level of automation allows, whatever `/forge level` says: 0 reports only, 1 suggests, from 2 on it acts where its record lets it. Left out: what `/forge level` says.",
  ),
  merge: z
    .enum(MERGES)
    .default("never")
    .describe(
      "Which pull requests of low risk Forge merges by itself, where its level (`/forge level`) is 3 or above and the base branch requires checks or reviews: none, its own, or also those of people with push permission that it approved (`review.approve`). At level 3 there are two hours to say `/forge hold`.",
    ),
  separation_of_duties: z
    .boolean()
    .default(true)
    .describe("Whether a high or critical risk needs an approver other than the user who asked for the work."),
  approve: list(
    "Tools of agents whose every call waits for a person with push permission, such as `run_tests`. Where nobody can be asked they are denied.",
  ),
  approve_over_usd: usd
    .optional()
    .describe("A call of a tool that may cost more than so many USD waits for a person too."),
  gates: z
    .strictObject({
      architecture_approval: z
        .enum(["auto", "always", "off"])
        .default("auto")
        .describe(
          "Whether a person says yes to a plan before it is carried out: from a high risk on, always, or never. A plan above confirm_over_usd waits in any case.",
        ),
      cost_overrun: z
        .enum(["auto", "ask", "off"])
        .default("auto")
        .describe(
          "Whether a person is asked when 80 % of a budget is spent and the work is not done: from a budget of $0.50 on, of any budget, or never. It counts for the limits of the phase, the run, the issue or pull request, and the day.",
        ),
    })
    .prefault({})
    .describe("Where a run waits for a person."),
});

const Llm = z.strictObject({
  provider: z
    .enum(PROVIDERS)
    .optional()
    .describe(
      "Whose models work here, of the providers that Forge is set up with: `anthropic`, or `openai` for all that has its interface. Left out: the one that Forge uses.",
    ),
  model: z.string().min(1).max(200).optional().describe("Model for hard work, of the provider above."),
  fast_model: z.string().min(1).max(200).optional().describe("Model for reviews, and where the budget runs low."),
});

const Project = z.strictObject({
  name: z.string().trim().min(1).max(100).optional().describe("The name of the project, for agents."),
  language: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "The languages of the project, such as `TypeScript, some Go`. Agents write in them if they have the choice.",
    ),
});

const rounds = (usual: number) => z.number().int().min(0).max(10).default(usual);

/** How often work goes back to the implementer before a person is asked (PIPE-5). */
const MaxBounces = z.strictObject({
  review: rounds(3).describe("How often the review sends work back to be corrected before a person is asked."),
  tests: rounds(2).describe("How often failing tests send work back to be corrected before a person is asked."),
});

/** How agents go about their work. Whoever reads it is src/agents/loop/settings.ts. */
const Loop = z.strictObject({
  stagnation: z
    .number()
    .int()
    .min(2)
    .max(20)
    .default(3)
    .describe(
      "After so many steps that are the same, or calls that fail in the same way, an agent asks for help or ends.",
    ),
  compress_at: z
    .number()
    .min(0.2)
    .max(0.95)
    .default(0.9)
    .describe("Share of what a model can hold at which the middle of a conversation becomes a summary."),
  keep_recent: z
    .number()
    .int()
    .min(1)
    .max(50)
    .default(3)
    .describe("The newest messages that such a summary leaves as they are."),
  reflection: z
    .strictObject({
      enabled: z.boolean().default(true).describe("Whether agents look back on what they did, for the memory."),
      usd: usd.default(0.5).describe("USD that all of it may cost in one phase."),
      from_usd: usd.default(0.1).describe("A success that cost less than so many USD is not looked back on."),
    })
    .prefault({})
    .describe("What agents learn from their work."),
  retry: z
    .strictObject({
      attempts: z
        .number()
        .int()
        .min(1)
        .max(5)
        .default(2)
        .describe("How often a model is asked when it is overloaded, silent or cannot be reached."),
      pause_seconds: z
        .number()
        .min(0)
        .max(60)
        .default(5)
        .describe("Seconds between two attempts, where the provider names no time."),
    })
    .prefault({})
    .describe("When a model does not answer."),
});

const Memory = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe(
      "Whether agents use what earlier runs in this repository learned, and learn more. Turning it off deletes nothing.",
    ),
  recalled: z.number().int().min(1).max(10).default(10).describe("Memories that an agent begins with at most."),
  tokens: z
    .number()
    .int()
    .min(0)
    .max(50_000)
    .default(8_000)
    .describe("Tokens that these may take; a reader of a change has a quarter of them."),
});

/**
 * `.github/forge.yml` (CONF-1), as far as there is something to configure. Strict: an unknown key is a mistake that is reported, never
 * silently ignored. The descriptions are what editors show (forge.schema.json).
 */
export const RepoConfig = z.strictObject({
  project: Project.prefault({}).describe(
    "What agents should know about the project, in addition to AGENTS.md and similar files.",
  ),
  review: Review.prefault({}).describe("What is reviewed, and how much is said."),
  tools: Tools.prefault({}).describe("Programs of the repository that Forge runs."),
  llm: Llm.prefault({}).describe("Which models work here."),
  safety: Safety.prefault({}).describe("Limits at which Forge stops itself."),
  gates: GateSettings.prefault({}).describe(
    "How long questions to people stand, and what follows when nobody answers.",
  ),
  max_bounces: MaxBounces.prefault({}).describe("How often work on an issue goes back to be corrected."),
  loop: Loop.prefault({}).describe("How agents go about their work."),
  memory: Memory.prefault({}).describe("What is remembered from run to run."),
  deploy: DeploySettings.prefault({}).describe("What happens after a merge."),
});
export type RepoConfig = z.infer<typeof RepoConfig>;

export const DEFAULT_REPO_CONFIG: RepoConfig = RepoConfig.parse({});
