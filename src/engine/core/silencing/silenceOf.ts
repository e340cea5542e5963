import type { SourceFile } from "../files/SourceFile.ts"
import { isCredentialRule } from "../settings/ruleNames.ts"
import type { Rule, ToolDescription } from "../tool/AuditTool.ts"
import { isAbout, type Reported } from "./Concern.ts"
import { foreignMarks } from "./foreignMarks.ts"
import { accepts, ignoreComments } from "./ignoreComments.ts"
import type { Silence } from "./Silenced.ts"

/** What is written in a file itself about not reporting something there; null where it is to be reported. */
export const silenceOf = (
  file: SourceFile,
  tool: Pick<ToolDescription, "id" | "category">,
  ruleId: string,
  rule: Rule,
  lines: readonly [first: number, last: number]
): Silence | null => {
  const isCredential = isCredentialRule(ruleId)
  const comment = file.memo(ignoreComments, ignoreComments).find((one) => accepts(one, ruleId, isCredential, lines))
  if (comment !== undefined) return { by: "comment", reason: comment.reason!, line: comment.line }
  // A credential is accepted by name and with a reason, or not at all.
  if (isCredential) return null
  const reported: Reported = { ruleId, cwe: rule.cwe, category: rule.category ?? tool.category }
  const mark = file.memo(foreignMarks, foreignMarks).find(({ first, last, concerns }) => {
    const isThere = first <= lines[0] && lines[0] <= last
    return isThere && concerns.some((concern) => isAbout(concern, reported))
  })
  return mark === undefined ? null : { by: "foreign_mark", reason: mark.text, line: mark.line }
}
