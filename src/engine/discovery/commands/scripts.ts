import { escape as escapeRegExp } from "effect/RegExp"
import { directoryOf } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import { clip } from "../Observed.ts"
import { packageManagersOf } from "../profile/manifests.ts"
import { lineOf, type Survey } from "../Survey.ts"
import type { Command } from "./Command.ts"
import { isMinorIn } from "./packageInstalls.ts"
import { lacksSources } from "./programs/lackedSources.ts"
import { missingFile, startsLibrary } from "./programs/missingFiles.ts"
import { partsOf, purposeOfScript, purposeOfText } from "./words.ts"

const MAX_MANIFESTS = 60

/** Package manager of a folder's scripts: as `packageManager` states, by the lock file beside it, or by that of the root. */
export const scriptRunner = (survey: Survey, folder: string): "npm" | "pnpm" | "yarn" | "bun" => {
  const stated = survey
    .texts(/(?:^|\/)package\.json$/)
    .map(
      ({ path, text }) => [directoryOf(path), /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(text)?.[1]] as const
    )
    .find(([where, name]) => name !== undefined && (where === folder || where === ""))?.[1]
  if (stated !== undefined) return stated as "npm" | "pnpm" | "yarn" | "bun"
  const names = packageManagersOf(survey, folder)
    .filter(({ file_path }) => !file_path.endsWith("package.json"))
    .concat(packageManagersOf(survey))
    .map(({ name }) => name)
  return names.includes("pnpm") ? "pnpm" : names.includes("Yarn") ? "yarn" : names.includes("Bun") ? "bun" : "npm"
}

const scriptText = (value: unknown): string | null => {
  if (typeof value === "string") return value
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join(" && ") : null
}

/** As people write it: `npm test`, `npm run build`, `yarn build`. */
const invocation = (runner: string, name: string): string => {
  if (runner === "npm" || runner === "bun")
    return runner === "npm" && /^(?:test|start)$/.test(name) ? `npm ${name}` : `${runner} run ${name}`
  return runner === "pnpm" && !/^(?:test|start)$/.test(name) ? `pnpm run ${name}` : `${runner} ${name}`
}

const escaped = (name: string): RegExp => new RegExp(`"${escapeRegExp(name)}"\\s*:\\s*["[{]`)

/** Line of a key inside of the object that another key begins. */
const lineOfKey = (text: string, object: string, key: string): number => {
  const from = Math.max(0, text.search(escaped(object)))
  const within = lineOf(text.slice(from), escaped(key))
  return within === null ? 1 : within + text.slice(0, from).split("\n").length - 1
}

interface ScriptFile {
  readonly pattern: RegExp
  readonly key: string
  readonly manager: string
  readonly commandIn: (survey: Survey, folder: string) => (name: string) => string
}

const scriptFiles: ReadonlyArray<ScriptFile> = [
  {
    pattern: /(?:^|\/)package\.json$/,
    key: "scripts",
    manager: "npm",
    commandIn: (survey, folder) => {
      const runner = scriptRunner(survey, folder)
      return (name) => invocation(runner, name)
    }
  },
  {
    pattern: /(?:^|\/)composer\.json$/,
    key: "scripts",
    manager: "Composer",
    commandIn: () => (name) =>
      `composer ${/^(?:test|lint|format|phpstan|cs\S*)$/.test(name) ? "" : "run-script "}${name}`
  },
  { pattern: /(?:^|\/)deno\.jsonc?$/, key: "tasks", manager: "Deno", commandIn: () => (name) => `deno task ${name}` }
]

/** To look for what one of them starts with is to go through all texts. */
const MAX_STARTS = 20

/** What is not there, or a file that only exports. */
export const startsNothing = (survey: Survey, folder: string, purpose: Command["purpose"], means: string): boolean =>
  lacksSources(survey, folder, purpose, means) ||
  (/^(?:run|test)$/.test(purpose) && startsLibrary(survey, folder, means))

/** npm writes this where no one wrote a test. */
const placeholder = /no test specified/

export const scriptCommands = (survey: Survey): ReadonlyArray<Command> => {
  const isMinor = isMinorIn(survey)
  return scriptFiles.flatMap(({ pattern, key, manager, commandIn }) =>
    survey
      .sourceTexts(pattern)
      .slice(0, MAX_MANIFESTS)
      .flatMap(({ path, text }) => {
        const scripts = parseConfiguration(text)?.[key]
        if (!isRecord(scripts)) return []
        const folder = directoryOf(path)
        const command = commandIn(survey, folder)
        const texts = Object.values(scripts).flatMap((value) => scriptText(value) ?? [])
        let looked = 0
        const lacking = (means: string): Pick<Command, "lacks"> => {
          const lacks = looked++ < MAX_STARTS ? missingFile(survey, folder, means, texts) : undefined
          return lacks === undefined ? {} : { lacks }
        }
        const stated = Object.entries(scripts).flatMap(([name, value]): ReadonlyArray<Command> => {
          const means = scriptText(value)
          if (means === null || placeholder.test(means) || !/^[\w:.-]{1,60}$/.test(name)) return []
          const purpose = purposeOfScript(name, means)
          if (purpose === null || startsNothing(survey, folder, purpose, means)) return []
          const line = lineOfKey(text, key, name)
          return [
            {
              ...(purpose === "run" ? lacking(means) : {}),
              purpose,
              command: command(name),
              means: clip(means, 140),
              runs: means,
              folder,
              path,
              line,
              origin: "script",
              isMinor: isMinor(manager)
            }
          ]
        })
        const hooks = (names: ReadonlyArray<string>, purpose: Command["purpose"]): ReadonlyArray<Command> =>
          names.flatMap((name): ReadonlyArray<Command> => {
            const means = scriptText(scripts[name])
            if (means === null) return []
            const line = lineOfKey(text, key, name)
            const common = { folder, path, line, origin: "script", isMinor: isMinor(manager) } as const
            return [{ purpose, command: command(name), means: clip(means, 140), runs: means, ...common }]
          })
        const ofHooks = hooks(["pretest", "posttest"], "test")
        const preparing = hooks(["prepack", "prepare", "prepublishOnly"], "build")
        // What a hook asks of a script that builds nothing here is as idle.
        const ofBuild = "build" in scripts ? [] : buildOfHooks(stated, preparing)
        return [...stated, ...linterOfTests(stated, ofHooks), ...ofBuild]
      })
  )
}

/** `prepack` or `prepare` that compiles is what builds a package that has no script for that alone. */
const buildOfHooks = (stated: ReadonlyArray<Command>, hooks: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  stated.some(({ purpose }) => purpose === "build")
    ? []
    : hooks.filter(({ means }) => purposeOfText(means ?? "") === "build").slice(0, 1)

const linter = /^(?:standard|xo|eslint|semistandard|jshint|tslint|biome|oxlint)(?:\s|$)/

/** `standard && mocha`: a package whose tests begin with a linter, or have one run before them, has no script for that. */
const linterOfTests = (stated: ReadonlyArray<Command>, ofHooks: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  if (stated.some(({ purpose }) => /^(?:lint|check)$/.test(purpose))) return []
  return [...stated, ...ofHooks]
    .flatMap((one): ReadonlyArray<Command> => {
      const part = one.purpose === "test" ? partsOf(one.means ?? "").find((line) => linter.test(line)) : undefined
      return part === undefined ? [] : [{ ...one, purpose: "lint", command: `npx ${part}`, runs: part }]
    })
    .slice(0, 1)
}
