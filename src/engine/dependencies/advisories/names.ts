import type { Ecosystem } from "../lockfiles/LockedPackage.ts"

export const ecosystems: ReadonlyArray<Ecosystem> = [
  "npm",
  "PyPI",
  "Go",
  "Maven",
  "RubyGems",
  "Packagist",
  "NuGet",
  "crates.io"
]

/** One spelling for names that a registry takes for the same. */
export const registryName = (ecosystem: Ecosystem, name: string): string => {
  switch (ecosystem) {
    case "PyPI":
      return name.toLowerCase().replace(/[-_.]+/g, "-")
    case "Packagist":
    case "NuGet":
      return name.toLowerCase()
    default:
      return name
  }
}
