import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import { hiddenRanges, hiderOf } from "../../secrets/hiddenRanges.ts"
import { digestOf } from "../cache/digest.ts"
import { decodeText, isBinary } from "../files/fileText.ts"
import { SourceFile } from "../files/SourceFile.ts"
import type { AuditTool } from "../tool/AuditTool.ts"
import { applies } from "../tool/applies.ts"
import {
  absent,
  type CheckedFile,
  type Citation,
  type CrossFileEvidence,
  type EvidenceCheck,
  isCited,
  toolOf
} from "./evidence.ts"
import { factsJson, inspectWith } from "./Inspector.ts"
import { type LocatedFinding, locate, type ToolMatch } from "./LocatedFinding.ts"

/** Runs the cited rules again over what the file holds now. A run that failed proves nothing: "inconclusive". */
export const rerunFile = async (
  tools: ReadonlyArray<AuditTool>,
  { path, blob, bytes, terms, citations, crossFile }: CheckedFile,
  salt: string
): Promise<ReadonlyArray<EvidenceCheck>> => {
  if (isBinary(bytes)) return citations.map(({ key }) => absent(key))
  const file = new SourceFile({ path, blob, text: decodeText(bytes), terms })
  await prepareGrammars([file.language])
  const cited = new Set(citations.map(toolOf))
  const runs = tools.filter(({ id }) => cited.has(id)).map((tool) => ({ tool, ...rerun(tool, file) }))
  const inside = crossFile.matches.filter(({ match }) => match.end <= file.text.length)
  const flagged = [...runs.flatMap(({ matches }) => matches), ...inside.map(({ match }) => match)]
  const secrets = hiddenRanges(
    file,
    flagged.flatMap(({ redact }) => redact ?? [])
  )
  const redact = secrets.length === 0 ? null : hiderOf(file.text, secrets)
  const evidence = new Map<string, RuleEvidence>()
  for (const { tool, matches, facts, error } of runs) {
    const holds = passHolds(tool, crossFile, facts === null ? undefined : digestOf(factsJson(facts, redact)))
    const ofPass = holds ? inside.filter((one) => one.tool === tool.id) : []
    const all: ReadonlyArray<ToolMatch> = [...matches.map((match) => ({ tool: tool.id, match })), ...ofPass]
    evidence.set(tool.id, {
      located: locate(file, tools, all, secrets, salt),
      isComplete: error === null && file.parseSkipped === null && (tool.finish === undefined || holds)
    })
  }
  return citations.map((citation) => checkOf(file, citation, evidence.get(toolOf(citation)) ?? noEvidence))
}

/** What a tool reports of the file now, and whether that is all it has to report. */
interface RuleEvidence {
  readonly located: ReadonlyArray<LocatedFinding>
  readonly isComplete: boolean
}

const noEvidence: RuleEvidence = { located: [], isComplete: false }

const rerun = (tool: AuditTool, file: SourceFile): ReturnType<typeof inspectWith> => {
  return applies(tool, file)
    ? inspectWith(tool, file, Number.POSITIVE_INFINITY)
    : { matches: [], facts: null, error: null, isCut: false }
}

const passHolds = (tool: AuditTool, { finished, facts }: CrossFileEvidence, digest: string | undefined): boolean =>
  finished.includes(tool.id) && facts[tool.id] === digest

const checkOf = (file: SourceFile, citation: Citation, { located, isComplete }: RuleEvidence): EvidenceCheck => {
  const { key, line_start, line_end, identifiers } = citation
  const inRange = line_start >= 1 && line_end >= line_start && line_end <= file.lineCount
  const missing = identifiers.filter((name) => !file.text.includes(name))
  const matches = located.filter((found) => isCited(citation, found)).length
  const status = matches > 0 ? "confirmed" : isComplete ? "absent" : "inconclusive"
  return {
    key,
    confirmed: inRange && missing.length === 0 && status !== "absent",
    evidence: {
      citation: {
        checked_at_stage: "verify",
        line_in_range: inRange,
        missing_identifiers: missing,
        path_resolved: true
      },
      detection_query: {
        absence_hint: status === "inconclusive" ? null : status === "absent",
        match_count: status === "inconclusive" ? null : matches,
        status
      }
    }
  }
}
