import { Effect, Schema, Struct } from "effect"
import { type FiledIssues, filedIssues, Issue } from "../schema/Issue.ts"
import { fromFindings, relating } from "../schema/IssueRequests.ts"
import { issueRelations as operations } from "../schema/operations/index.ts"
import { field } from "../schema/Text.ts"
import { IssueRelations } from "../services/issues/IssueRelations.ts"
import { IssuesFromFindings } from "../services/issues/IssuesFromFindings.ts"
import { maxContent, recordWithin } from "./answerSize.ts"
import { issueArg } from "./IssuesTools.ts"
import { tool } from "./Tool.ts"
import { briefFilter } from "./TriageTools.ts"

/** What has to be known of a hundred issues at once. */
const FiledRow = Schema.Struct(Struct.pick(Issue.fields, "ref", "title", "priority", "observations"))

const Filed = Schema.Struct({
  ...filedIssues,
  created: field(Schema.Array(FiledRow), "Issues that were filed; get_issue has the whole of one.")
})

const shortly = ({ created, existing, skipped }: FiledIssues): typeof Filed.Type =>
  recordWithin(
    {
      created: created.map(({ ref, title, priority, observations }) => ({ ref, title, priority, observations })),
      existing,
      skipped
    },
    maxContent
  )

export const IssueRelationsTools = Effect.map(
  Effect.all([IssueRelations, IssuesFromFindings]),
  ([relations, findings]) => [
    tool({
      name: "file_issues_from_findings",
      title: "File issues from findings",
      description:
        "File issues for observations that have no open issue, with a criterion for each. Use file_issue for other work.",
      operation: operations.fileFromFindings,
      args: { ...fromFindings, filter: briefFilter },
      result: Filed,
      run: (request) => Effect.map(findings.run(request), shortly)
    }),
    tool({
      name: "relate_issues",
      title: "Relate issues",
      description: "Relate an issue to another one. Use unrelate_issues to undo it, close_issue for a duplicate.",
      operation: operations.relateIssues,
      args: { ...issueArg, ...relating },
      result: Issue,
      run: ({ ref, ...relation }) => relations.relate(ref, relation)
    }),
    tool({
      name: "unrelate_issues",
      title: "Unrelate issues",
      description: "Remove a relation from an issue to another one. Use get_issue for the relations that it has.",
      operation: operations.unrelateIssues,
      args: { ...issueArg, ...relating },
      result: Issue,
      run: ({ ref, ...relation }) => relations.unrelate(ref, relation)
    })
  ]
)
