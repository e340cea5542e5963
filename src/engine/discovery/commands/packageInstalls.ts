import { programLanguage } from "../../core/files/programLanguage.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import { packageManagersOf } from "../profile/manifests.ts"
import type { Survey } from "../Survey.ts"
import type { Command } from "./Command.ts"

const installs: Readonly<Record<string, string>> = {
  npm: "npm install",
  pnpm: "pnpm install",
  Yarn: "yarn install",
  Bun: "bun install",
  uv: "uv sync",
  Poetry: "poetry install",
  PDM: "pdm install",
  Pipenv: "pipenv install --dev",
  Bundler: "bundle install",
  Composer: "composer install",
  "Go modules": "go mod download"
}

const installOf = (name: string, file: string): string | undefined => {
  if (name === "npm") return /package-lock\.json$|shrinkwrap\.json$/.test(file) ? "npm ci" : "npm install"
  if (name !== "pip") return installs[name]
  return file.endsWith("requirements.txt") ? "pip install -r requirements.txt" : "pip install -e ."
}

const languagesOf: ReadonlyArray<readonly [manager: RegExp, languages: RegExp]> = [
  [/^(?:npm|pnpm|Yarn|Bun)$/, /^(?:javascript|typescript|tsx|vue|svelte)$/],
  [/^(?:uv|Poetry|PDM|Pipenv|pip)$/, /^python$/],
  [/^Bundler$/, /^ruby$/],
  [/^Composer$/, /^php$/],
  [/^Go modules$/, /^go$/]
]

/** Share of the lines that a package manager's language has of those of the language that most is written in; at most 1. */
const shareOf = (survey: Survey): ((manager: string) => number) => {
  const counts = new Map<string, number>()
  for (const { path, language, lines } of survey.source) {
    const name = programLanguage(path, language)
    if (name !== null) counts.set(language, (counts.get(language) ?? 0) + lines)
  }
  const most = Math.max(0, ...counts.values())
  return (manager) => {
    const languages = languagesOf.find(([names]) => names.test(manager))?.[1]
    if (languages === undefined || most === 0) return 1
    const own = [...counts].reduce((sum, [language, lines]) => (languages.test(language) ? sum + lines : sum), 0)
    return Math.min(1, own / most)
  }
}

const MIN_SHARE = 2 / 3
const MIN_SHARE_OF_PART = 0.1

/** Whether another language has half as many lines again as that of the package manager. */
export const isMinorIn = (survey: Survey): ((manager: string) => boolean) => {
  const share = shareOf(survey)
  const servesPages = isOfPages(survey, share)
  return (manager) => share(manager) < MIN_SHARE || (servesPages && /^(?:npm|pnpm|Yarn|Bun)$/.test(manager))
}

const MIN_SHARE_OF_SERVER = 0.4

const servers: ReadonlyArray<readonly [manager: string, file: RegExp]> = [
  ["pip", /^(?:pyproject\.toml|setup\.py|requirements\.txt|Pipfile)$/],
  ["Bundler", /^Gemfile$/],
  ["Composer", /^composer\.json$/],
  ["Go modules", /^go\.mod$/]
]

/**
 * A package that is nothing to start, load or call, beside the manifest of a server that has much of the code: what it builds are
 * the pages that the server sends.
 */
const isOfPages = (survey: Survey, share: (manager: string) => number): boolean => {
  const text = survey.texts(/^package\.json$/)[0]?.text
  const manifest = text === undefined ? null : parseConfiguration(text)
  if (!isRecord(manifest)) return false
  const { scripts } = manifest
  const isProduct = ["bin", "main", "exports", "module"].some((key) => key in manifest)
  if (isProduct || (isRecord(scripts) && "start" in scripts)) return false
  return servers.some(([manager, file]) => survey.rootFile(file) !== undefined && share(manager) >= MIN_SHARE_OF_SERVER)
}

/** PHP and its extensions are there, or they are not: Composer installs none of them. */
const needsOnlyPhp = (survey: Survey, path: string): boolean => {
  const manifest = parseConfiguration(
    survey.texts(/(?:^|\/)composer\.json$/).find((one) => one.path === path)?.text ?? ""
  )
  const { require: needed, "require-dev": forWork } = manifest ?? {}
  return (
    isRecord(needed) && !isRecord(forWork) && Object.keys(needed).every((name) => /^(?:php|ext-[\w-]+)$/.test(name))
  )
}

/** A `setup.py` of ROS, which only catkin calls, with values of its own. */
export const isOfCatkin = (text: string): boolean => /\bcatkin_pkg\b/.test(text)

const isForCatkin = (survey: Survey, file: string): boolean =>
  file.endsWith("setup.py") && isOfCatkin(survey.file(file)?.text ?? "")

/** How the package managers that have a lock file or a manifest in a folder install what it needs. */
export const packageInstalls = (survey: Survey, root: string): ReadonlyArray<Command> => {
  const managers = packageManagersOf(survey, root)
  const share = shareOf(survey)
  const isMinor = isMinorIn(survey)
  // Where each of them is for a smaller part, none installs what the whole needs.
  if (managers.every(({ name }) => isMinor(name))) return []
  return managers.flatMap(({ name, file_path }): ReadonlyArray<Command> => {
    const command = name === "Composer" && needsOnlyPhp(survey, file_path) ? undefined : installOf(name, file_path)
    // What helpers need is not what the program needs.
    const isOfHelpers = share(name) < MIN_SHARE_OF_PART || (isMinor(name) && file_path.endsWith("requirements.txt"))
    return command === undefined || isOfHelpers || isForCatkin(survey, file_path)
      ? []
      : [
          {
            purpose: "install",
            command,
            means: null,
            folder: root,
            path: file_path,
            line: 1,
            origin: "convention",
            isMinor: isMinor(name)
          }
        ]
  })
}
