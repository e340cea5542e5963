import { escape as escapeRegExp } from "effect/RegExp"
import { directoryOf } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import { clip } from "../Observed.ts"
import { lineOf, type Survey } from "../Survey.ts"
import type { Command } from "./Command.ts"
import { rustPrograms } from "./programs/rustPrograms.ts"
import { titleWords } from "./programs/titleWords.ts"
import { sectionsOf } from "./python.ts"
import { scriptRunner } from "./scripts.ts"
import { purposeOfScript } from "./words.ts"

/** Names that Cargo is given for longer commands. */
export const cargoAliases = (survey: Survey): ReadonlyArray<Command> =>
  survey.texts(/(?:^|\/)\.cargo\/config(?:\.toml)?$/).flatMap(({ path, text }) =>
    sectionsOf(text)
      .filter(({ name }) => name === "alias")
      .flatMap(({ lines }) =>
        lines.flatMap(([line, written]): ReadonlyArray<Command> => {
          const [, name, value] = /^([\w-]+)\s*=\s*(.+)$/.exec(written) ?? []
          if (name === undefined) return []
          const means = `cargo ${[...value!.matchAll(/["']([^"']+)["']/g)].map(([, word]) => word).join(" ")}`
          const purpose = purposeOfScript(name, means)
          return purpose === null
            ? []
            : [
                {
                  purpose,
                  command: `cargo ${name}`,
                  means: clip(means, 140),
                  runs: means,
                  folder: directoryOf(directoryOf(path)),
                  path,
                  line,
                  origin: "script"
                }
              ]
        })
      )
  )

/** `make` of Go projects aside, `//go:generate` says that there is something to generate. */
export const goGenerate = (survey: Survey): ReadonlyArray<Command> =>
  survey.source
    .filter((file) => file.language === "go" && file.generates !== 0)
    .slice(0, 1)
    .map(({ path, generates }) => ({
      purpose: "generate",
      command: "go generate ./...",
      means: null,
      folder: "",
      path,
      line: generates,
      origin: "target"
    }))

const MAX_PROGRAMS = 4
/** A language of which there is less than this is that of a helper. */
const MIN_SHARE = 0.2

/** A package of Go that is built as a library for C or another language. */
const ofBindings = /(?:^|\/)(?:[\w-]+[-_])?bindings?\/|(?:^|\/)(?:capi|c-?shared|c-?archive)\//

const cmd = /(?:^|\/)cmd\/([\w.-]+)\/[^/]+$/

/** Names of the product as its folder below `cmd/` has them: `jsonnet` of `go-jsonnet`. */
const bareNames = (survey: Survey): ReadonlySet<string> => {
  const module = /^module\s+(\S+)/m.exec(survey.texts(/^go\.mod$/)[0]?.text ?? "")?.[1] ?? ""
  const own = module
    .replace(/\/v\d+$/, "")
    .split("/")
    .at(-1)!
    .toLowerCase()
  return new Set([own, own.replace(/^go[-_.]|[-_.]go$/, "")])
}

/** What calls C may only export to it, where another program does not. */
const withoutExports = (files: Survey["source"]): Survey["source"] => {
  const others = files.filter(({ imports }) => !imports.some(({ module }) => module === "C"))
  return others.length === 0 ? files : others
}

/** Of several programs the only one that Makefiles and documents name. */
const onlyNamed = (survey: Survey, names: ReadonlyArray<string>): string | undefined => {
  if (names.length < 2) return undefined
  const texts = survey.texts(/^(?:(?:GNUm|[Mm])akefile|\.goreleaser\.ya?ml|(?:README|RELEASE|CONTRIBUTING)[\w.]*)$/i)
  const named = names.filter((name) => {
    const word = new RegExp(`(?<![\\w-])${escapeRegExp(name)}(?!\\w)`)
    return texts.some(({ text }) => word.test(text))
  })
  return named.length === 1 ? named[0] : undefined
}

/** What another program loads ends at once where a person starts it. */
const servesPlugin = /^(?:plugin|tf[56]server|providerserver)\.Serve(?:Multiplex)?$/

