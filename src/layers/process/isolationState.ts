import { platform } from "node:os"
import { Effect } from "effect"
import type { SandboxState } from "../../services/ports/CommandSandbox.ts"
import type { Isolation } from "./isolation.ts"
import { privateFolders } from "./privateFolders.ts"
import { runCapped } from "./runCapped.ts"

/** What an isolation shows and allows, whatever the run. */
export type IsolationView = Pick<Isolation, "readable" | "hidden" | "shown" | "network">

interface Reading {
  readonly when: RegExp
  readonly reason: string
}

// First match wins.
const readings: ReadonlyArray<Reading> = [
  {
    when: /ENOENT/,
    reason: "`setpriv` is not installed; install util-linux 2.38 or newer."
  },
  {
    when: /unrecognized option|invalid option|Usage:|not found/i,
    reason: "`setpriv`, `unshare`, `mount`, `pivot_root` and `prlimit` of util-linux 2.38 or newer are needed."
  },
  {
    when: /unshare failed|write failed \/proc\/self\/[ug]id_map/i,
    reason:
      "The kernel does not allow user namespaces to this process. On the machine, sysctl user.max_user_namespaces must not " +
      "be 0, nor kernel.unprivileged_userns_clone, and kernel.apparmor_restrict_unprivileged_userns not 1; a container " +
      "needs a seccomp profile that allows unshare and mount."
  },
  {
    when: /mount.*\/proc|mount: .*proc/i,
    reason: "The kernel does not allow /proc to be mounted in a new namespace; a container needs an unmasked /proc."
  }
]

const inWords = (message: string): string =>
  readings.find(({ when }) => when.test(message))?.reason ??
  `The namespaces could not be set up: ${message.split("\n")[0] ?? ""}`

/** Whether a command can run isolated like this here: it is tried with one that does nothing. */
export const isolationState = (view: IsolationView): Effect.Effect<SandboxState> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (platform() !== "linux")
        return { ok: false, reason: `Namespaces are Linux's; this is ${platform()}.` } as const
      const { root, tmp, home } = yield* privateFolders
      const end = yield* runCapped({
        command: ["true"],
        folder: home,
        isolation: { ...view, root, tmp, folder: home, maxProcesses: 64 },
        environment: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
        input: null,
        limits: { timeout: "1 minute", memoryMb: 256, maxProcesses: 64, outputBytes: 1_000_000 },
        onOutput: () => undefined
      })
      switch (end.status) {
        case "exited":
          return end.exitCode === 0
            ? ({ ok: true } as const)
            : ({ ok: false, reason: `A command in namespaces ended with exit code ${end.exitCode}.` } as const)
        case "not_started":
          return { ok: false, reason: inWords(end.message) } as const
        default:
          return { ok: false, reason: "Namespaces could not be set up within a minute." } as const
      }
    })
  )
