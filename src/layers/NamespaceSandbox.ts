import { readdirSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { Clock, Effect, Layer } from "effect"
import { Secrets } from "../engine/index.ts"
import {
  type CommandOutcome,
  type CommandRequest,
  CommandSandbox,
  SandboxUnavailable
} from "../services/ports/CommandSandbox.ts"
import { CapturedOutput } from "./process/CapturedOutput.ts"
import { type IsolationView, isolationState } from "./process/isolationState.ts"
import { homeName, privateFolders } from "./process/privateFolders.ts"
import { runCapped } from "./process/runCapped.ts"

interface Options {
  readonly allowCommands: boolean
  /** Never visible, even where it is inside a folder of the system. */
  readonly dataDir: string
  /** Folders of other repositories; neither. */
  readonly localRoots: ReadonlyArray<string>
}

/** Where systems keep programs and libraries. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"]

/** Of /etc only what programs need to start, to resolve names and to check certificates: the rest may hold passwords. */
const systemSettings =
  /^(?:alternatives|ca-certificates|crypto-policies|dotnet|fonts|group|host\.conf|hosts|java.*|ld\.so\..*|localtime|maven.*|mime\.types|nsswitch\.conf|os-release|passwd|protocols|python3.*|services|timezone)$/

const certificates = [
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/certs",
  "/etc/pki/java"
]

const settingsOfTheSystem = (): ReadonlyArray<string> => {
  try {
    return readdirSync("/etc").flatMap((name) => (systemSettings.test(name) ? [`/etc/${name}`] : []))
  } catch {
    return []
  }
}

const isInside = (path: string) => (folder: string) => path.startsWith(`${folder}/`)

const real = (path: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => realpath(path)),
    () => path
  )

const headBytes = 32 * 1024
const tailBytes = 96 * 1024
const outputBytes = 64 * 1024 * 1024

const notAllowed = "Commands of repositories are not allowed here; the operator can set ASSAY_ALLOW_COMMANDS=true."

const viewOf = (options: Options): Effect.Effect<IsolationView> =>
  Effect.map(
    Effect.forEach([options.dataDir, ...options.localRoots], real),
    (private_): IsolationView => ({
      readable: [...systemFolders, ...settingsOfTheSystem(), ...certificates],
      hidden: private_.filter((path) => systemFolders.some(isInside(path))),
      shown: [],
      network: false
    })
  )

const make = (options: Options) =>
  Effect.gen(function* () {
    const view = yield* viewOf(options)
    const state = yield* Effect.cachedWithTTL(isolationState(view), "1 minute")
    const available = options.allowCommands ? state : Effect.succeed({ ok: false, reason: notAllowed } as const)

    const run = Effect.fn("CommandSandbox.run")(function* ({ folder, command, limits }: CommandRequest) {
      const allowed = yield* available
      if (!allowed.ok) return yield* new SandboxUnavailable({ reason: allowed.reason })
      const { root, tmp } = yield* privateFolders
      const output = new CapturedOutput({ headBytes, tailBytes })
      const startedAt = yield* Clock.currentTimeMillis
      const end = yield* runCapped({
        command: ["/bin/sh", "-c", command],
        folder,
        isolation: { ...view, root, tmp, folder: yield* real(folder), maxProcesses: limits.maxProcesses },
        environment: {
          PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
          HOME: `/tmp/${homeName}`,
          TMPDIR: "/tmp",
          LANG: "C.UTF-8",
          CI: "true"
        },
        input: null,
        limits: { ...limits, outputBytes },
        onOutput: (chunk) => output.add(chunk)
      })
      if (end.status === "not_started") {
        return yield* new SandboxUnavailable({ reason: `The command could not be started: ${end.message}` })
      }
      return {
        status: end.status,
        exit_code: end.status === "exited" ? end.exitCode : null,
        output: Secrets.redactSecrets(output.text()),
        truncated: output.isTruncated,
        duration_ms: (yield* Clock.currentTimeMillis) - startedAt
      } satisfies CommandOutcome
    }, Effect.scoped)

    return { available, run }
  })

/** Commands in Linux namespaces of their own: user, mount, PID, network, IPC and UTS. */
export const NamespaceSandbox = {
  layer: (options: Options) => Layer.effect(CommandSandbox, make(options))
}
