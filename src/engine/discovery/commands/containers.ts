import { directoryOf, joined } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import { clip } from "../Observed.ts"
import { lineOf, type Survey } from "../Survey.ts"
import type { Command } from "./Command.ts"
import { partsOf, purposeOfLine } from "./words.ts"

const servicesIn = (text: string): string => /^services:[^\n]*\n((?:(?:[ #][^\n]*)?\n)*)/m.exec(`${text}\n`)?.[1] ?? ""

/** Neither what tests start, nor a dashboard or another part's needs somewhere below. */
const isForPeople = (services: string): boolean => {
  const built = [...services.matchAll(/^\s+(?:dockerfile|build|context):[ \t]*(\S+)/gm)].map(([, where]) => where!)
  const isForTests =
    built.length > 0 && built.some((one) => inTests.test(one)) && built.every((one) => inTests.test(one) || one === ".")
  // A service may be called `build`; as a key of one it stands further in.
  return !isForTests && /^(?: {4,}|\t\t)build:/m.test(services)
}

const inTests = /(?:^|\/)(?:tests?|e2e|ci)\/|^(?:\.\/)?\.[a-z]/

/** Containers to develop or to test in hold tools, and start nothing of ours. */
const isOfDevelopment = /(?:^|\/)(?:\.devcontainer|\.github|\.ci|\.vscode)\//

/** Services that a compose file builds from this repository: what only starts databases runs nothing of ours. */
const composed = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .sourceTexts(/(?:^|\/)(?:docker-)?compose\.ya?ml$/)
    .map(({ path, text }) => ({ path, text, services: servicesIn(text) }))
    .filter(({ path, services }) => !isOfDevelopment.test(path) && isForPeople(services))
    .slice(0, 3)
    .map(({ path, text, services }): Command => {
      const names = [...services.matchAll(/^ {2,4}([\w-]{1,40}):\s*$/gm)].map(([, name]) => name)
      return {
        purpose: "run",
        command: `docker compose${path.includes("/") ? ` -f ${path}` : ""} up`,
        means: `services: ${names.slice(0, 8).join(", ")}`,
        folder: "",
        path,
        line: lineOf(text, /^services:/m) ?? 1,
        origin: "container"
      }
    })

/** Where a path of `COPY` begins: a pattern stands for what its folder holds. */
const plainSource = (written: string): string =>
  written
    .replace(/^["[]+|["\],]+$/g, "")
    .replace(/^\.?\//, "")
    .replace(/\/?[^/]*[*?].*$|\/+$/g, "")

/**
 * An image of the repository takes what lies at its root. One in a folder that takes only what lies beside its Dockerfile is
 * that of a part or a helper, and a template is filled in elsewhere.
 */
const takesSources = (survey: Survey, path: string, text: string): boolean => {
  if (/\[%|<%|\{\{/.test(text)) return false
  const folder = directoryOf(path)
  if (folder === "") return true
  const sources = [...text.matchAll(/^(?:COPY|ADD)\s+(?!.*--from)(?:--\S+\s+)*(.+)\s\S+$/gm)]
    .flatMap(([, list]) => list!.split(/\s+/))
    .map(plainSource)
  return sources.some(
    (source) =>
      (source === "" && !folder.startsWith(".")) ||
      (source !== "" &&
        (survey.has(source) || survey.hasFolder(source)) &&
        !survey.has(joined(folder, source)) &&
        !survey.hasFolder(joined(folder, source)))
  )
}

const images = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .sourceTexts(/(?:^|\/)(?:Docker|Container)file$/)
    .filter(
      ({ path, text }) =>
        !/(?:^|\/)(?:ci|\.ci|\.github|debian|hack|tools?)\//.test(path) &&
        /^(?:COPY|ADD)\s/m.test(text) &&
        takesSources(survey, path, text)
    )
    .slice(0, 4)
    .map(({ path, text }): Command => {
      const start = /^(?:ENTRYPOINT|CMD)\s+(.{1,120})$/m.exec(text)
      return {
        purpose: "build",
        command: `docker build${path === "Dockerfile" ? "" : ` -f ${path}`} .`,
        means: start === null ? null : clip(start[0], 120),
        folder: "",
        path,
        line: lineOf(text, /^FROM\b/m) ?? 1,
        origin: "container"
      }
    })

const writtenIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (Array.isArray(value)) return [value.join(" ")]
  return isRecord(value) ? Object.values(value).filter((one) => typeof one === "string") : []
}

/** `postCreateCommand` and its like are how the repository sets itself up. */
const devContainers = (survey: Survey): ReadonlyArray<Command> =>
  survey.texts(/(?:^|\/)\.?devcontainer\.json$/).flatMap(({ path, text }) => {
    const settings = parseConfiguration(text)
    return ["onCreateCommand", "updateContentCommand", "postCreateCommand", "postStartCommand"].flatMap(
      (key): ReadonlyArray<Command> => {
        return writtenIn(settings?.[key])
          .flatMap(partsOf)
          .map((part) => ({
            purpose: purposeOfLine(part) ?? ("install" as const),
            command: clip(part, 140),
            means: `\`${key}\` of the development container`,
            folder: "",
            path,
            line: lineOf(text, `"${key}"`) ?? 1,
            origin: "container" as const
          }))
      }
    )
  })

/** `web: bundle exec puma` is the product; what is done for each release is no process, and workers serve the pages. */
const processes = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .texts(/(?:^|\/)Procfile(?:\.dev)?$/)
    .slice(0, 2)
    .flatMap(({ path, text }) => {
      const all = [...text.matchAll(/^([\w-]{1,30}):\s+(\S[^\n]{0,160})$/gm)]
        .slice(0, 6)
        .filter(([, name]) => name !== "release")
      const hasPages = all.some(([, name]) => name === "web")
      return all.map(
        (match): Command => ({
          purpose: "run",
          command: clip(match[2]!, 140),
          means: `process \`${match[1]}\``,
          folder: "",
          path,
          line: text.slice(0, match.index).split("\n").length,
          origin: "container",
          ...(hasPages && match[1] !== "web" ? { isMinor: true } : {})
        })
      )
    })

export const containerCommands = (survey: Survey): ReadonlyArray<Command> => [
  ...composed(survey),
  ...images(survey),
  ...devContainers(survey),
  ...processes(survey)
]
