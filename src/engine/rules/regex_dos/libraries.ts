import { languageOf } from "../../core/files/Language.ts"
import type { Project } from "../../core/tool/AuditTool.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { isMarker, isPublishedPackage } from "../../dataflow/libraries.ts"

/** Manifests of packages that others install, per language; a language without one is judged by its code alone. */
const manifests: Record<string, ReadonlyArray<string>> = {
  javascript: ["package.json"],
  python: ["pyproject.toml", "setup.py", "setup.cfg"]
}

const isInstalled = (name: string, text: string, hasIndex: boolean): boolean =>
  name !== "package.json" || isPublishedPackage(text, hasIndex)

const foldersAbove = (path: string): ReadonlyArray<string> => {
  const parts = path.split("/").slice(0, -1)
  return [...parts.map((_, i) => `${parts.slice(0, parts.length - i).join("/")}/`), ""]
}

/** What kind of package a file belongs to: "library" for one that others install, null where nothing says. */
export const packageOf = (project: Project, path: string): "library" | "application" | null => {
  const names = manifests[ruleLanguageOf(languageOf(path))]
  if (names === undefined) return null
  for (const folder of foldersAbove(path)) {
    for (const name of names) {
      const text = project.manifest(`${folder}${name}`)
      if (text !== null && !isMarker(name, text))
        return isInstalled(name, text, project.has(`${folder}index.js`)) ? "library" : "application"
    }
    if (names.includes("setup.py") && project.has(`${folder}manage.py`)) return "application"
  }
  return null
}
