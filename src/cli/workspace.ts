import { Args, Command, Options } from "@effect/cli"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import { Effect, Layer, Option, Schema } from "effect"
import { migrate } from "../layers/Migrations.ts"
import { featureNames, isFeature, Plan, switchableFeatures } from "../schema/Feature.ts"
import { workflows } from "../schema/Job.ts"
import { personName } from "../schema/Session.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { type WorkspaceChange, Workspaces } from "../services/access/Workspaces.ts"
import { type WorkspaceRow, WorkspacesRepo } from "../services/access/WorkspacesRepo.ts"
import { Users } from "../services/people/Users.ts"
import { CommandFailed } from "./failures.ts"
import { print, printSignInLink, untilInForce, withDatabase } from "./operator.ts"
import { emailAddress, withUsers } from "./user.ts"

const services = Workspaces.Default.pipe(Layer.provide(WorkspacesRepo.Default))

const withWorkspaces = <A, E>(use: (workspaces: Workspaces) => Effect.Effect<A, E>) =>
  withDatabase(() => Effect.zipRight(migrate(), Effect.flatMap(Workspaces, use)).pipe(Effect.provide(services)))

/** Changes a workspace and prints what it is then. */
const changed = (target: string, change: WorkspaceChange) =>
  withWorkspaces((workspaces) =>
    Effect.gen(function* () {
      const id = yield* workspaces.change(target, change)
      yield* untilInForce
      const rows = yield* workspaces.list
      for (const row of rows) if (row.id === id) yield* print(describe(row))
    }).pipe(
      Effect.catchTag("WorkspaceUnclear", "FeatureNotInPlan", ({ message }) =>
        Effect.fail(new CommandFailed({ status: 2, message }))
      )
    )
  )

const list = Command.make("list", {}, () =>
  withWorkspaces((workspaces) =>
    Effect.flatMap(workspaces.list, (rows) => Effect.forEach(rows, (row) => print(describe(row)), { discard: true }))
  )
).pipe(Command.withDescription("List workspaces."))

const usd = (amount: number) => `${Number(amount.toFixed(6))} USD`
const orNone = (amount: number | null, of: string) => (amount === null ? `no ${of}` : `${of} ${usd(amount)}`)

/** A workspace on two lines: what it is, and what it may spend and run. */
const describe = (row: WorkspaceRow): string => {
  const held = row.held_usd > 0 ? ` (${usd(row.held_usd)} of it reserved)` : ""
  const money = [
    row.credit_usd === null ? "credit unmetered" : `credit ${usd(row.credit_usd)}${held}`,
    orNone(row.spend_per_hour_usd, "hourly ceiling"),
    orNone(row.job_cap_usd, "job cap"),
    ...(row.spend_paused ? ["spending paused"] : [])
  ]
  const limits = [
    ...(row.max_queued === null ? [] : [`at most ${row.max_queued} queued`]),
    ...(row.max_running === null ? [] : [`at most ${row.max_running} running`]),
    ...(row.entitled_workflows === null ? [] : [`workflows: ${row.entitled_workflows.join(", ") || "none"}`])
  ]
  const lines = [
    `${row.name} (${row.id}): ${row.suspended_at === null ? "active" : "suspended"}, plan ${row.plan}, ` +
      `${row.repositories} repositories, ${row.members} members, features: ${row.features.join(", ") || "none"}`,
    `  ${[...money, ...limits].join("; ")}`
  ]
  return lines.join("\n")
}

const invalid = (message: string) => Effect.fail(ValidationError.invalidValue(HelpDoc.p(message)))

const setting = <A>(name: string, description: string, read: (text: string) => A | undefined, allowed: string) =>
  Options.text(name).pipe(
    Options.withDescription(description),
    Options.mapEffect((text) => {
      const value = read(text)
      return value === undefined ? invalid(`--${name} must be ${allowed}`) : Effect.succeed(value)
    }),
    Options.optional
  )

/** The ledger counts billionths of a dollar. */
const amount = (none: string, isAllowed: (usd: number) => boolean) => (text: string) =>
  text === none ? null : /^\d{1,8}(\.\d{1,9})?$/.test(text) && isAllowed(Number(text)) ? Number(text) : undefined

const positive = (usd: number) => usd > 0
const count = (text: string) => (text === "default" ? null : /^\d{1,6}$/.test(text) ? Number(text) : undefined)

const isWorkflow = (name: string) => (workflows as ReadonlyArray<string>).includes(name)
const workflowNames = (text: string) => {
  const names = text.split(",").map((name) => name.trim())
  return text === "all" ? null : names.every(isWorkflow) ? [...new Set(names)] : undefined
}

const feature = Options.text("feature").pipe(
  Options.withDescription(
    `Switch a beta feature (${switchableFeatures.join(", ")}), with =on or =off; may be given several times.`
  ),
  Options.repeated,
  Options.mapEffect((texts) =>
    Effect.map(
      Effect.forEach(texts, (text) => {
        const [, name, state] = /^([a-z][a-z0-9_-]{0,63})=(on|off)$/.exec(text) ?? []
        if (name === undefined) return invalid(`--feature must be a feature's name, then =on or =off, not ${text}`)
        if (!isFeature(name)) return invalid(`There is no feature ${name}; the features are ${featureNames.join(", ")}`)
        return switchableFeatures.includes(name)
          ? Effect.succeed([name, state === "on"] as const)
          : invalid(`This version of Assay has no ${name} yet; --feature switches ${switchableFeatures.join(", ")}`)
      }),
      (switches) => new Map(switches)
    )
  )
)

