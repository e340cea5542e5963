import { isLockfile } from "../../dependencies/lockfiles/names.ts"
import { decodeText } from "../files/fileText.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import type { TreeSource } from "../source/TreeSource.ts"
import { type AuditTool, isManifest } from "../tool/AuditTool.ts"
import { editedBytes } from "./applyEdits.ts"
import { combine } from "./combine.ts"
import type { Edit, Fixer, FixProject } from "./Fixer.ts"
import type { FixedFile, FixOutcome, FixSettings, FixTarget } from "./FixRequest.ts"
import {
  type Candidate,
  candidatesOf,
  DEFAULT_SALT,
  inspected,
  inspectedFiles,
  type MatchedFile,
  secretsIn,
  sitesOf,
  sourceFileOf
} from "./matchedFiles.ts"
import { Passes } from "./Passes.ts"

/** Sites of one finding whose edits touch each other are fixed one round after the other. */
const MAX_ROUNDS = 20
const MAX_PROJECT_FILE_BYTES = 4 * 1024 * 1024

export interface FixParts {
  readonly tool: AuditTool
  readonly fixer: Fixer
}

/**
 * Fixes one finding, all sites of it, in a tree. It reads the finding's files, and the whole tree only for a finding that
 * these alone do not show.
 */
export const proposeFix = async (
  source: TreeSource,
  { finding }: FixTarget,
  parts: FixParts,
  settings: FixSettings = {},
  passes = new Passes(source, settings)
): Promise<FixOutcome> => {
  const { tool, fixer } = parts
  const salt = settings.salt ?? DEFAULT_SALT
  const sitesIn = (files: ReadonlyArray<MatchedFile>) =>
    sitesOf(
      files.flatMap((matched) => candidatesOf(tool, fixer.rule, matched, salt)),
      finding
    )
  let sites = sitesIn(await inspectedFiles(source, tool, new Set(finding.locations.map(({ file_path }) => file_path))))
  if (sites.length === 0 && tool.finish !== undefined) sites = sitesIn(passes.knownOf(tool))
  if (sites.length === 0 && tool.finish !== undefined) sites = sitesIn(await passes.run(tool))
  if (sites.length === 0) return { status: "absent" }
  const project = fixer.readsProject === true ? await projectOf(source) : await pathsOnly(source)
  return fixedSites(sites, { ...parts, project, salt })
}

interface Fixing extends FixParts {
  readonly project: Project
  readonly salt: string
}

/** What a fixer may know, and the bytes of what it may edit besides the match's own file. */
interface Project extends FixProject {
  readonly bytes: ReadonlyMap<string, Uint8Array>
}

const pathsOnly = async (source: TreeSource): Promise<Project> => {
  const paths = new Set((await source.list()).map(({ path }) => path))
  return { has: (path) => paths.has(path), manifest: () => null, bytes: new Map() }
}

const projectOf = async (source: TreeSource): Promise<Project> => {
  const bytes = new Map<string, Uint8Array>()
  const entries = (await source.list()).filter(
    ({ path, size }) => (isManifest(path) || isLockfile(path)) && size <= MAX_PROJECT_FILE_BYTES
  )
  for await (const content of source.read(entries)) bytes.set(content.entry.path, content.bytes)
  const manifest = (path: string) => {
    const known = bytes.get(path)
    return known === undefined ? null : decodeText(known)
  }
  return { ...(await pathsOnly(source)), manifest, bytes }
}

const fixedSites = async (sites: ReadonlyArray<Candidate>, fixing: Fixing): Promise<FixOutcome> => {
  const files: Array<FixedFile> = []
  const elsewhere: Array<Edit> = []
  let summary: string | null = null
  for (const matched of new Set(sites.map((site) => site.matched))) {
    const fixed = await fixedFile(
      sites.filter((site) => site.matched === matched),
      fixing
    )
    if ("declined" in fixed) return { status: "declined", reason: fixed.declined }
    summary ??= fixed.summary
    elsewhere.push(...fixed.elsewhere)
    files.push(fileOf(matched, fixed.bytes))
  }
  files.push(...editedElsewhere(elsewhere, fixing.project))
  const changed = files.filter(({ before, after }) => Buffer.compare(before, after) !== 0)
  if (summary === null || changed.length === 0) {
    return { status: "declined", reason: "The fixer found nothing to change here." }
  }
  return { status: "proposed", summary, files: changed }
}

const fileOf = (matched: MatchedFile, after: Uint8Array): FixedFile => ({
  path: matched.file.path,
  before: matched.bytes,
  after,
  secrets: secretsIn(matched)
})

const editedElsewhere = (edits: ReadonlyArray<Edit>, project: Project): ReadonlyArray<FixedFile> =>
  [...new Set(edits.map(({ path }) => path!))].map((path) => {
    const before = project.bytes.get(path)
    if (before === undefined)
      throw new Error(`A fixer edits ${path}, which is not a manifest or lock file of the tree.`)
    const text = decodeText(before)
    const after = editedBytes(
      before,
      text,
      edits.filter((edit) => edit.path === path)
    )
    return { path, before, after, secrets: [] }
  })

interface Fixed {
  readonly bytes: Uint8Array
  readonly summary: string
  /** Edits of other files. */
  readonly elsewhere: ReadonlyArray<Edit>
}

const fixedFile = async (
  sites: ReadonlyArray<Candidate>,
  fixing: Fixing
): Promise<Fixed | { readonly declined: string }> => {
  const { fixer, project } = fixing
  const [first] = sites
  let { file, bytes } = first!.matched
  let matches = sites.map(({ match }) => match)
  let summary: string | null = null
  const elsewhere: Array<Edit> = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const combined = combine(
      fixer,
      matches.map((match) => ({ file, match, project }))
    )
    if ("declined" in combined) return combined
    summary ??= combined.summary
    elsewhere.push(...combined.edits.filter(({ path }) => path !== undefined))
    bytes = editedBytes(
      bytes,
      file.text,
      combined.edits.filter(({ path }) => path === undefined)
    )
    if (combined.deferred.length === 0) return { bytes, summary, elsewhere }
    file = await sourceFileOf({ path: file.path, blob: "", bytes, terms: file.terms })
    matches = remaining(file, bytes, first!.group, fixing)
    if (matches.length === 0) return { bytes, summary, elsewhere }
  }
  return { declined: "Its locations depend on each other too much to be edited one by one." }
}

/** What is left of the group in the edited file. */
const remaining = (file: SourceFile, bytes: Uint8Array, group: string, { tool, fixer, salt }: Fixing) =>
  candidatesOf(tool, fixer.rule, { file, bytes, matches: inspected(tool, file) }, salt)
    .filter((one) => one.group === group)
    .map(({ match }) => match)
