import { directoryOf } from "../../core/text/paths.ts"
import { clip } from "../Observed.ts"
import { isGuideForContributors, isReadme } from "../observers/texts.ts"
import { resolvedPath, type Survey } from "../Survey.ts"
import type { Command, Purpose } from "./Command.ts"
import { type ShellLine, shellIn } from "./shellIn.ts"
import { narrowed, partsOf, purposeOfLine, unwrapped } from "./words.ts"

const MAX_FILES = 16
const MAX_PER_FILE = 60

/** Installs a published package: for people who use the product, not for those who change it. */
const published =
  /^(?:(?:python3? -m )?(?:pip3?|pipx|uv (?:tool|pip)) install (?:-U |--upgrade |--user )*["']?[A-Za-z][\w.-]*(?:\[[\w,-]+\])?["']?(?:[=<>~]=[\w.]+)?$|npm (?:i|install) (?:-g |--global |--save(?:-dev)? |-D |-S )*@?[a-z][\w./-]*$|(?:yarn|pnpm|bun) (?:global )?add (?:-D |-g |--dev )*@?[a-z][\w./-]*$|cargo (?:install|add) (?:--locked )?[\w-]+$|gem install [\w-]+$|go (?:install|get) (?:-u )?[\w./-]+@\w+$|go get (?:-u )?[\w.]+\.\w+\/[\w./-]+$|brew install [\w@/.-]+$|composer (?:global )?require (?:--dev )?[\w./-]+$|docker pull \S+$|dotnet (?:add package|tool install) .{2,60}$|(?:sudo )?apt(?:-get)? install (?:-y )?[\w-]+$)/

const isPlain = (text: string): boolean =>
  text.length <= 160 && !/<<|[^-=]>\s*\S*\/|^\W*$|\.\.\.$|…/.test(text) && /^(?!exec\s)[\w./~@"'(]/.test(text)

const lastWord = /([\w@/.-]+?)(?:\[[^\]]*\])?["']?(?:[=@<>~].*)?$/

const purposeIn = (text: string, heading: string, own: ReadonlySet<string>): Purpose | null => {
  if (published.test(text)) {
    const named = (lastWord.exec(text)?.[1] ?? "").toLowerCase()
    return own.has(named.split("/").at(-1)!) || own.has(named) ? "use" : null
  }
  const purpose = purposeOfLine(unwrapped(text))
  if (/^(?:sudo )?make install/.test(text)) return null
  // Steps of a release run the tests, too; that is not how one works.
  return /releas/i.test(heading) && purpose !== "release" ? null : purpose
}

/** Names under which the repository publishes something. */
const publishedNames = (survey: Survey): ReadonlySet<string> => {
  const names = survey
    .texts(
      /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|setup\.cfg|Cargo\.toml|composer\.json|go\.mod|[\w-]+\.gemspec)$/
    )
    .slice(0, 40)
    .flatMap(({ text }) => {
      const name =
        /^\s*["']?name["']?\s*[=:]\s*["']?([\w@./-]{1,80})/m.exec(text)?.[1] ??
        /\.name\s*=\s*["']([\w-]+)/.exec(text)?.[1] ??
        /^module\s+(\S+)/m.exec(text)?.[1]
      return name === undefined ? [] : [name.toLowerCase(), name.toLowerCase().split("/").at(-1)!]
    })
  return new Set(names)
}

/**
 * A folder of the repository that a document means by `cd project/part`: most begin with that of the checkout. Null for
 * folders beside it.
 */
const folderMeant = (survey: Survey, written: string): string | null => {
  const parts = resolvedPath("", written).split("/")
  for (let from = 0; from < parts.length; from++) {
    const folder = parts.slice(from).join("/")
    if (survey.hasFolder(folder)) return folder
  }
  return parts.length > 1 ? null : ""
}

/** A readme speaks of the folder that it lies in, other documents of the repository. */
const homeOf = (path: string): string => (isReadme(path) ? directoryOf(path).replace(/^\.github$/, "") : "")

const commandsIn =
  (survey: Survey, path: string, own: ReadonlySet<string>) =>
  ({ text, line, heading, folder: written }: ShellLine) => {
    const folder = written === "" ? homeOf(path) : folderMeant(survey, written)
    if (!isPlain(text) || folder === null) return []
    let inside: string | null = folder
    return partsOf(text).flatMap((part): ReadonlyArray<Command> => {
      const moved = /^cd ["']?([\w./-]+)["']?$/.exec(part)?.[1]
      if (moved !== undefined) inside = folderMeant(survey, written === "" ? moved : `${written}/${moved}`)
      if (inside === null) return []
      const purpose = purposeIn(part, heading, own)
      if (purpose === null) return []
      return [
        {
          purpose: narrowed(purpose, part),
          command: clip(part, 160),
          means: null,
          folder: inside,
          path,
          line,
          origin: "document"
        }
      ]
    })
  }

/** Commands that documents for contributors state, then those of the readme. */
export const documentCommands = (survey: Survey): ReadonlyArray<Command> => {
  const own = publishedNames(survey)
  return survey
    .texts(/\.(?:md|mdx|rst|adoc|txt|rdoc)$|(?:^|\/)[A-Z_]+$/i)
    .filter(({ path }) => (isReadme(path) && path.split("/").length <= 2) || isGuideForContributors(path))
    .slice(0, MAX_FILES)
    .flatMap(({ path, text }) =>
      shellIn(text)
        .flatMap(commandsIn(survey, path, own))
        .slice(0, MAX_PER_FILE)
    )
}
