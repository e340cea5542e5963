import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs"
import { connect } from "node:net"
import { totalmem } from "node:os"
import { dirname } from "node:path"
import { Clock, Effect, Redacted } from "effect"
import { Advisories } from "../engine/index.ts"
import { readUpdateRecord } from "../layers/advisories/UpdateRecord.ts"
import { type AppConfig, unknownVariables } from "../layers/Config.ts"
import { usableGit } from "../layers/git/program.ts"
import { database } from "./databaseCheck.ts"
import type { Found } from "./Found.ts"
import { explain } from "./failures.ts"

export interface CheckResult extends Found {
  readonly name: string
}

const ok = (detail: string): Found => ({ status: "ok", detail })
const warn = (detail: string): Found => ({ status: "warn", detail })
const fail = (detail: string): Found => ({ status: "fail", detail })

const squash = (cause: { readonly _tag: string }): unknown =>
  "error" in cause ? cause.error : "defect" in cause ? cause.defect : cause

const check = <E>(name: string, effect: Effect.Effect<Found, E>): Effect.Effect<CheckResult> =>
  effect.pipe(
    Effect.timeout("60 seconds"),
    Effect.sandbox,
    Effect.match({
      onSuccess: (found) => ({ name, ...found }),
      onFailure: (cause) => ({ name, ...fail(explain(squash(cause))) })
    })
  )

const gib = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

const settings = Effect.sync(() => {
  const unknown = unknownVariables(process.env)
  if (unknown.length === 0) return ok("every variable is one that Assay knows, with an allowed value")
  return warn(
    unknown
      .map(({ name, nearest }) => `${name} is no setting${nearest === null ? "" : `; did you mean ${nearest}?`}`)
      .join(". ")
  )
})

const oldestNode = [20, 19] as const

const node = Effect.sync(() => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
    ? ok(process.version)
    : fail(`${process.version}; install ${oldestNode.join(".")} or newer`)
})

const serverMb = 512

const memory = (config: AppConfig) =>
  Effect.sync(() => {
    // Node says 2^64 and the like where nothing but the machine limits the process.
    const limit = process.constrainedMemory()
    const available = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
    const needed = (serverMb + config.jobSlots * config.scanMemoryMb) * 1024 ** 2
    const use = `${config.jobSlots} jobs at a time may take ${gib(needed)} of ${gib(available)}`
    return needed <= available ? ok(use) : warn(`${use}; lower ASSAY_JOB_SLOTS or ASSAY_SCAN_MEMORY_MB`)
  })

const leastFree = 1024 ** 3
const comfortable = 5 * leastFree

/** The folder itself, or the nearest one above that exists: nothing is made. */
const existing = (path: string): string => (existsSync(path) || dirname(path) === path ? path : existing(dirname(path)))

const disk = ({ dataDir }: AppConfig) =>
  Effect.try(() => {
    const folder = existing(dataDir)
    if (!statSync(folder).isDirectory()) return fail(`${folder} is not a folder; set ASSAY_DATA_DIR to another one`)
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const detail = `${gib(free)} free at ${dataDir}${folder === dataDir ? "" : " (not made yet)"}`
    if (free < leastFree) return fail(`only ${detail}; free some, or set ASSAY_DATA_DIR`)
    return free < comfortable ? warn(`only ${detail}`) : ok(detail)
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed(fail(`${explain(error)}; make the folder writable, or set ASSAY_DATA_DIR to another one`))
    )
  )

interface Ports {
  readonly portProblems: (args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv) => Promise<ReadonlyArray<string>>
}

/** As `assay serve` looks at them; a server that runs already holds them itself. */
const ports = (running: number | null) =>
  running !== null
    ? Effect.succeed(ok(`served by process ${running}`))
    : Effect.promise(async () => {
        const { portProblems }: Ports = await import(new URL("../../bin/ports.js", import.meta.url).href)
        const problems = await portProblems(["serve"], process.env)
        return problems.length === 0
          ? ok("free")
          : fail(problems.map((problem) => problem.replace(/^assay: /, "")).join(" "))
      })

const mailPorts: Readonly<Record<string, number>> = { "smtp:": 587, "smtps:": 465 }

