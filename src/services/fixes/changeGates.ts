import { type Finding, Secrets } from "../../engine/index.ts"
import type { TreeChange } from "../ports/WorkTrees.ts"
import { failed, type Gate, passed } from "./gates.ts"

/** What a fix may change at most. */
export const maxFixFiles = 20
export const maxFixLines = 2_000

const workflowFolder = /^\.github\/workflows\//
const regularModes: ReadonlySet<string> = new Set(["100644", "100755"])
/** In any folder above the finding's file: versions that a fix raises, and what follows from them. */
const manifest =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|go\.(?:mod|sum)|pyproject\.toml|poetry\.lock|uv\.lock|requirements[\w.-]*\.txt|Pipfile(?:\.lock)?|setup\.(?:cfg|py)|Cargo\.(?:toml|lock)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|build\.gradle(?:\.kts)?|[\w.-]+\.csproj|\.env\.(?:example|sample|template))$/
const test = /(?:^|\/)(?:tests?|__tests__|spec|specs)\/|(?:[._-](?:test|spec)|_test)\.\w+$|(?:^|\/)test_[^/]+\.py$/

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1)

/** The files that a finding is about: its locations, and the steps of its flow. */
export const filesOf = ({ locations, steps }: Pick<Finding, "locations" | "steps">): ReadonlySet<string> =>
  new Set([...locations, ...steps].map(({ file_path }) => file_path))

/** The files of all findings that an edit fixes; null where it fixes none, so that no file is beyond it. */
export const filesOfAll = (
  subjects: ReadonlyArray<{ readonly finding: Pick<Finding, "locations" | "steps"> }>
): ReadonlySet<string> | null =>
  subjects.length === 0 ? null : new Set(subjects.flatMap(({ finding }) => [...filesOf(finding)]))

/** Whether a fix of a finding may touch the path: its own files, tests, and manifests of the folders above. */
const isInScope = (path: string, files: ReadonlySet<string>): boolean => {
  if (files.has(path) || test.test(path)) return true
  const folder = folderOf(path)
  return manifest.test(path) && [...files].some((file) => file.startsWith(folder))
}

const list = (paths: ReadonlyArray<string>) =>
  paths.length <= 3 ? paths.join(", ") : `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more`

/**
 * Only what the findings need is touched, and nothing of a kind that no one reads in a diff. Without files, because there
 * is no finding, any may be touched.
 */
export const scopeGate = (changes: ReadonlyArray<TreeChange>, files: ReadonlySet<string> | null): Gate => {
  const of = (isWrong: (change: TreeChange) => boolean) => changes.filter(isWrong).map(({ path }) => path)
  const workflows = of(({ path }) => workflowFolder.test(path))
  if (workflows.length > 0) {
    return failed("scope", "workflow_file", `The edit touches the code host's workflow folder: ${list(workflows)}.`)
  }
  const rules: ReadonlyArray<readonly [(change: TreeChange) => boolean, string]> = [
    [isLink, "The edit adds or changes a symbolic link or a submodule"],
    [hasOtherMode, "The edit changes the mode of a file"],
    [({ isBinary }) => isBinary, "The edit changes a binary file"],
    [({ path }) => files !== null && !isInScope(path, files), "The edit touches files that the finding is not about"],
    [hasSecret, "The edit adds what looks like a credential"]
  ]
  for (const [isWrong, sentence] of rules) {
    const paths = of(isWrong)
    if (paths.length > 0) return failed("scope", "quality_gate_failed", `${sentence}: ${list(paths)}.`)
  }
  const count = changes.length
  const touched = `${count} ${count === 1 ? "file is" : "files are"} touched`
  return passed("scope", files === null ? `${touched}.` : `${touched}, of those that the finding needs.`)
}

const isLink = ({ old_mode, new_mode }: TreeChange) =>
  [old_mode, new_mode].some((mode) => mode !== null && !regularModes.has(mode))

const hasOtherMode = ({ old_mode, new_mode }: TreeChange) =>
  new_mode === "100755" ? old_mode !== "100755" : old_mode === "100755" && new_mode === "100644"

const hasSecret = ({ previous, content }: TreeChange) => {
  if (content === null) return false
  const before = previous === null ? "" : Buffer.from(previous).toString("utf8")
  const after = Buffer.from(content).toString("utf8")
  return Secrets.scanSecrets(after).some(({ start, end }) => !before.includes(after.slice(start, end)))
}

export const sizeGate = (changes: ReadonlyArray<TreeChange>): Gate => {
  const files = changes.length
  const lines = changes.reduce((sum, change) => sum + change.lines, 0)
  const size = `${files} ${files === 1 ? "file" : "files"} and ${lines} ${lines === 1 ? "line" : "lines"}`
  return files > maxFixFiles || lines > maxFixLines
    ? failed(
        "size",
        "diff_too_large",
        `The edit changes ${size}; at most ${maxFixFiles} files and ${maxFixLines} lines are a fix.`
      )
    : passed("size", `The edit changes ${size}.`)
}
