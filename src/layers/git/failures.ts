import { isDiskFull } from "../../engine/index.ts"
import { CodeHostError, type CodeHostReason } from "../../services/ports/CodeHost.ts"
import type { GitFailure } from "./run.ts"

export const codeHostError = (reason: CodeHostReason, message: string) => new CodeHostError({ reason, message })

interface Reading {
  readonly when: RegExp
  readonly reason: CodeHostReason
  readonly message: (shown: string) => string
}

// First match wins. What git says is matched, never repeated: it can hold addresses, paths and what a server chose to send.
const readings: ReadonlyArray<Reading> = [
  {
    when: /transport '[^']*' not allowed|unsupported protocol|unable to find remote helper/i,
    reason: "protocol_refused",
    message: (shown) => `${shown} uses a transport that is not allowed.`
  },
  {
    when: /operation too slow|timed out|timeout/i,
    reason: "timeout",
    message: (shown) => `${shown} stopped answering.`
  },
  {
    when: /host key verification failed|host key .* has changed/i,
    reason: "authentication",
    message: (shown) =>
      `${shown} shows a host key that is not known. If it was changed there, set the credential again with the new one.`
  },
  {
    when: /authentication failed|could not read (?:username|password)|terminal prompts disabled|returned error: 40[137]|permission denied/i,
    reason: "authentication",
    message: (shown) =>
      `${shown} refuses to be read without other credentials, or does not exist. ` +
      "Admins set credentials with POST /api/credentials."
  },
  {
    when: /returned error: 30\d|unable to update url base/i,
    reason: "unreachable",
    message: (shown) => `${shown} answers with a redirect. Give the address it points to.`
  },
  {
    when: /returned error: (?:404|410)|repository '[^']*' not found|repository not found|does not appear to be a git repository|not a git repository|not valid: is this a git repository/i,
    reason: "not_found",
    message: (shown) => `There is no git repository at ${shown}.`
  },
  {
    when: /certificate|server verification failed|self.signed/i,
    reason: "unreachable",
    message: (shown) =>
      `The certificate of ${shown} is not trusted. If its authority is your own, set ASSAY_EXTRA_CA to a file with the ` +
      "authority's certificate."
  },
  {
    when: /could not resolve|failed to connect|couldn't connect|connection refused|connection reset|no route to host|network is unreachable|returned error: \d|gnutls|ssl|empty reply|connection closed by/i,
    reason: "unreachable",
    message: (shown) => `${shown} could not be reached.`
  },
  {
    when: /couldn't find remote ref/i,
    reason: "branch_not_found",
    message: (shown) => `${shown} has no such branch.`
  },
  {
    when: /unpack-objects|index-pack|fsck error|bad object|corrupt|invalid sha1|missing blob|missing tree|missing commit|bad tree|did not send all necessary|unresolved deltas|broken|object file|cannot lock ref|unable to resolve reference|bad ref|could not parse|mismatched algorithms|bad config|unable to read|bad signature|pack has|bad pack|invalid index-pack/i,
    reason: "corrupt",
    message: (shown) => `The objects of ${shown} are damaged or incomplete.`
  },
  {
    when: /early eof|hung up unexpectedly|unexpected disconnect|rpc failed|could not read from remote|protocol error|invalid server response|expected .* packet|bad line length|curl|ssh/i,
    reason: "unreachable",
    message: (shown) => `${shown} broke off or does not speak git.`
  }
]

/** What a failed git call means to the person who named the repository. */
export const fromGit =
  (shown: string) =>
  (failure: GitFailure): CodeHostError => {
    if (failure.reason === "not_started") throw new Error("The git program could not be started.")
    if (failure.reason === "too_much_output") return codeHostError("too_large", `${shown} has too many branches.`)
    // The operator's to fix, not the caller's: defects.
    if (isDiskFull(failure.stderr)) {
      throw Object.assign(new Error("The data folder cannot be written: the disk is full."), { code: "ENOSPC" })
    }
    if (/read-only file system/i.test(failure.stderr)) {
      throw new Error("The data folder cannot be written: the file system is read-only.")
    }
    const reading = readings.find(({ when }) => when.test(failure.stderr))
    return reading === undefined
      ? codeHostError("corrupt", `The objects of ${shown} could not be read.`)
      : codeHostError(reading.reason, reading.message(shown))
  }
