import type { Job, Step, Workflow } from "../../languages/formats/githubActions.ts"
import { itemsOf, scalarOf, valueAt } from "../../languages/formats/yaml.ts"

/** A context whose text a stranger chooses, and the events in which it is filled. */
interface Source {
  readonly pattern: RegExp
  readonly events: ReadonlyArray<string>
  /** It may hold line breaks; titles and branch names do not. */
  readonly multiline?: boolean
}

const pullRequests = [
  "pull_request",
  "pull_request_target",
  "pull_request_review",
  "pull_request_review_comment",
  "workflow_call"
]
const comments = ["issue_comment", "pull_request_review_comment", "commit_comment", "discussion_comment"]
const withCall = (...events: ReadonlyArray<string>) => [...events, "workflow_call"]

const event = (path: string): RegExp => new RegExp(`^github\\.event\\.${path}$`)

const sources: ReadonlyArray<Source> = [
  { pattern: event("issue\\.title"), events: withCall("issues", "issue_comment") },
  { pattern: event("issue\\.body"), events: withCall("issues", "issue_comment"), multiline: true },
  { pattern: event("pull_request\\.(?:title|head\\.(?:ref|label))"), events: pullRequests },
  { pattern: event("pull_request\\.head\\.repo\\.(?:default_branch|description|homepage)"), events: pullRequests },
  { pattern: event("pull_request\\.body"), events: pullRequests, multiline: true },
  { pattern: /^github\.head_ref$/, events: pullRequests },
  { pattern: event("comment\\.body"), events: withCall(...comments), multiline: true },
  { pattern: event("review\\.body"), events: withCall("pull_request_review"), multiline: true },
  { pattern: event("discussion\\.title"), events: withCall("discussion", "discussion_comment") },
  { pattern: event("discussion\\.body"), events: withCall("discussion", "discussion_comment"), multiline: true },
  { pattern: event("pages\\.\\*\\.(?:page_name|title)"), events: ["gollum"] },
  {
    pattern: event("(?:head_commit|commits\\.\\*)\\.(?:message|(?:author|committer)\\.(?:name|email))"),
    events: withCall("push"),
    multiline: true
  },
  {
    pattern: event("workflow_run\\.(?:head_branch|display_title|pull_requests\\.\\*\\.head\\.ref)"),
    events: ["workflow_run"]
  },
  {
    pattern: event("workflow_run\\.head_commit\\.(?:message|(?:author|committer)\\.(?:name|email))"),
    events: ["workflow_run"],
    multiline: true
  }
]

/** Events that strangers cause and that run with the repository's secrets. */
const privileged = [
  "pull_request_target",
  "workflow_run",
  "issue_comment",
  "issues",
  "discussion",
  "discussion_comment",
  "gollum"
]

export const privilegedTriggers = (workflow: Workflow): ReadonlyArray<string> =>
  privileged.filter((name) => workflow.triggers.has(name))

/** Where a stranger's text comes from in this workflow; null when none of its events fills the context. */
export const untrustedContext = (
  workflow: Workflow,
  context: string
): { readonly events: ReadonlyArray<string>; readonly multiline: boolean } | null => {
  const source = sources.find(({ pattern }) => pattern.test(context))
  if (source === undefined) return null
  const events = source.events.filter((name) => workflow.triggers.has(name))
  return events.length > 0 || workflow.isAction ? { events, multiline: source.multiline === true } : null
}

const sameRepository =
  /head\.repo\.full_name\s*==\s*(?:github\.(?:event\.)?repository|'|github\.event\.pull_request\.base)|(?:github\.repository|github\.event\.pull_request\.base\.repo\.full_name)\s*==\s*github\.event\.(?:pull_request\.head\.repo|workflow_run\.head_repository)\.full_name|!\s*github\.event\.(?:pull_request\.head\.repo|workflow_run\.head_repository)\.fork|\.fork\s*(?:==\s*false|!=\s*true)|head_repository\.full_name\s*==\s*|head\.repo\.owner\.login\s*==|head\.user\.login\s*==|head_repository\.owner\.login\s*==/
const trustedAuthor =
  /author_association|github\.actor\s*==|github\.triggering_actor\s*==|\.(?:user|sender|author|actor)\.login\s*==|fromJSON\([^)]{0,400}\),\s*github\.(?:actor|event\.(?:comment|pull_request|issue)\.user\.login)/i
const trustedRun =
  /workflow_run\.event\s*==\s*'(?:push|schedule|release|workflow_dispatch|merge_group|workflow_call)'|workflow_run\.event\s*!=\s*'pull_request'/
const noPullRequest =
  /github\.event_name\s*==\s*'(?:push|schedule|workflow_dispatch|release|merge_group|workflow_call)'/
const notPullRequest = /github\.event_name\s*!=\s*'pull_request(?:_target)?'/

/** An `if` that lets only people with rights on the repository, or only this repository's own branches, through. */
export const isGuarded = (job: Job, step: Step | null): boolean => {
  const conditions = step === null ? [job.condition] : [job.condition, step.condition]
  return conditions.some((condition) =>
    [sameRepository, trustedAuthor, trustedRun, noPullRequest, notPullRequest].some((guard) => guard.test(condition))
  )
}

/** A maintainer has to set a label, or to approve a protected environment, before the job runs. */
export const isApproved = ({ document, triggers }: Workflow, job: Job): boolean => {
  const types = itemsOf(document, valueAt(document, triggers.get("pull_request_target")?.value, "types"), true)
  const onlyLabeled = types.length > 0 && types.every((type) => scalarOf(document, type) === "labeled")
  return job.environment || onlyLabeled || /\.labels?\b/.test(job.condition)
}