const answers = (host: string, port: number) =>
  Effect.async<boolean>((resume) => {
    const socket = connect({ host, port, timeout: 5_000 })
    const end = (isThere: boolean) => {
      socket.destroy()
      resume(Effect.succeed(isThere))
    }
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
    socket.once("timeout", () => end(false))
  })

const mail = ({ smtpUrl }: AppConfig) =>
  Effect.gen(function* () {
    if (smtpUrl === null) return ok("no server is configured: e-mails stay in the outbox")
    const { hostname, port, protocol } = new URL(Redacted.value(smtpUrl))
    const number = port === "" ? (mailPorts[protocol] ?? 587) : Number(port)
    return (yield* answers(hostname.replace(/^\[(.*)\]$/, "$1"), number))
      ? ok(`${hostname}:${number} answers`)
      : warn(`${hostname}:${number} does not answer; e-mails wait in the outbox. Correct ASSAY_SMTP_URL`)
  })

const isLoopback = (host: string) => host === "localhost" || host === "::1" || host.startsWith("127.")

const proxies = ({ trustedProxies, publicUrl, host }: AppConfig) =>
  Effect.sync(() => {
    if (trustedProxies.length > 0) return ok(`X-Forwarded-For is trusted from ${trustedProxies.join(", ")}`)
    if (publicUrl?.startsWith("https:")) {
      return warn(
        "ASSAY_PUBLIC_URL is https, so a proxy stands before Assay: name its network in ASSAY_TRUSTED_PROXIES"
      )
    }
    if (!isLoopback(host) && publicUrl === null) {
      return warn(`served on ${host} without https: put a proxy before it, and set ASSAY_PUBLIC_URL`)
    }
    return ok("none trusted: clients are who connects")
  })

const oldestAdvisories = 14

const advisories = ({ dataDir }: AppConfig) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const folder = Advisories.advisoriesFolder(dataDir)
    const imported = Advisories.ecosystems.flatMap((ecosystem) => {
      const file = Advisories.openAdvisoryFile(folder, ecosystem)
      return file === null ? [] : [{ ecosystem, age: Advisories.daysSince(file.source.imported_at ?? "", now) ?? 0 }]
    })
    if (imported.length === 0) {
      return warn(`none imported: audits know ${Advisories.builtInCount} famous ones only. Run assay advisories update`)
    }
    const { failures } = readUpdateRecord(folder)
    const failing = Object.entries(failures).map(([ecosystem, message]) => `${ecosystem}: ${message}`)
    if (failing.length > 0) return warn(`the last update failed for ${failing.join(" ")}`)
    const oldest = imported.reduce((a, b) => (a.age >= b.age ? a : b))
    const detail = `${imported.map(({ ecosystem }) => ecosystem).join(", ")}; ${oldest.ecosystem}'s import is ${oldest.age} days old`
    return oldest.age > oldestAdvisories ? warn(`${detail}. Run assay advisories update`) : ok(detail)
  })

const sandbox = Effect.sync(() =>
  process.platform === "linux" && existsSync("/proc/self/statm")
    ? ok("scans run in processes of their own, bounded in time and memory")
    : warn("scans run in processes of their own, but their memory cannot be measured here: only their heap is bounded")
)

const roots = ({ localRepoRoots }: AppConfig) =>
  Effect.sync(() => {
    const absent = localRepoRoots.filter((root) => !existsSync(root))
    return absent.length === 0
      ? ok(`repositories may be registered by path under ${localRepoRoots.join(", ")}`)
      : warn(`there is no folder ${absent.join(", ")}; correct ASSAY_LOCAL_REPO_ROOTS`)
  })

/** What `assay doctor` reports. It looks and connects, and changes nothing. */
export const runChecks = (config: AppConfig): Effect.Effect<ReadonlyArray<CheckResult>> =>
  Effect.gen(function* () {
    const { running, results } = yield* database(config)
    return yield* Effect.all([
      check("settings", settings),
      check("node", node),
      check("git", Effect.map(usableGit, ok)),
      check("memory", memory(config)),
      check("disk", disk(config)),
      ...Object.entries(results).map(([name, result]) => check(name, result)),
      check("ports", ports(running)),
      check("repositories", roots(config)),
      check("sandbox", sandbox),
      check("advisories", advisories(config)),
      check("mail", mail(config)),
      check("proxies", proxies(config))
    ])
  })