const flag = (name: string, description: string) => Options.boolean(name).pipe(Options.withDescription(description))

const options = {
  plan: Options.choice("plan", Plan.literals).pipe(Options.withDescription("Its plan."), Options.optional),
  credit: setting(
    "credit",
    "USD left to spend, or unmetered.",
    amount("unmetered", () => true),
    "an amount of USD, or unmetered"
  ),
  spendPerHour: setting(
    "spend-per-hour",
    "USD its jobs may reserve and cost per hour, or none.",
    amount("none", positive),
    "an amount of USD above 0, or none"
  ),
  jobCap: setting(
    "job-cap",
    "USD one job may cost, or none.",
    amount("none", positive),
    "an amount of USD above 0, or none"
  ),
  pauseSpend: flag("pause-spend", "Refuse new jobs."),
  resumeSpend: flag("resume-spend", "Accept new jobs again."),
  maxQueued: setting("max-queued", "Jobs that may wait, or default.", count, "a whole number, or default"),
  maxRunning: setting("max-running", "Jobs that may run at a time, or default.", count, "a whole number, or default"),
  workflows: setting(
    "workflows",
    "Workflows it may run, comma-separated, or all.",
    workflowNames,
    `all, or some of ${workflows.join(", ")}`
  ),
  feature,
  suspend: flag("suspend", "Refuse every key and session until it is resumed."),
  resume: flag("resume", "Let keys and sessions work again.")
}

const target = Args.text({ name: "workspace" }).pipe(Args.withDescription("Its name or id."))

const either = (on: boolean, off: boolean, names: string): Effect.Effect<boolean | undefined, CommandFailed> =>
  on && off
    ? Effect.fail(new CommandFailed({ status: 2, message: `Give one of ${names}, not both.` }))
    : Effect.succeed(on ? true : off ? false : undefined)

const given = <K extends string, A>(key: K, value: Option.Option<A>) =>
  (Option.isNone(value) ? {} : { [key]: value.value }) as { readonly [P in K]?: A }

const set = Command.make("set", { target, ...options }, ({ target, ...changes }) =>
  Effect.gen(function* () {
    const paused = yield* either(changes.pauseSpend, changes.resumeSpend, "--pause-spend and --resume-spend")
    const suspended = yield* either(changes.suspend, changes.resume, "--suspend and --resume")
    const change: WorkspaceChange = {
      ...given("plan", changes.plan),
      ...given("credit_usd", changes.credit),
      ...given("spend_per_hour_usd", changes.spendPerHour),
      ...given("job_cap_usd", changes.jobCap),
      ...given("max_queued", changes.maxQueued),
      ...given("max_running", changes.maxRunning),
      ...given("entitled_workflows", changes.workflows),
      ...(changes.feature.size === 0 ? {} : { features: changes.feature }),
      ...(paused === undefined ? {} : { spend_paused: paused }),
      ...(suspended === undefined ? {} : { suspended })
    }
    if (Object.keys(change).length === 0) {
      return yield* new CommandFailed({ status: 2, message: "Say what to set; assay workspace set --help lists it." })
    }
    yield* changed(target, change)
  })
).pipe(Command.withDescription("Change a workspace's plan, credit, limits or features."))

const suspend = Command.make("suspend", { target }, ({ target }) => changed(target, { suspended: true })).pipe(
  Command.withDescription("Reject every key and session of a workspace, and end its event streams within a second.")
)

const resume = Command.make("resume", { target }, ({ target }) => changed(target, { suspended: false })).pipe(
  Command.withDescription("Let keys and sessions of a suspended workspace work again.")
)

const create = Command.make(
  "create",
  {
    name: Args.text({ name: "name" }).pipe(Args.withDescription("Its name.")),
    owner: Options.text("owner").pipe(
      Options.withDescription("E-mail address of its owner; an account is made where there is none.")
    )
  },
  ({ name, owner }) =>
    withUsers((config) =>
      Effect.gen(function* () {
        const email = yield* emailAddress(owner)
        if (!Schema.is(personName)(name)) {
          return yield* new CommandFailed({ status: 2, message: "The name must be one line of 1 to 200 characters." })
        }
        const { workspace_id } = yield* Effect.flatMap(Users, (users) => users.createWorkspace(name, email))
        const account = (yield* (yield* Users).list).find((user) => user.email === email)
        yield* print(`${name} (${workspace_id}), owned by ${email}`)
        if (account?.has_password === true) return
        const link = yield* Effect.flatMap(Sessions, (sessions) => sessions.linkFor(email))
        if (link !== null) yield* printSignInLink(config, link)
      })
    )
).pipe(Command.withDescription("Create a workspace and its owner."))

export const workspaceCommands = [create, list, set, suspend, resume] as const

export const workspace = Command.make("workspace").pipe(
  Command.withDescription("Workspaces of this installation."),
  Command.withSubcommands(workspaceCommands)
)
