import { Effect } from "effect"
import { IssueRelations } from "../services/issues/IssueRelations.ts"
import { IssuesFromFindings } from "../services/issues/IssuesFromFindings.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const IssueRelationsHandlers = group(
  Api,
  "issueRelations",
  Effect.fnUntraced(function* (handlers) {
    const relations = yield* IssueRelations
    const findings = yield* IssuesFromFindings
    return handlers
      .handle("relate", ({ path, payload }) => relations.relate(path.ref, payload))
      .handle("unrelate", ({ path: { ref, ...relation } }) => relations.unrelate(ref, relation))
      .handle("fileFromFindings", ({ payload }) => findings.run(payload))
  })
)
