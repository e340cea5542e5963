import { importRemovals } from "../../languages/edits/importRemovals.ts"
import { areDisjoint } from "./applyEdits.ts"
import type { Edit, Edits, Fixer, FixSite } from "./Fixer.ts"

/** Edits of several sites of one file at once. */
export interface Combined {
  readonly edits: ReadonlyArray<Edit>
  readonly summary: string
  /** Sites whose edits touch ranges that others change: they come next, in the file as it is then. */
  readonly deferred: ReadonlyArray<FixSite>
}

const isSame = (a: Edit, b: Edit): boolean =>
  a.start === b.start && a.end === b.end && a.text === b.text && a.path === b.path

/** Without edits that another site asks for, too, such as the import that both need. */
const additional = (edits: ReadonlyArray<Edit>, known: ReadonlyArray<Edit>): ReadonlyArray<Edit> =>
  edits.filter((edit) => !known.some((one) => isSame(one, edit)))

const areCompatible = (edits: ReadonlyArray<Edit>): boolean =>
  [...new Set(edits.map(({ path }) => path))].every((path) => areDisjoint(edits.filter((edit) => edit.path === path)))

/** What the fixer proposes for all of these sites of one file; a finding is fixed as a whole or not at all. */
export const combine = (fixer: Fixer, sites: ReadonlyArray<FixSite>): Combined | { readonly declined: string } => {
  const taken: Array<Edits> = []
  const deferred: Array<FixSite> = []
  const edits: Array<Edit> = []
  for (const site of sites) {
    const proposal = fixer.propose(site)
    if ("declined" in proposal) return proposal
    const added = additional(proposal.edits, edits)
    if (!areCompatible([...edits, ...added])) deferred.push(site)
    else {
      edits.push(...added)
      taken.push(proposal)
    }
  }
  const [first] = taken
  if (first === undefined || edits.length === 0) return { declined: "The fixer found nothing to change here." }
  const names = new Set(taken.flatMap(({ unusedImports = [] }) => unusedImports))
  const removals = additional(
    importRemovals(
      sites[0]!.file,
      edits.filter(({ path }) => path === undefined),
      names
    ),
    edits
  )
  return {
    edits: areCompatible([...edits, ...removals]) ? [...edits, ...removals] : edits,
    summary: first.summary,
    deferred
  }
}
