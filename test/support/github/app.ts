import { Duration, Redacted } from "effect"
import { makeGitHubApp } from "../../../src/layers/github/GitHubInstallations.ts"
import { privateKeyOf } from "../../../src/layers/github/privateKey.ts"
import type { GitHubServer } from "../GitHubServer.ts"
import type { Permissions } from "./state.ts"

/** The permissions that the guide lists. */
export const grantedPermissions: Permissions = {
  metadata: "read",
  contents: "write",
  pull_requests: "write",
  issues: "write",
  checks: "write"
}

/** Our side of the app of a server. */
export const appAt = (github: GitHubServer) =>
  makeGitHubApp({
    appId: github.appId,
    privateKey: Redacted.make(privateKeyOf(github.privateKey)),
    webhookSecret: Redacted.make(github.webhookSecret),
    url: github.url,
    apiUrl: github.apiUrl,
    fetch: (input, init) => fetch(input, init),
    retryDelay: Duration.millis(1)
  })