/** Programs that `cargo run` and `go run` start, where a file of the sources says that it is one. */
export const programs = (survey: Survey): ReadonlyArray<Command> => {
  const common = { purpose: "run", means: null, origin: "convention" } as const
  const lines = (files: Survey["source"]) => files.reduce((sum, file) => sum + file.lines, 0)
  const hasGo = lines(survey.source.filter(({ language }) => language === "go")) >= MIN_SHARE * lines(survey.source)
  const started = survey.source.filter(
    ({ path, language, isEntryPoint, calls }) =>
      language === "go" &&
      isEntryPoint > 0 &&
      !calls.some(([callee]) => servesPlugin.test(callee)) &&
      hasGo &&
      !ofBindings.test(path) &&
      !/(?:^|\/)(?:_?tools?|hack|scripts?|internal|ci|build|debian|tests?|test(?:case|data)s?|e2e|examples?|_examples?|bench\w*)\/|(?:^|\/)cmd\/gen[a-z]*\//.test(
        path
      )
  )
  const own = bareNames(survey)
  const below = [...new Set(started.flatMap(({ path }) => cmd.exec(path)?.[1] ?? []))]
  const meant = below.some((name) => own.has(name.toLowerCase())) ? undefined : onlyNamed(survey, below)
  const isOwn = (name: string | undefined): boolean =>
    name !== undefined && (own.has(name.toLowerCase()) || name === meant)
  const go = withoutExports(started).map(({ path, isEntryPoint }) => {
    const folder = survey.above(path, "go.mod") ?? ""
    const below = directoryOf(path).slice(folder === "" ? 0 : folder.length + 1)
    return {
      ...common,
      command: `go run ${below === "" ? "." : `./${below}`}`,
      folder,
      path,
      line: isEntryPoint,
      isMain: isOwn(cmd.exec(path)?.[1])
    }
  })
  const rust = rustPrograms(survey).map((program) => ({ ...common, ...program }))
  const names = titleWords(survey)
  const isNamesake = ({ path, isMain }: Pick<Command, "path" | "isMain">) =>
    isMain === true || path.split("/").some((part) => names.has(part.toLowerCase()))
  const seen = new Set<string>()
  return [...go, ...rust]
    .sort((a, b) => Number(isNamesake(b)) - Number(isNamesake(a)))
    .filter(({ command, folder }) => {
      const key = `${folder}\n${command}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, MAX_PROGRAMS)
}

/** The program that a manifest of npm names, where its file is in the tree and not made by a build. */
export const packagedProgram = (survey: Survey): ReadonlyArray<Command> => {
  const text = survey.texts(/^package\.json$/)[0]?.text
  const manifest = text === undefined ? null : parseConfiguration(text)
  if (text === undefined || manifest === null) return []
  const { bin, name } = manifest
  const own = typeof name === "string" ? name.split("/").at(-1)! : ""
  const file = typeof bin === "string" ? bin : isRecord(bin) ? (bin[own] ?? Object.values(bin)[0]) : null
  const path = typeof file === "string" ? file.replace(/^\.\//, "") : ""
  const common = { purpose: "run", means: null, folder: "", origin: "convention", path: "package.json" } as const
  const line = lineOf(text, /"bin"\s*:/) ?? 1
  const isThere =
    survey.has(path) &&
    (survey.file(path)?.exportsAlone ?? 0) === 0 &&
    /^(?:javascript|typescript|other|text)$/.test(survey.file(path)?.language ?? "other")
  if (isThere) return [{ ...common, command: `node ${path}`, line }]
  const build = builtBy(survey, manifest.scripts, path)
  return build === null ? [] : [{ ...common, command: `${build} && node ${path}`, line }]
}

/** The script that makes a program of a source of the same name: `dist/cli.js` of `src/cli.ts`. */
const builtBy = (survey: Survey, scripts: unknown, path: string): string | null => {
  const name = /^(?:dist|build|lib|out)\/(?:[\w.-]+\/)*?([\w-]+)\.[cm]?js$/.exec(path)?.[1]
  if (name === undefined || survey.has(path) || !isRecord(scripts) || !("build" in scripts)) return null
  const below = path.slice(path.indexOf("/") + 1).replace(/\.[cm]?js$/, "")
  const isMade = [below, name].some((one) => ["ts", "mts", "js", "mjs"].some((end) => survey.has(`src/${one}.${end}`)))
  const runner = scriptRunner(survey, "")
  return isMade ? `${runner}${runner === "yarn" ? "" : " run"} build` : null
}
