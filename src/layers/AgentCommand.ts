import { existsSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { Duration, Effect, Layer, Option, Queue, Ref } from "effect"
import { Secrets } from "../engine/index.ts"
import {
  AgentFailed,
  type AgentFailureKind,
  type AgentOutcome,
  type AgentRequest,
  AgentRunner
} from "../services/ports/AgentRunner.ts"
import { type AgentReport, ReportReader } from "./process/agentReport.ts"
import { CapturedOutput } from "./process/CapturedOutput.ts"
import { type IsolationView, isolationState } from "./process/isolationState.ts"
import { homeName, type PrivateFolders, privateFolders } from "./process/privateFolders.ts"
import { type CappedEnd, type CappedResource, runCapped } from "./process/runCapped.ts"

interface Options {
  /** A command line for `/bin/sh`; null: no agent. */
  readonly command: string | null
  /** Variables that the agent gets beside those that every program needs. */
  readonly environment: ReadonlyArray<string>
  readonly timeoutSeconds: number
  readonly memoryMb: number
  readonly maxUsd: number
  readonly maxProcesses: number
  /** Never visible to the agent. */
  readonly dataDir: string
}

const megabyte = 1024 * 1024
const outputBytes = 64 * megabyte
const keptBytes = 64 * 1024
const maxTail = 4000
const maxSummary = 2000

/** Where people keep credentials in their home folder; an agent has a home folder of its own. */
const credentials = [
  ...[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh", ".config/git"],
  ...[".netrc", ".git-credentials", ".pgpass", ".npmrc", ".pypirc", ".vault-token", ".bash_history", ".zsh_history"]
]

/** Sockets of the machine's services are here, with which an agent could leave its namespaces. */
const sockets = ["/run", "/var/run"]

/** What resolving names needs of it. */
const resolvers = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"]

const real = (path: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => realpath(path)),
    () => path
  )

const viewOf = ({ dataDir }: Options): Effect.Effect<IsolationView> =>
  Effect.map(
    Effect.forEach([dataDir, ...credentials.map((name) => join(homedir(), name)), ...sockets], real),
    (hidden): IsolationView => ({
      readable: ["/"],
      hidden: [...new Set(hidden)].filter((path) => existsSync(path)),
      shown: resolvers,
      network: true
    })
  )

const exhausted: Readonly<Record<CappedResource, (options: Options) => string>> = {
  memory: ({ memoryMb }) => `more than ${memoryMb} MB of memory (ASSAY_AGENT_MEMORY_MB)`,
  processes: ({ maxProcesses }) => `more than ${maxProcesses} processes (ASSAY_AGENT_MAX_PROCESSES)`,
  output: () => `more than ${outputBytes / megabyte} MB of output`
}

interface Failure {
  readonly kind: AgentFailureKind
  readonly message: string
}

/** Null where the agent ended as it should. */
const failureOf = (end: CappedEnd, limit: Duration.Duration, options: Options): Failure | null => {
  switch (end.status) {
    case "timeout":
      return { kind: "timeout", message: `The agent was stopped: it took longer than ${Duration.format(limit)}.` }
    case "resource_limit":
      return {
        kind: "resource_limit",
        message: `The agent was stopped: it needed ${exhausted[end.resource](options)}.`
      }
    case "not_started":
      return { kind: "agent_failed", message: `The agent could not be started: ${end.message}` }
    case "exited":
      return end.exitCode === 0
        ? null
        : { kind: "agent_failed", message: `The agent ended with exit code ${end.exitCode}.` }
  }
}

const overBudget = (cost: number, budget: number): Failure => ({
  kind: "budget_exceeded",
  message: `The agent was stopped: it reports a cost of $${cost}, and this run may cost $${budget} (ASSAY_AGENT_MAX_USD).`
})

const noReport: Failure = {
  kind: "agent_failed",
  message: "The last line of the agent's output is not a JSON object with `cost_usd` and `summary`."
}

const notConfigured = new AgentFailed({
  kind: "agent_failed",
  message: "No coding agent is configured; the operator names one in ASSAY_AGENT_COMMAND.",
  cost_usd: 0
})

const minSecret = 6

/** Values of the agent's own variables are replaced, too: it may print its key. */
const redacted = (text: string, values: ReadonlyArray<string>): string =>
  Secrets.redactSecrets(
    values
      .filter((value) => value.length >= minSecret)
      .reduce((rest, value) => rest.replaceAll(value, "[redacted]"), text)
  )

const inherited = (names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value] as const]
    })
  )

