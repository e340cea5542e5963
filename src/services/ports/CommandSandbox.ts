import { Context, Data, type Duration, type Effect } from "effect"

export interface CommandLimits {
  readonly timeout: Duration.DurationInput
  /** Resident memory of all of its processes together. */
  readonly memoryMb: number
  readonly maxProcesses: number
}

export const commandLimits: CommandLimits = { timeout: "10 minutes", memoryMb: 2048, maxProcesses: 256 }

export interface CommandRequest {
  /** The work tree, an absolute path: the only folder of the machine that the command can write to. */
  readonly folder: string
  /** A command line for `/bin/sh`. */
  readonly command: string
  readonly limits: CommandLimits
}

export interface CommandOutcome {
  /** `exited`: by itself. Else it was killed with all that it had started. */
  readonly status: "exited" | "timeout" | "resource_limit"
  /** 128 + number of the signal for a command that a signal ended; null for a killed one. */
  readonly exit_code: number | null
  /** Standard output and error as they came, redacted; the middle is left out of a long one. */
  readonly output: string
  /** Whether something is left out. */
  readonly truncated: boolean
  readonly duration_ms: number
}

/** The reason is for a person and names what the operator can do about it. */
export class SandboxUnavailable extends Data.TaggedError("SandboxUnavailable")<{ readonly reason: string }> {}

export type SandboxState = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Runs commands of a repository, which are as untrusted as its code: without network, credentials or anyone else's files. */
export class CommandSandbox extends Context.Tag("CommandSandbox")<
  CommandSandbox,
  {
    /** Whether commands may and can run here: `ASSAY_ALLOW_COMMANDS`, and what the kernel and its tools allow. */
    readonly available: Effect.Effect<SandboxState>
    readonly run: (request: CommandRequest) => Effect.Effect<CommandOutcome, SandboxUnavailable>
  }
>() {}
