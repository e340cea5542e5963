import { directoryOf } from "../../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../../structure/importGraph/jsonc.ts"
import type { ObservedFile } from "../../Observed.ts"
import type { Survey } from "../../Survey.ts"
import { isOfHelpers, type Start } from "./Start.ts"

/** Line of a call outside of all functions that have a name: it is made when the file is loaded. */
const loadedCall = ({ calls, definitions }: ObservedFile, pattern: RegExp): number | undefined =>
  calls.find(
    ([callee, , line]) =>
      pattern.test(callee) && !definitions.some((one) => one.kind === "function" && one.line <= line && line <= one.end)
  )?.[2]

const mains = ["server.js", "app.js", "index.js", "src/server.js", "src/app.js", "src/index.js"]

/** A file of Node that listens when it is loaded: what the manifest calls the main one, or by the names that are usual. */
const ofNode = (survey: Survey): ReadonlyArray<Start> => {
  const text = survey.texts(/^package\.json$/)[0]?.text
  const manifest = text === undefined ? null : parseConfiguration(text)
  if (!isRecord(manifest)) return []
  const main = typeof manifest.main === "string" ? [manifest.main.replace(/^\.\//, "")] : []
  for (const path of [...main, ...mains]) {
    const file = survey.file(path)
    if (file === null || file.role !== "source" || !/\.[cm]?js$/.test(path)) continue
    const line = loadedCall(file, /(?:^|\.)listen$/)
    if (line !== undefined) return [{ name: path, command: `node ${path}`, path, line }]
  }
  return []
}

/** The name by which Python imports a file from the root; undefined where a folder above it is no package. */
const moduleOf = (survey: Survey, path: string): string | undefined => {
  const folder = directoryOf(path)
  if (folder.includes("/") || (folder !== "" && !survey.has(`${folder}/__init__.py`))) return undefined
  return path.replace(/(?:\/__init__)?\.py$/, "").replaceAll("/", ".")
}

/** Flask finds the application of a module, or a factory by its usual name. */
const ofFlask = (survey: Survey): ReadonlyArray<Start> => {
  const files = survey.source.filter(
    ({ path, imports, calls }) =>
      path.endsWith(".py") &&
      !isOfHelpers(directoryOf(path)) &&
      imports.some(({ module, names }) => module === "flask" && names.includes("Flask")) &&
      calls.some(([callee]) => callee === "Flask")
  )
  const [file] = files
  if (file === undefined || files.length > 1) return []
  const factory = file.definitions.find(({ name }) => /^(?:create|make)_app$/.test(name))
  const line = loadedCall(file, /^Flask$/) ?? factory?.line
  const module = moduleOf(survey, file.path)
  if (line === undefined || module === undefined) return []
  return [{ name: module, command: `flask --app ${module} run`, path: file.path, line }]
}

const pasteSettings = ["development.ini", "app.ini", "production.ini"]

/** The package has an application that servers of PasteDeploy find. */
export const declaresApplication = (survey: Survey): boolean =>
  survey.texts(/^setup\.(?:py|cfg)$|^pyproject\.toml$/).some(({ text }) => /paste\.app_factory/.test(text))

/** Settings of PasteDeploy at the root with which a server starts the application that the package declares. */
const ofPaste = (survey: Survey): ReadonlyArray<Start> => {
  const path = declaresApplication(survey) ? pasteSettings.find((one) => survey.has(one)) : undefined
  return path === undefined ? [] : [{ name: path, command: `pserve ${path}`, path, line: 1 }]
}

/** Frameworks that start a file which only declares an application. */
export const frameworkStarts = (survey: Survey): ReadonlyArray<Start> => [
  ...ofNode(survey),
  ...ofFlask(survey),
  ...ofPaste(survey)
]
