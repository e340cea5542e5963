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

/** Whether another package manager's language has half as many lines again. */
const minorAmong = (survey: Survey, managers: ReadonlyArray<string>): ((name: string) => boolean) => {
  const linesOf = (name: string): number => {
    const languages = languagesOf.find(([manager]) => manager.test(name))?.[1]
    return survey.source.reduce(
      (sum, { language, lines }) => (languages?.test(language) === true ? sum + lines : sum),
      0
    )
  }
  const counts = new Map(managers.map((name) => [name, linesOf(name)]))
  const most = Math.max(0, ...counts.values())
  return (name) => 1.5 * (counts.get(name) ?? 0) < most
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

/** How the package managers that have a lock file or a manifest in a folder install what it needs. */
export const packageInstalls = (survey: Survey, root: string): ReadonlyArray<Command> => {
  const managers = packageManagersOf(survey, root)
  const isMinor = minorAmong(
    survey,
    managers.map(({ name }) => name)
  )
  return managers.flatMap(({ name, file_path }): ReadonlyArray<Command> => {
    const command = name === "Composer" && needsOnlyPhp(survey, file_path) ? undefined : installOf(name, file_path)
    return command === undefined
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
