import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs"
import { connect } from "node:net"
import { totalmem } from "node:os"
import { dirname } from "node:path"
import { Clock, Effect, Redacted } from "effect"
import { Advisories } from "../../engine/index.ts"
import { readUpdateRecord } from "../advisories/UpdateRecord.ts"
import { type AppConfig, unknownVariables } from "../Config.ts"
import { gitAccount, gitConfinement } from "../git/gitConfinement.ts"
import { usableGit } from "../git/program.ts"
import { canBeGiven } from "../process/accounts.ts"
import type { Confinement } from "../process/confinement.ts"
import { scanAccount, scanConfinement } from "../process/scanConfinement.ts"
import { fail, ok, warn } from "./Found.ts"

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

const spaceAt = (dataDir: string) => {
  const folder = existing(dataDir)
  if (!statSync(folder).isDirectory())
    return fail(`${folder} is not a folder; set ASSAY_DATA_DIR to another one`, "the data folder is no folder")
  accessSync(folder, constants.W_OK | constants.X_OK)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const shown = `${gib(free)} free for data`
  const detail = `${gib(free)} free at ${dataDir}${folder === dataDir ? "" : " (not made yet)"}`
  if (free < leastFree) return fail(`only ${detail}; free some, or set ASSAY_DATA_DIR`, `only ${shown}`)
  return free < comfortable ? warn(`only ${detail}`, `only ${shown}`) : ok(detail, shown)
}

const disk = ({ dataDir }: AppConfig) =>
  Effect.try({
    try: () => spaceAt(dataDir),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  }).pipe(
    Effect.catchAll((message) =>
      Effect.succeed(
        fail(
          `${message}; make the folder writable, or set ASSAY_DATA_DIR to another one`,
          "the data folder cannot be written"
        )
      )
    )
  )

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
      ? ok(`${hostname}:${number} answers`, "the mail server answers")
      : warn(
          `${hostname}:${number} does not answer; e-mails wait in the outbox. Correct ASSAY_SMTP_URL`,
          "the mail server does not answer; e-mails wait in the outbox"
        )
  })

const isLoopback = (host: string) => host === "localhost" || host === "::1" || host.startsWith("127.")

const proxies = ({ trustedProxies, publicUrl, host }: AppConfig) =>
  Effect.sync(() => {
    if (trustedProxies.length > 0) {
      return ok(`X-Forwarded-For is trusted from ${trustedProxies.join(", ")}`, "the proxies before Assay are named")
    }
    if (publicUrl?.startsWith("https:")) {
      return warn(
        "ASSAY_PUBLIC_URL is https, so a proxy stands before Assay: name its network in ASSAY_TRUSTED_PROXIES"
      )
    }
    if (!isLoopback(host) && publicUrl === null) {
      return warn(
        `served on ${host} without https: put a proxy before it, and set ASSAY_PUBLIC_URL`,
        "served to other machines without https"
      )
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
    const failing = Object.entries(failures)
    if (failing.length > 0) {
      return warn(
        `the last update failed for ${failing.map(([ecosystem, message]) => `${ecosystem}: ${message}`).join(" ")}`,
        `the last update failed for ${failing.map(([ecosystem]) => ecosystem).join(", ")}`
      )
    }
    const oldest = imported.reduce((a, b) => (a.age >= b.age ? a : b))
    const detail = `${imported.map(({ ecosystem }) => ecosystem).join(", ")}; ${oldest.ecosystem}'s import is ${oldest.age} days old`
    return oldest.age > oldestAdvisories ? warn(`${detail}. Run assay advisories update`) : ok(detail)
  })

const isMeasured = () => process.platform === "linux" && existsSync("/proc/self/statm")

const away: Readonly<Record<Measure, string>> = {
  namespaces: "allow user namespaces (sysctl user.max_user_namespaces), and install perl",
  seccomp: "install perl",
  limits: "install perl"
}

type Measure = "namespaces" | "seccomp" | "limits"

const named: Readonly<Record<Measure, string>> = { namespaces: "namespaces", seccomp: "seccomp", limits: "limits" }

const measures: ReadonlyArray<Measure> = ["namespaces", "seccomp", "limits"]

/** What is in force for a kind of child that reads the data folder, what is not, and the way to it. */
const inForce = (children: string, confinement: Confinement, account: number | null, dataDir: string) => {
  const missing = measures.flatMap((measure) => {
    const found = confinement[measure]
    return found.ok ? [] : [{ measure, reason: found.reason }]
  })
  const held = [
    ...measures.filter((measure) => confinement[measure].ok).map((measure) => named[measure]),
    ...(account !== null && confinement.account.ok && canBeGiven(dataDir, account) ? ["an account of their own"] : [])
  ]
  return {
    held: `${children} ${held.length === 0 ? "are not confined" : `are confined by ${held.join(", ")}`}`,
    missing: missing.map(({ measure, reason }) => `${children} without ${named[measure]}: ${reason}; ${away[measure]}`),
    shown: missing.map(({ measure }) => `${children} without ${named[measure]}: ${away[measure]}`)
  }
}

const sandbox = ({ dataDir }: AppConfig) =>
  Effect.map(Effect.all([scanConfinement, gitConfinement], { concurrency: "unbounded" }), ([ofScans, ofGit]) => {
    const scans = inForce("scans", ofScans, scanAccount, dataDir)
    const git = inForce("git processes", ofGit, gitAccount, dataDir)
    const held = `${scans.held}; ${git.held}`
    const missing = [...scans.missing, ...git.missing]
    if (!isMeasured()) {
      return warn(`${held}; the memory of scans cannot be measured here: only their heap is bounded`)
    }
    if (missing.length === 0) return ok(held)
    return warn(`${held}. ${missing.join(". ")}`, `${held}. ${[...scans.shown, ...git.shown].join(". ")}`)
  })

const roots = ({ localRepoRoots }: AppConfig) =>
  Effect.sync(() => {
    const absent = localRepoRoots.filter((root) => !existsSync(root))
    const count = localRepoRoots.length
    return absent.length === 0
      ? ok(
          `repositories may be registered by path under ${localRepoRoots.join(", ")}`,
          `repositories may be registered by path under ${count} ${count === 1 ? "folder" : "folders"}`
        )
      : warn(
          `there is no folder ${absent.join(", ")}; correct ASSAY_LOCAL_REPO_ROOTS`,
          `${absent.length} of the ${count} folders for repositories cannot be found`
        )
  })

/** The caps on jobs, for the reader: any numbers work. */
const jobs = ({ jobSlots, jobsRunning, jobsPerWorkspace, jobsPerRepository }: AppConfig) =>
  Effect.succeed(
    ok(
      `at once ${jobsRunning} jobs on all workers, ${jobSlots} on one, ${jobsPerWorkspace} of a workspace, ` +
        `${jobsPerRepository} of a repository`
    )
  )

/** The checks of the process and its machine. They look and connect, and change nothing. */
export const machineChecks = (config: AppConfig) => ({
  settings,
  node,
  git: Effect.map(usableGit, (version) => ok(version)),
  memory: memory(config),
  disk: disk(config),
  repositories: roots(config),
  jobs: jobs(config),
  sandbox: sandbox(config),
  advisories: advisories(config),
  mail: mail(config),
  proxies: proxies(config)
})
