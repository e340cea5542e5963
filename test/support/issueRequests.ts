import { Effect } from "effect"
import type { Person } from "./builders.ts"
import type { Known } from "./requests.ts"
import { send } from "./wire.ts"

/** An issue of a project, with a criterion. */
const anIssueOf = (owner: Person, project: string, n: number) =>
  Effect.map(
    send({
      path: "/api/issues",
      as: owner.session,
      json: { project, title: `Issue ${n}`, acceptance_criteria: ["It works."] }
    }),
    ({ text }) => {
      const issue: {
        readonly ref: string
        readonly etag: string
        readonly acceptance_criteria: ReadonlyArray<{ readonly id: string }>
      } = JSON.parse(text)
      return { ref: issue.ref, etag: issue.etag, criterion: issue.acceptance_criteria[0]?.id ?? "" }
    }
  )

/** Issues of a project: those that calls choose from, one that only edits change, and two that the key holds claims of. */
const issuesOf = (owner: Person, api_key: string, project: string) =>
  Effect.gen(function* () {
    const common = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) => anIssueOf(owner, project, n))
    const edited = yield* anIssueOf(owner, project, 7)
    const claimed = yield* anIssueOf(owner, project, 8)
    const released = yield* anIssueOf(owner, project, 9)
    const pairs = common.flatMap(({ ref }) =>
      common.filter((other) => other.ref !== ref).map((other) => [ref, other.ref])
    )
    yield* Effect.forEach(pairs, ([ref, other]) =>
      send({ path: `/api/issues/${ref}/relations`, as: owner.session, json: { kind: "discovered_from", other } })
    )
    const claim = ({ ref }: { readonly ref: string }) =>
      Effect.map(send({ path: `/api/issues/${ref}/claim`, as: api_key, json: {} }), ({ text }) => {
        const { fence }: { readonly fence: number } = JSON.parse(text)
        return { ref, fence }
      })
    return { common, edited, claimed: yield* claim(claimed), released: yield* claim(released) }
  })

interface IssueWorld {
  readonly owner: Person
  readonly api_key: string
  /** Slug of the project. */
  readonly project: string
  /** Observations. */
  readonly refs: ReadonlyArray<string>
}

/** What requests to the operations on issues name, by the operation's name without the area. */
export const knownIssues = ({ owner, api_key, project, refs }: IssueWorld, known: Known) =>
  Effect.gen(function* () {
    const { common: issues, edited, claimed, released } = yield* issuesOf(owner, api_key, project)
    const issueRefs = issues.map(({ ref }) => ref)
    const ofIssues: Known = {
      ...known,
      parameters: {
        ...known.parameters,
        id: issues.map(({ criterion }) => criterion),
        project: [project],
        assignee: ["me", "none"],
        // Of the relations that there are; others are made by the calls themselves.
        kind: ["discovered_from"]
      },
      complete: {
        ref: issueRefs,
        other: issueRefs,
        repo: ["api@main"],
        labels: ["a", "a,b"],
        status: ["open", "open,in_progress"],
        priority: ["P1"]
      },
      fields: {
        "issues.file": {
          project: [project],
          assignee: [null, "me"],
          repos: [[], ["api@main"]],
          observations: [[], refs]
        },
        "issues.update": { project: [project], assignee: [null, "me"], repos: [[], ["api@main"]] },
        "issues.attach_pr": { url: ["https://git.example.org/acme/api/pull/1"] }
      },
      bodies: {
        "issues.close": [{ reason: "completed" }, { reason: "duplicate", duplicate_of: issueRefs[0]! }],
        "issues.relate": issueRefs.map((other) => ({ kind: "relates_to", other })),
        "issues.file_from_findings": [
          { project, refs },
          { project, filter: { priority: "P1" }, group_by: "rule" }
        ]
      }
    }
    const ofIssue: Readonly<Record<string, Known>> = {
      // A change needs the issue's current ETag, which the change before made another.
      update: {
        ...ofIssues,
        parameters: { ...ofIssues.parameters, "if-match": [edited.etag] },
        complete: { ...ofIssues.complete, ref: [edited.ref] }
      },
      // A criterion is named together with its own issue.
      set_criterion_met: {
        ...ofIssues,
        parameters: { ...ofIssues.parameters, id: [edited.criterion] },
        complete: { ...ofIssues.complete, ref: [edited.ref] }
      },
      renew_claim: {
        ...ofIssues,
        complete: { ...ofIssues.complete, ref: [claimed.ref] },
        bodies: { "issues.renew_claim": [{ fence: claimed.fence }, { fence: claimed.fence, lease_minutes: 90 }] }
      },
      release: {
        ...ofIssues,
        complete: { ...ofIssues.complete, ref: [released.ref] },
        bodies: { "issues.release": [{ fence: released.fence }, {}] }
      }
    }
    return (name: string): Known => ofIssue[name] ?? ofIssues
  })
