import { CodeHostError } from "../../services/ports/Remote.ts"
import type { GitHubFailure } from "./GitHubClient.ts"

/** What a call that GitHub did not carry out means to a person. */
export const fromGitHub =
  (what: string) =>
  ({ status, message, isRateLimit }: GitHubFailure): CodeHostError => {
    const failed = (reason: CodeHostError["reason"], why: string) =>
      new CodeHostError({ reason, message: `${what}: ${why}` })
    if (isRateLimit) return failed("rate_limited", "GitHub asks to be called less often. Try again in some minutes.")
    if (status === 0)
      return failed(/time/i.test(message) ? "timeout" : "unreachable", `GitHub did not answer. ${message}`)
    if (status >= 500) return failed("unreachable", `GitHub answered ${status}.`)
    if (status === 401) return failed("authentication", `GitHub does not accept the app's credentials (${message}).`)
    if (status === 403) {
      return failed("authentication", `GitHub does not allow the app to do it (${message}). See docs/github-app.md.`)
    }
    return failed(status === 404 ? "not_found" : "push_rejected", message)
  }
