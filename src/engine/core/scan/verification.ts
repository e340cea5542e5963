import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import { ParserCrashed } from "../../languages/tree/Parser.ts"
import { hiddenRanges, hiderOf } from "../../secrets/hiddenRanges.ts"
import { REDACTED } from "../../secrets/redact.ts"
import { digestOf } from "../cache/digest.ts"
import { decodeText, isBinary } from "../files/fileText.ts"
import { SourceFile } from "../files/SourceFile.ts"
import type { AuditTool, Match } from "../tool/AuditTool.ts"
import { type CheckedStage, type Claim, type FileCheck, pathGone, type Verdict } from "./claims.ts"
import { factsJson, messageOf, type Placed, place, type RawHit, rawHits } from "./Inspector.ts"

/** Read again and run the same rules again. A failed run proves nothing, so it closes nothing: "inconclusive". */
export const verifyFile = async (
  tools: ReadonlyArray<AuditTool>,
  input: FileCheck,
  stage: CheckedStage,
  salt: string
): Promise<ReadonlyArray<Verdict>> => {
  const { claims, concluded } = input
  if (isBinary(input.bytes)) return claims.map((claim) => pathGone(claim, stage))
  const file = new SourceFile({ path: input.path, blob: input.blob, text: decodeText(input.bytes) })
  await prepareGrammars([file.language])
  const claimed = tools.filter((tool) => claims.some((claim) => toolOf(claim) === tool.id))
  const reruns = claimed.map((tool) => rerun(tool, file))
  const inside = (concluded?.hits ?? []).filter(({ hit }) => hit.end <= file.text.length)
  const flagged = [...reruns.flatMap(({ hits }) => hits), ...inside.map(({ hit }) => hit)]
  const secrets = hiddenRanges(
    file,
    flagged.flatMap((hit) => hit.redact ?? [])
  )
  const hide = secrets.length === 0 ? null : hiderOf(file.text, secrets)
  const grounds = new Map<string, Grounds>()
  for (const { tool, hits, facts, error } of reruns) {
    const digest = facts === null ? undefined : digestOf(factsJson(facts, hide))
    const stillHolds = concluded?.tools.includes(tool.id) === true && concluded.facts[tool.id] === digest
    const own = stillHolds ? inside.filter((hit) => hit.tool === tool.id) : []
    const all: ReadonlyArray<RawHit> = [...hits.map((hit) => ({ tool, hit })), ...rawHits([tool], own)]
    grounds.set(tool.id, {
      found: place(file, all, secrets, salt),
      isWhole: error === null && file.parseSkipped === null && (tool.finish === undefined || stillHolds)
    })
  }
  return claims.map((claim) => verdictOf(file, claim, grounds.get(toolOf(claim)) ?? noGrounds, stage))
}

/** What a tool says of the file now, and whether that is all it has to say. */
interface Grounds {
  readonly found: ReadonlyArray<Placed>
  readonly isWhole: boolean
}

const noGrounds: Grounds = { found: [], isWhole: false }

interface Rerun {
  readonly tool: AuditTool
  readonly hits: ReadonlyArray<Match>
  readonly facts: unknown
  readonly error: string | null
}

const toolOf = (claim: Claim): string => claim.rule.slice(0, claim.rule.indexOf("."))

const rerun = (tool: AuditTool, file: SourceFile): Rerun => {
  const hits: Array<Match> = []
  try {
    const applies = tool.appliesTo(file) && (tool.mentions === undefined || tool.mentions.test(file.text))
    const facts = applies ? tool.inspect?.(file, (hit) => hits.push(hit)) : null
    return { tool, hits, facts: facts ?? null, error: null }
  } catch (error) {
    if (error instanceof ParserCrashed) throw error
    return { tool, hits: [], facts: null, error: messageOf(error) }
  }
}

/** Which texts are hidden depends on the tools that ran, so what holds a mark is compared without it. */
const isSame = (claim: Claim, hit: Placed): boolean => {
  if (`${hit.tool}.${hit.rule}` !== claim.rule) return false
  const isHidden = claim.anchor.includes(REDACTED) || claim.symbol?.includes(REDACTED) === true
  return isHidden || (hit.symbol === claim.symbol && hit.anchor.text === claim.anchor)
}

const verdictOf = (file: SourceFile, claim: Claim, { found, isWhole }: Grounds, stage: CheckedStage): Verdict => {
  const inRange = claim.lineStart >= 1 && claim.lineEnd >= claim.lineStart && claim.lineEnd <= file.lineCount
  const missing = claim.identifiers.filter((name) => !file.text.includes(name))
  const matches = found.filter((hit) => isSame(claim, hit)).length
  const status = matches > 0 ? "confirmed" : isWhole ? "absent" : "inconclusive"
  return {
    key: claim.key,
    stands: inRange && missing.length === 0 && status !== "absent",
    evidence: {
      citation: {
        checked_at_stage: stage,
        line_in_range: inRange,
        missing_identifiers: missing,
        path_resolved: true
      },
      detection_query: {
        absence_hint: status === "absent" ? true : status === "confirmed" ? false : null,
        match_count: status === "inconclusive" ? null : matches,
        status
      }
    }
  }
}
