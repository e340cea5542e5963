import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { Effect, type Scope } from "effect"
import type { Files } from "./gitRepository.ts"
import { call, type RunningServer, readEvents } from "./server.ts"

const folder = new URL("../fixtures/fixes/", import.meta.url).pathname

/** A defect of one rule, in a folder of its own so that a fix of one meets no fix of another. */
export interface PlantedDefect {
  readonly rule_id: string
  readonly folder: string
  readonly files: Files
}

const filesUnder = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

/** What the fixtures of a case hold before the fix. */
export const plantedDefect = (rule_id: string, name: string): PlantedDefect => {
  const before = join(folder, rule_id, name, "before")
  const place = rule_id.replace(".", "-")
  return {
    rule_id,
    folder: place,
    files: Object.fromEntries(
      filesUnder(before).map((path) => [`${place}/${path}`, readFileSync(join(before, path))] as const)
    )
  }
}

const identity = ["-c", "user.name=Reviewer", "-c", "user.email=reviewer@example.org", "-c", "commit.gpgsign=false"]

/** How a person brings a branch into the base branch. */
export type MergeKind = "merge" | "squash" | "rebase"

const commands: Readonly<Record<MergeKind, (branch: string) => ReadonlyArray<ReadonlyArray<string>>>> = {
  merge: (branch) => [["merge", "--quiet", "--no-ff", "-m", `Merge ${branch}`, `origin/${branch}`]],
  squash: (branch) => [
    ["merge", "--quiet", "--squash", `origin/${branch}`],
    ["commit", "--quiet", "-m", `Squash ${branch}`]
  ],
  rebase: (branch) => [["cherry-pick", `origin/${branch}`]]
}

/** Works in a clone of a bare repository. */
export const inClone = <A>(path: string, work: (git: (...args: ReadonlyArray<string>) => string) => A): A => {
  const clone = realpathSync(mkdtempSync(join(tmpdir(), "assay-clone-")))
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", [...identity, ...args], { cwd: clone, stdio: "pipe" })
      .toString()
      .trim()
  try {
    git("clone", "--quiet", path, ".")
    return work(git)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

/** Merges branches as people do, one after another, and deletes those that were squashed or rebased. */
export const mergeAll = (path: string, merges: ReadonlyArray<readonly [branch: string, kind: MergeKind]>) =>
  inClone(path, (git) => {
    for (const [branch, kind] of merges) for (const args of commands[kind](branch)) git(...args)
    git("push", "--quiet", "origin", "HEAD:main")
    for (const [branch, kind] of merges) if (kind !== "merge") git("push", "--quiet", "origin", `:${branch}`)
  })

export interface LoopJob {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly failure_kind: string | null
  readonly pr_url: string | null
  readonly cost_usd: number
  readonly result: { readonly branch: string; readonly head_commit: string } | null
}

/** The job once it has ended. */
export const endedJob = (server: RunningServer, key: string, id: string) =>
  Effect.zipRight(
    readEvents(server, key, id),
    Effect.map(call<LoopJob>(server, key, "GET", `/api/jobs/${id}`), ({ body }) => body)
  )

/** Kills the server after each of these stages of the job, and starts it again; gives the last one. */
export const killedAfterEach = (
  stages: ReadonlyArray<string>,
  key: string,
  jobId: string,
  first: RunningServer,
  start: Effect.Effect<RunningServer, never, Scope.Scope>
) =>
  Effect.gen(function* () {
    let server = first
    for (const stage of stages) {
      yield* readEvents(server, key, jobId, (event) => event.type === "stage_completed" && event.stage === stage)
      yield* server.kill
      server = yield* start
    }
    return server
  })

/** A loader that runs what it reads, which one rule finds and its fixer replaces. */
export const unsafeLoader = `import yaml


def read_settings(stream):
    return yaml.load(stream, Loader=yaml.Loader)
`

export const findingOfUnsafeLoader = (server: RunningServer, key: string) =>
  Effect.map(allObservations(server, key), (found) => {
    const finding = found.find(({ rule_id }) => /unsafe_yaml_load$/.test(rule_id))
    if (finding === undefined) throw new Error("The unsafe loader was not found.")
    return finding
  })

/** An observation as it is shown alone. */
export interface ObservationDetail {
  readonly status: string
  readonly close_reason: string | null
  readonly attempts: ReadonlyArray<{
    readonly job_ids: ReadonlyArray<string>
    readonly outcome: string
    readonly status: string | null
  }>
}

export interface LoopObservation {
  readonly ref: string
  readonly kind: string
  readonly rule_id: string
  readonly status: string
  readonly close_reason: string | null
  readonly locations: ReadonlyArray<{ readonly file_path: string }>
}

/** Every observation of the workspace, in the order of their numbers. */
export const allObservations = (server: RunningServer, key: string) =>
  Effect.gen(function* () {
    const found: Array<LoopObservation> = []
    let cursor: string | null = null
    do {
      const query: string = `include=locations&limit=200${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
      const { body }: { body: { data: ReadonlyArray<LoopObservation>; next_cursor: string | null } } = yield* call<{
        data: ReadonlyArray<LoopObservation>
        next_cursor: string | null
      }>(server, key, "GET", `/api/observations?${query}`)
      found.push(...body.data)
      cursor = body.next_cursor
    } while (cursor !== null)
    return found.sort((a, b) => numberOf(a) - numberOf(b))
  })

const numberOf = ({ ref }: LoopObservation) => Number(ref.slice("OBS-".length))
