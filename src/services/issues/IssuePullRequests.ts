import { Effect } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import type { IssueNumber } from "../../schema/Issue.ts"
import type { AttachPullRequest } from "../../schema/IssueRequests.ts"
import { Uuid } from "../../schema/Text.ts"
import { newId } from "../support/ids.ts"
import type { NewIssueEvent } from "./IssueEvents.ts"
import { IssuePullRequestsRepo } from "./IssuePullRequestsRepo.ts"
import type { By } from "./IssuesRepo.ts"
import { IssueWriter, type OpenedIssue } from "./IssueWriter.ts"
import { type PullRequestPage, pullRequestPage } from "./pullRequestUrl.ts"

const maxPullRequests = 50

/** Pull requests that are to bring what an issue asks for. */
export class IssuePullRequests extends Effect.Service<IssuePullRequests>()("IssuePullRequests", {
  effect: Effect.gen(function* () {
    const repo = yield* IssuePullRequestsRepo
    const writer = yield* IssueWriter

    const attached = Effect.fnUntraced(function* (issue: OpenedIssue, by: By, { url, repository }: PullRequestPage) {
      if (yield* repo.isAttached(issue, url)) return []
      if ((yield* repo.count(issue)) >= maxPullRequests) {
        return yield* new InvalidPayload({
          message: `An issue has at most ${maxPullRequests} pull requests.`,
          param: "url"
        })
      }
      const repository_id = repository === null ? null : yield* repo.repositoryOf(issue, repository)
      const id = yield* newId(Uuid)
      // One attached by others, which the caller may not see, is there: it stays theirs.
      if (!(yield* repo.insert(issue, { id, url, repository_id, ...by }))) return []
      return [{ event: "pull_request_attached", detail: { url }, repository_id } satisfies NewIssueEvent]
    })

    /** One that is attached already stays as it is; its state is unknown until the code host has been asked. */
    const attach = Effect.fn("IssuePullRequests.attach")(function* (number: IssueNumber, request: AttachPullRequest) {
      const page = pullRequestPage(request.url)
      if (page === null) return yield* new InvalidPayload({ message: "url: is not a URL", param: "url" })
      const { issue } = yield* writer.change(number, {}, (issue, by) => attached(issue, by, page))
      return issue
    })

    return { attach }
  })
}) {}
