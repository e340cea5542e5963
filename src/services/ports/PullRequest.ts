import type { Effect, Option } from "effect"
import type { CodeHostError, Remote } from "./Remote.ts"

/** A commit to be the newest one of a branch. */
export interface PushRequest {
  readonly repositoryId: string
  readonly remote: Remote
  /** Repository on this machine that holds the commit. */
  readonly gitDir: string
  readonly commit: string
  readonly branch: string
  /** The commit that the branch has at the remote; null for a branch that must not exist there yet. */
  readonly expected: string | null
}

/** One pull request, by the branch it comes from. */
export interface PullRequestKey {
  readonly repositoryId: string
  readonly remote: Remote
  /** The branch to be merged into. */
  readonly base: string
  /** The branch that is merged. */
  readonly head: string
  /** Null before it is opened, and on hosts that number none. */
  readonly number: number | null
}

export interface PullRequestText {
  readonly title: string
  /** Markdown. */
  readonly body: string
}

export interface OpenedPullRequest {
  readonly url: string
  readonly number: number | null
}

/** What is known here of a pull request, for hosts that keep no record of their own. */
export interface PushedChange {
  /** The commit that the branch left the base branch at. */
  readonly base_commit: string
  /** The commit that was pushed last. */
  readonly head_commit: string
  /** Unified diff between both; null where it was too large to keep. */
  readonly diff: string | null
}

export interface PullRequestState {
  readonly state: "open" | "merged" | "closed"
  /** Newest commit of the branch; null once the branch is gone. */
  readonly head_commit: string | null
  /** The commit of the base branch that has the change; null where it is not known. */
  readonly merge_commit: string | null
  /** Whether the base branch has moved so that the change does not apply; null where it is not known. */
  readonly conflicted: boolean | null
}

/** A comment of a review on lines of the change. */
export interface InlineComment {
  /** Which finding it is about, in this and in later reviews. */
  readonly fingerprint: string
  readonly path: string
  readonly line: number
  readonly start_line?: number
  /** Markdown. */
  readonly body: string
}

/** What a pull request is to show of a review. */
export interface ReviewPosting {
  readonly remote: Remote
  readonly number: number
  /** The commit that was reviewed. */
  readonly commit: string
  readonly title: string
  /** Markdown. */
  readonly summary: string
  readonly conclusion: "success" | "neutral" | "failure"
  /** Most important first. */
  readonly comments: ReadonlyArray<InlineComment>
  /** How many the pull request shows at most, with those of earlier reviews that still hold. */
  readonly maxComments: number
  /** Every finding that holds at the commit: comments on others are resolved. */
  readonly fingerprints: ReadonlyArray<string>
  /** Whether everything was looked for: if not, a finding that is missing may still be there, and nothing is resolved. */
  readonly isComplete: boolean
}

export interface PostedReview {
  readonly summary_url: string
  /** Comments on lines that the pull request shows now. */
  readonly comments: number
  /** Null where the host has no checks, or does not let us write them. */
  readonly check_url: string | null
}

/**
 * The abilities that a fix and a review need of a code host, beside reading repositories. Each is idempotent: it looks for its effect before
 * it has it, so that it may be run again after a crash.
 */
export interface PullRequests {
  /**
   * Makes the commit the branch's newest one; nothing to do where it is. Fails with `push_rejected` where the branch has
   * another commit than expected.
   */
  readonly push: (request: PushRequest) => Effect.Effect<void, CodeHostError>
  /** Opens a pull request, unless one of the branch is open already: then it is that one. */
  readonly openPullRequest: (
    request: Omit<PullRequestKey, "number"> & PullRequestText
  ) => Effect.Effect<OpenedPullRequest, CodeHostError>
  readonly updatePullRequest: (request: PullRequestKey & PullRequestText) => Effect.Effect<void, CodeHostError>
  /** Closes it unmerged and deletes its branch, with a comment where the host has comments. */
  readonly closePullRequest: (
    request: PullRequestKey & { readonly comment: string }
  ) => Effect.Effect<void, CodeHostError>
  readonly pullRequest: (request: PullRequestKey & PushedChange) => Effect.Effect<PullRequestState, CodeHostError>
  /** Writes a comment, or replaces the one with the same marker; none where the host has no comments. */
  readonly comment: (
    request: PullRequestKey & { readonly marker: string; readonly body: string }
  ) => Effect.Effect<Option.Option<string>, CodeHostError>
  /**
   * Shows a review on its pull request, in place of an earlier one; `None` where the host shows none, or the pull request
   * has ended or moved on.
   */
  readonly postReview: (request: ReviewPosting) => Effect.Effect<Option.Option<PostedReview>, CodeHostError>
}