/** What one run has cost so far, as the agent reports it. */
const spending = ({ onCost }: AgentRequest) =>
  Effect.gen(function* () {
    const reports = yield* Queue.unbounded<number>()
    const spent = yield* Ref.make(0)
    /** Money that was spent stays spent, whatever the agent reports later. */
    const count = (reported: number) =>
      Effect.gen(function* () {
        if (reported <= (yield* Ref.get(spent))) return
        yield* Ref.set(spent, reported)
        if (onCost !== undefined) yield* onCost(reported)
      })
    const exceeds = (budget: number) =>
      Effect.gen(function* () {
        for (;;) {
          yield* count(yield* Queue.take(reports))
          if ((yield* Ref.get(spent)) > budget) return "over_budget" as const
        }
      })
    const settled = Effect.gen(function* () {
      yield* Effect.forEach(yield* Queue.takeAll(reports), count)
      return yield* Ref.get(spent)
    })
    const receive = ({ cost_usd }: AgentReport) => {
      if (typeof cost_usd === "number") Queue.unsafeOffer(reports, cost_usd)
    }
    return { receive, exceeds, settled }
  })

/** Variables of the operator's choice come last: who lists HOME wants the real one. */
const environmentOf = (folders: PrivateFolders, isIsolated: boolean, own: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
  LANG: process.env.LANG ?? "C.UTF-8",
  HOME: isIsolated ? `/tmp/${homeName}` : folders.home,
  TMPDIR: isIsolated ? "/tmp" : folders.tmp,
  ...own
})

/** The failure in words for a person, with the end of what the agent printed. */
const described = ({ kind, message }: Failure, output: string, cost_usd: number): AgentFailed => {
  const tail = output.trim().slice(-maxTail)
  return new AgentFailed({
    kind,
    message: tail === "" ? message : `${message}\nThe end of its output:\n${tail}`,
    cost_usd
  })
}

const make = (options: Options) =>
  Effect.gen(function* () {
    const { command, maxProcesses, memoryMb } = options
    const view = yield* viewOf(options)
    const state = yield* Effect.cachedWithTTL(
      Effect.tap(isolationState(view), (found) =>
        found.ok ? Effect.void : Effect.logWarning(`Coding agents run without namespaces: ${found.reason}`)
      ),
      "10 minutes"
    )
    const own = inherited(options.environment)
    const values = Object.values(own)

    const execute = Effect.fnUntraced(function* (line: string, request: AgentRequest) {
      const folders = yield* privateFolders
      const { root, tmp } = folders
      const folder = yield* real(request.folder)
      const isolation = (yield* state).ok ? { ...view, root, tmp, folder, maxProcesses } : null
      const timeout = Duration.min(request.timeout, Duration.seconds(options.timeoutSeconds))
      const budget = Math.min(request.budgetUsd, options.maxUsd)
      const output = new CapturedOutput({ headBytes: 0, tailBytes: keptBytes })
      const { receive, exceeds, settled } = yield* spending(request)
      const reader = new ReportReader(receive)
      const process = runCapped({
        command: ["/bin/sh", "-c", line],
        folder,
        isolation,
        environment: environmentOf(folders, isolation !== null, own),
        input: request.brief,
        limits: { timeout, memoryMb, maxProcesses, outputBytes },
        onOutput: (chunk, stream) => {
          output.add(chunk)
          if (stream === "stdout") reader.add(chunk)
        }
      })
      const end = yield* Effect.raceFirst(process, exceeds(budget))
      const report = reader.end()
      const cost_usd = yield* settled
      const failure =
        end === "over_budget" || cost_usd > budget ? overBudget(cost_usd, budget) : failureOf(end, timeout, options)
      if (failure === null && Option.isSome(report)) {
        return { summary: summaryOf(report.value, values), cost_usd } satisfies AgentOutcome
      }
      return yield* described(failure ?? noReport, redacted(output.text(), values), cost_usd)
    }, Effect.scoped)

    const run = Effect.fn("AgentRunner.run")((request: AgentRequest) =>
      command === null ? Effect.fail(notConfigured) : execute(command, request)
    )

    return { configured: command !== null, run }
  })

const summaryOf = ({ summary }: AgentReport, values: ReadonlyArray<string>): string | null =>
  summary === null || summary === undefined || summary.trim() === ""
    ? null
    : redacted(summary, values).trim().slice(0, maxSummary)

/** The operator's coding agent: any program that reads a brief, edits files in place and reports in its last line. */
export const AgentCommand = {
  layer: (options: Options) => Layer.effect(AgentRunner, make(options))
}
