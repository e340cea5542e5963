import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import { compareVersions } from "../versions/order.ts"
import type { Advisories, Advisory, AdvisoryMatch, AdvisorySource } from "./Advisory.ts"
import { type AdvisoryFile, openAdvisoryFile } from "./AdvisoryFile.ts"
import { BUILT_IN_NEWEST, builtIn, builtInCount } from "./builtIn.ts"
import { matchOf } from "./matching.ts"
import { registryName } from "./names.ts"

/** Imported advisories of a folder together with the built-in list; without a folder, or where it holds none, the list alone. */
export const openAdvisories = (folder: string | null): Advisories => new Book(folder)

class Book implements Advisories {
  private readonly folder: string | null
  private readonly files = new Map<Ecosystem, AdvisoryFile | null>()
  private packages = 0

  constructor(folder: string | null) {
    this.folder = folder
  }

  affecting(ecosystem: Ecosystem, name: string, version: string): ReadonlyArray<AdvisoryMatch> {
    this.packages++
    const matches = this.known(ecosystem, registryName(ecosystem, name)).flatMap(
      (advisory) => matchOf(ecosystem, version, advisory) ?? []
    )
    return matches.length < 2 ? matches : distinct(matches)
  }

  later(ecosystem: Ecosystem, a: string, b: string): string {
    return (compareVersions(ecosystem, a, b) ?? 0) < 0 ? b : a
  }

  use() {
    const imported = [...this.files].flatMap(
      ([, file]): ReadonlyArray<AdvisorySource> => (file === null ? [] : [file.source])
    )
    const own: AdvisorySource = {
      source: "built-in list",
      ecosystem: null,
      imported_at: null,
      newest: BUILT_IN_NEWEST,
      advisories: builtInCount
    }
    return {
      sources: [...imported.sort((a, b) => (a.ecosystem! < b.ecosystem! ? -1 : 1)), own],
      packages: this.packages,
      without_data: [...this.files].flatMap(([ecosystem, file]) => (file === null ? [ecosystem] : [])).sort()
    }
  }

  /** The imported record of an advisory is the newer one. */
  private known(ecosystem: Ecosystem, name: string): ReadonlyArray<Advisory> {
    const imported = this.file(ecosystem)?.advisoriesOf(name) ?? []
    const ids = new Set(imported.flatMap(({ id, aliases }) => [id, ...aliases]))
    const own = builtIn(ecosystem, name).filter(({ id, aliases }) => ![id, ...aliases].some((known) => ids.has(known)))
    return [...imported, ...own]
  }

  private file(ecosystem: Ecosystem): AdvisoryFile | null {
    let file = this.files.get(ecosystem)
    if (file === undefined) {
      file = this.folder === null ? null : openAdvisoryFile(this.folder, ecosystem)
      this.files.set(ecosystem, file)
    }
    return file
  }
}

/** Databases publish the same vulnerability under ids of their own: it is reported once, by the record with a severity. */
const distinct = (matches: ReadonlyArray<AdvisoryMatch>): ReadonlyArray<AdvisoryMatch> => {
  const unrated = ({ advisory }: AdvisoryMatch) => Number(advisory.severity === null && !advisory.malicious)
  const seen = new Set<string>()
  return [...matches]
    .sort((a, b) => unrated(a) - unrated(b))
    .filter(({ advisory: { id, aliases } }) => {
      const names = [id, ...aliases]
      const isNew = !names.some((name) => seen.has(name))
      for (const name of names) seen.add(name)
      return isNew
    })
}
