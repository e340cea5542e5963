import type { AuditTool, Hit } from "./AuditTool.ts"
import { prepareGrammars } from "./analysis/Grammar.ts"
import { ParserCrashed } from "./analysis/Parser.ts"
import type { Range } from "./analysis/Range.ts"
import { REDACTED } from "./analysis/secrets/redact.ts"
import { hiddenRanges } from "./hiddenRanges.ts"
import { decodeText, type FileInput, isBinary, messageOf, type Placed, place } from "./Inspector.ts"
import type { FindingEvidence } from "./ScanResult.ts"
import { SourceFile } from "./SourceFile.ts"

/** What was said about one file, to be checked against it. Plain data: it comes from a scan or from stored rows. */
export interface Claim {
  readonly key: string
  /** `tool.rule` */
  readonly rule: string
  readonly symbol: string | null
  readonly anchor: string
  readonly lineStart: number
  readonly lineEnd: number
  readonly identifiers: ReadonlyArray<string>
}

export interface Verdict {
  readonly key: string
  readonly evidence: FindingEvidence
  readonly stands: boolean
}

export type CheckedStage = "verify" | "revalidate"

/** The path is not there (any more). */
export const pathGone = (claim: Claim, stage: CheckedStage): Verdict => ({
  key: claim.key,
  stands: false,
  evidence: {
    citation: { checked_at_stage: stage, line_in_range: false, missing_identifiers: null, path_resolved: false },
    detection: { absence_hint: null, match_count: null, status: "inconclusive" }
  }
})

/** Read again and run the same rules again. A failed run proves nothing, so it closes nothing: "inconclusive". */
export const verifyFile = async (
  tools: ReadonlyArray<AuditTool>,
  input: FileInput,
  claims: ReadonlyArray<Claim>,
  stage: CheckedStage,
  salt: string
): Promise<ReadonlyArray<Verdict>> => {
  if (isBinary(input.bytes)) return claims.map((claim) => pathGone(claim, stage))
  const file = new SourceFile({ path: input.path, blob: input.blob, text: decodeText(input.bytes) })
  await prepareGrammars([file.language])
  const reruns = new Map<string, Rerun>()
  for (const tool of tools) {
    if (claims.some((claim) => toolOf(claim) === tool.id)) reruns.set(tool.id, rerun(tool, file))
  }
  const secrets = hiddenRanges(
    file.text,
    [...reruns.values()].flatMap(({ secrets }) => secrets)
  )
  const found = new Map<string, ReadonlyArray<Placed>>()
  for (const [id, { tool, hits }] of reruns) {
    found.set(
      id,
      place(
        file,
        hits.map((hit) => ({ tool, hit })),
        secrets,
        salt
      )
    )
  }
  return claims.map((claim) => {
    const again = reruns.get(toolOf(claim))
    return verdictOf(file, claim, again?.error ?? null, again?.tool ?? null, found.get(toolOf(claim)) ?? [], stage)
  })
}

interface Rerun {
  readonly tool: AuditTool
  readonly hits: ReadonlyArray<Hit>
  readonly secrets: ReadonlyArray<Range>
  readonly error: string | null
}

const toolOf = (claim: Claim): string => claim.rule.slice(0, claim.rule.indexOf("."))

const rerun = (tool: AuditTool, file: SourceFile): Rerun => {
  const hits: Array<Hit> = []
  try {
    if (tool.appliesTo(file)) tool.inspect?.(file, (hit) => hits.push(hit))
    return { tool, hits, secrets: hits.flatMap((hit) => hit.redact ?? []), error: null }
  } catch (error) {
    if (error instanceof ParserCrashed) throw error
    return { tool, hits: [], secrets: [], error: messageOf(error) }
  }
}

/** Which texts are hidden depends on the tools that ran, so what holds a mark is compared without it. */
const isSame = (claim: Claim, hit: Placed): boolean => {
  if (`${hit.tool}.${hit.rule}` !== claim.rule) return false
  const isHidden = claim.anchor.includes(REDACTED) || claim.symbol?.includes(REDACTED) === true
  return isHidden || (hit.symbol === claim.symbol && hit.anchor.text === claim.anchor)
}

const verdictOf = (
  file: SourceFile,
  claim: Claim,
  error: string | null,
  tool: AuditTool | null,
  found: ReadonlyArray<Placed>,
  stage: CheckedStage
): Verdict => {
  const inRange = claim.lineStart >= 1 && claim.lineEnd >= claim.lineStart && claim.lineEnd <= file.lineCount
  const missing = claim.identifiers.filter((name) => !file.text.includes(name))
  const matches = found.filter((hit) => isSame(claim, hit)).length
  // A rule that concludes over many files cannot be asked about one.
  const isRerun =
    tool?.inspect !== undefined && tool.conclude === undefined && error === null && file.parseSkipped === null
  const status = matches > 0 ? "confirmed" : isRerun ? "absent" : "inconclusive"
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
      detection: {
        absence_hint: status === "absent" ? true : status === "confirmed" ? false : null,
        match_count: status === "inconclusive" ? null : matches,
        status
      }
    }
  }
}
