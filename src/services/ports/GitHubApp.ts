import { Context, type Effect, type Option, type Redacted } from "effect"
import type { CodeHostError } from "./Remote.ts"

/** `acme/shop`. */
export interface GitHubRepository {
  readonly owner: string
  readonly repo: string
}

/** What a token of an installation may be for. */
export interface TokenPermissions {
  readonly contents?: "read" | "write"
  readonly pull_requests?: "read" | "write"
  readonly issues?: "read" | "write"
  readonly checks?: "read" | "write"
}

/** The operator's GitHub App. */
export interface GitHubApp {
  /** Address of the web pages and of git, without a slash at the end. */
  readonly url: string
  readonly apiUrl: string
  readonly webhookSecret: Redacted.Redacted | null
  /** The repository that a clone URL means; `None` where it is not on this GitHub. */
  readonly repositoryOf: (cloneUrl: string) => Option.Option<GitHubRepository>
  /** The installation that covers the repository; `None` where none does. */
  readonly installationOf: (repository: GitHubRepository) => Effect.Effect<Option.Option<number>, CodeHostError>
  /** Where an owner installs the app, for people. */
  readonly installUrl: Effect.Effect<string>
  /**
   * A token that is good for this repository and these permissions only, and lives an hour at most. Fails with
   * `not_found` and a message that names `installUrl` where the app is not installed.
   */
  readonly token: (
    repository: GitHubRepository,
    permissions: TokenPermissions
  ) => Effect.Effect<Redacted.Redacted, CodeHostError>
  /** Makes the next call ask GitHub again: GitHub said that this token is good no more. */
  readonly forget: (repository: GitHubRepository) => Effect.Effect<void>
}

/** Null where the operator configured no app. */
export class ConfiguredGitHubApp extends Context.Reference<ConfiguredGitHubApp>()("GitHubApp", {
  defaultValue: (): GitHubApp | null => null
}) {}
