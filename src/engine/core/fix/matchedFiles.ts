import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { hiddenRanges } from "../../secrets/hiddenRanges.ts"
import { decodeText, isBinary, MAX_FILE_BYTES } from "../files/fileText.ts"
import { Inventory } from "../files/Inventory.ts"
import { SourceFile } from "../files/SourceFile.ts"
import { selected, termsOf } from "../files/selection.ts"
import { locatedSignature, signaturesOf, withOrdinals } from "../identity/Fingerprint.ts"
import { runCrossFilePasses } from "../scan/crossFilePass.ts"
import { groupKeyOf } from "../scan/groupKey.ts"
import { type FileInput, Inspector, inspectWith } from "../scan/Inspector.ts"
import { locate } from "../scan/LocatedFinding.ts"
import { ProjectFacts } from "../scan/ProjectFacts.ts"
import { ScannedFiles } from "../scan/ScannedFiles.ts"
import type { TreeSource } from "../source/TreeSource.ts"
import { compareText } from "../text/compareText.ts"
import type { AuditTool, Match } from "../tool/AuditTool.ts"
import { applies } from "../tool/applies.ts"
import { scanTools } from "../tool/scanTools.ts"
import type { FindingReference, FixSettings } from "./FixRequest.ts"

/** As in a scan that is given none. */
export const DEFAULT_SALT = "assay"

/** A file with all that one tool matches in it. */
export interface MatchedFile {
  readonly file: SourceFile
  readonly bytes: Uint8Array
  readonly matches: ReadonlyArray<Match>
}

export const sourceFileOf = async ({ path, blob, bytes, terms }: FileInput): Promise<SourceFile> => {
  const file = new SourceFile({ path, blob, text: decodeText(bytes), terms })
  await prepareGrammars([file.language])
  return file
}

/** What inspection of a file alone shows. */
export const inspected = (tool: AuditTool, file: SourceFile): ReadonlyArray<Match> =>
  applies(tool, file) ? inspectWith(tool, file, Number.POSITIVE_INFINITY).matches : []

/** The files at these paths with what inspection alone shows in them. */
export const inspectedFiles = async (
  source: TreeSource,
  tool: AuditTool,
  paths: ReadonlySet<string>
): Promise<ReadonlyArray<MatchedFile>> => {
  const listed = await source.list()
  // What is to be fixed was reported, whether or not its rule is on by default.
  const terms = await termsOf(source, listed, [tool.id])
  const entries = listed.filter(({ path, size }) => paths.has(path) && size <= MAX_FILE_BYTES)
  const files: Array<MatchedFile> = []
  for await (const { entry, bytes } of source.read(entries)) {
    if (isBinary(bytes)) continue
    const file = await sourceFileOf({ path: entry.path, blob: entry.blob, bytes, terms: terms.of(entry.path) })
    files.push({ file, bytes, matches: inspected(tool, file) })
  }
  return files
}

/** The files in which the tool's cross-file pass matches something, with all matches of the tool: it reads the whole tree. */
export const filesOfPass = async (
  source: TreeSource,
  tool: AuditTool,
  { salt = DEFAULT_SALT, advisories }: FixSettings
): Promise<ReadonlyArray<MatchedFile>> => {
  const inspector = new Inspector([tool], salt)
  const inventory = new Inventory()
  const files = new ScannedFiles()
  const facts = new ProjectFacts()
  const { entries, terms } = await selected(source, inventory, [tool.id])
  files.select(entries)
  for await (const { entry, bytes } of source.read(entries)) {
    const input = { path: entry.path, blob: entry.blob, bytes, terms: terms.of(entry.path) }
    files.keepManifest(input)
    const outcome = await inspector.inspect(input)
    if (outcome.skipped === "binary") continue
    files.add(outcome, entry.blob)
    facts.add(entry.path, outcome.facts)
  }
  const project = await files.project(source)
  const unread = [...inventory.skippedPaths()].sort(compareText)
  const { matches } = runCrossFilePasses(
    scanTools([tool], null),
    {
      input: { ...project, unread, advisories: advisories ?? null, history: null, facts: facts.shared(project.files) },
      part: { index: 0, of: 1 },
      without: new Set()
    },
    () => undefined
  )
  const ofFile = (path: string) => matches.flatMap(([at, { match }]) => (at === path ? [match] : []))
  const found = await inspectedFiles(source, tool, new Set(matches.map(([path]) => path)))
  return found.map((one) => ({ ...one, matches: [...one.matches, ...ofFile(one.file.path)] }))
}

/** A match as a scan identifies it. */
export interface Candidate {
  readonly matched: MatchedFile
  readonly match: Match
  readonly line: number
  /** Matches with the same one are one finding. */
  readonly group: string
  readonly signatures: { readonly located: string; readonly primary: string; readonly moved: string }
}

export const secretsIn = ({ file, matches }: MatchedFile): ReadonlyArray<Range> =>
  hiddenRanges(
    file,
    matches.flatMap(({ redact }) => redact ?? [])
  )

/** Matches of one rule as a scan would report them. */
export const candidatesOf = (
  tool: AuditTool,
  rule: string,
  matched: MatchedFile,
  salt: string
): ReadonlyArray<Candidate> => {
  const { file, matches } = matched
  const ofRule = matches.filter((match) => match.rule === rule)
  if (ofRule.length === 0) return []
  const located = locate(
    file,
    [tool],
    ofRule.map((match) => ({ tool: tool.id, match })),
    secretsIn(matched),
    salt
  )
  return withOrdinals(located).map((finding) => {
    const { primary, moved } = signaturesOf(finding)
    return {
      matched,
      match: ofRule.find(({ start, end }) => start === finding.start && end === finding.end)!,
      line: finding.line_start,
      group: groupKeyOf(finding),
      signatures: { located: locatedSignature(finding), primary, moved }
    }
  })
}

/**
 * The matches that are the finding: its main one, found by what identifies it or else by its line, and those of the same
 * group.
 */
export const sitesOf = (
  candidates: ReadonlyArray<Candidate>,
  { signatures, locations }: FindingReference
): ReadonlyArray<Candidate> => {
  const [location] = locations
  const inFile = candidates.filter(({ matched }) => matched.file.path === location?.file_path)
  const main =
    candidates.find((one) => one.signatures.located === signatures.located) ??
    inFile.find((one) => one.signatures.primary === signatures.primary) ??
    inFile.find((one) => one.signatures.moved === signatures.moved) ??
    inFile.find(({ line }) => line === location?.line_start)
  return main === undefined ? [] : candidates.filter(({ group }) => group === main.group)
}
