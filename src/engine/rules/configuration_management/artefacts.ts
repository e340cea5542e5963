import { type EmitAt, type Project } from "../../core/tool/AuditTool.ts"
import type { RuleId } from "./rules.ts"

interface Kind {
  readonly pattern: RegExp
  readonly what: string
  readonly ignore: string
  /** Fewer may be there on purpose. */
  readonly least: number
}

const kinds: ReadonlyArray<Kind> = [
  { pattern: /(?:^|\/)node_modules\//, what: "installed packages", ignore: "`node_modules/`", least: 3 },
  {
    pattern: /(?:^|\/)(?:\.venv|venv|site-packages)\//,
    what: "an installed Python environment",
    ignore: "`.venv/",
    least: 3
  },
  { pattern: /\.py[co]$|(?:^|\/)__pycache__\//, what: "compiled Python", ignore: "`__pycache__/`", least: 1 },
  { pattern: /(?:^|\/)\.DS_Store$/, what: "Finder's folder settings", ignore: "`.DS_Store`", least: 1 },
  {
    pattern: /(?:^|\/)(?:Thumbs\.db|desktop\.ini)$/,
    what: "Explorer's folder settings",
    ignore: "`Thumbs.db",
    least: 1
  },
  {
    pattern: /(?:^|\/)(?:target\/classes|build\/classes)\/.*\.class$/,
    what: "compiled Java",
    ignore: "`target/",
    least: 1
  },
  {
    pattern: /(?:^|\/)(?:bin|obj)\/(?:Debug|Release)\//,
    what: "compiled .NET code",
    ignore: "`bin/ and obj/",
    least: 1
  },
  { pattern: /\.(?:swp|swo)$/, what: "an editor's swap files", ignore: "`*.swp`", least: 1 }
]

/** Samples and tests may need such files: that is for anyone who wrote them. */
const onPurpose =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|__fixtures__|testdata|test[-_]data|examples?|samples?|data|vendor|third_party|packages\/[^/]+\/test)\//i

/** Reported at the file that should have kept them out. */
const anchorOf = (project: Project): string | null => {
  const top = project.files.filter(({ path }) => !path.includes("/")).map(({ path }) => path)
  return top.find((path) => path === ".gitignore") ?? null
}

export const trackedArtefacts = (project: Project, emit: EmitAt<RuleId>): void => {
  const anchor = anchorOf(project)
  if (anchor === null) return
  const paths = [...project.unread, ...project.files.map(({ path }) => path)].sort()
  const found = kinds.flatMap((kind) => foundOf(kind, paths) ?? [])
  if (found.length === 0) return
  emit(anchor, {
    rule: "tracked_artefact",
    start: 0,
    end: 0,
    title: `The repository contains ${found[0]!.what}${found.length > 1 ? " and more that is produced" : ""}`,
    message: `The repository contains ${found.map(({ phrase }) => phrase).join("; ")}. Remove them and ignore ${found.map(({ ignore }) => ignore).join(", ")}.`
  })
}

const foundOf = ({ pattern, what, ignore, least }: Kind, paths: ReadonlyArray<string>) => {
  const found = paths.filter((path) => pattern.test(path) && !onPurpose.test(path.slice(0, path.search(pattern) + 1)))
  if (found.length < least) return null
  const count = found.length === 1 ? "a file" : `${found.length.toLocaleString("en")} files`
  return { what, ignore, phrase: `${what} (${count}, such as \`${found[0]}\`)` }
}
