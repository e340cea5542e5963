import { roleByPath } from "./FileRole.ts"
import { type FileTerms, termsOf } from "./FileTerms.ts"
import type { TreeLayout } from "./TreeLayout.ts"

const packageFile = "/__init__.py"
const code = /\.(?:[cm]?[jt]sx?|py|go|java|kt|scala|rb|php|cs|rs|c|cc|cpp|h|hpp|swift)$/
/** Files that build something, whatever it is. */
const builds = /(?:^|\/)(?:setup|noxfile|tasks|manage|conf|gulpfile|Gruntfile|build)\.\w+$|\.config\.\w+$/

const isAllExamples = (paths: ReadonlyArray<string>, layout: TreeLayout): boolean => {
  let examples = 0
  for (const path of paths) {
    if (!code.test(path) || builds.test(path)) continue
    const role = roleByPath(path, layout)
    if (role === "source") return false
    if (role === "example") examples++
  }
  return examples > 0
}

export const layoutOf = (paths: ReadonlyArray<string>): TreeLayout => {
  const packages = new Set(
    paths.filter((path) => path.endsWith(packageFile)).map((path) => path.slice(0, -packageFile.length))
  )
  const layout = { packages, isAllExamples: false }
  return { packages, isAllExamples: isAllExamples(paths, layout) }
}

/** The terms of each file of a tree: they follow from all of its paths, and from nothing else of it. */
export class TreeTerms {
  private readonly layout: TreeLayout

  constructor(paths: ReadonlyArray<string>) {
    this.layout = layoutOf(paths)
  }

  of(path: string): FileTerms {
    return termsOf(path, this.layout)
  }
}
