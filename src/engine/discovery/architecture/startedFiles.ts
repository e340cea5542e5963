import { directoryOf, joined } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

/** A container's start, or a line of a Procfile for what answers the web. */
const starts: ReadonlyArray<readonly [files: RegExp, line: RegExp]> = [
  [/^(?:docker\/)?(?:Dockerfile|Containerfile)$/, /^(?:CMD|ENTRYPOINT)\s+(.+)$/gm],
  [/^Procfile$/, /^web:\s*(.+)$/gm]
]

const isScript = /^[\w./-]+\.(?:py|pyw|js|mjs|cjs|ts|rb|php|pl|lua)$/

/** A file by the end of the path that it has in the container. */
const fileMeant = (survey: Survey, folder: string, written: string): string | undefined => {
  const parts = written.replace(/^(?:\.?\/)+/, "").split("/")
  return parts
    .map((_, index) => parts.slice(index).join("/"))
    .flatMap((path) => [path, joined(folder, path)])
    .find((path) => survey.file(path)?.role === "source")
}

const isRunner = /^(?:node|nodejs|nodemon|ts-node|ts-node-dev|tsx|bun|pm2-runtime)$/

/** The file that a command starts with Node or its like: `NODE_ENV=production node dist/server.js`. */
const fileStarted = (command: string): string | undefined => {
  const words = command.split(/[\s"']+/)
  const from = words.findIndex((word) => isRunner.test(word))
  const file = from < 0 ? undefined : words.slice(from + 1).find((word) => /^[\w./-]+\.[cm]?[jt]s$/.test(word))
  return file?.replace(/^\.\//, "")
}

/** What serves those who work on the repository. */
const isOfScripts = /(?:^|\/)(?:scripts?|tools?|build|config|dev)\/[^/]+$/

/** The source of a file that a compiler writes below another folder. */
const sourceIn = (survey: Survey, built: string): string | undefined =>
  [
    built.replace(/(^|\/)(?:dist|build|lib|out)\/src\//, "$1src/"),
    built.replace(/(^|\/)(?:dist|build|lib|out)\//, "$1src/"),
    built
  ]
    .flatMap((path) => [path.replace(/\.([cm]?)js$/, ".$1ts"), path])
    .find((path) => survey.file(path)?.role === "source")

/** The file that the script `start` of the root's package runs. */
export const startedByScript = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey.sourceTexts(/^package\.json$/).flatMap(({ path, text }) => {
    const scripts = parseConfiguration(text)?.scripts
    const start = isRecord(scripts) ? scripts.start : undefined
    const file = typeof start === "string" ? fileStarted(start) : undefined
    const found = file === undefined ? undefined : sourceIn(survey, file)
    return found === undefined || isOfScripts.test(found)
      ? []
      : [{ file_path: found, line: 1, why: `started by \`npm start\`, by ${path}` }]
  })

/** Files of the sources that a container or a Procfile starts. */
export const startedFiles = (survey: Survey): ReadonlyArray<EntryPoint> =>
  starts.flatMap(([files, line]) =>
    survey.texts(files).flatMap(({ path, text }) =>
      [...text.matchAll(line)].flatMap(([, command]) => {
        const written = command!.split(/[\s,"'[\]]+/).find((word) => isScript.test(word))
        const found = written === undefined ? undefined : fileMeant(survey, directoryOf(path), written)
        return found === undefined ? [] : [{ file_path: found, line: 1, why: `started by ${path}` }]
      })
    )
  )

/** The application of Ember, which its page starts when it is loaded. */
export const emberApplications = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey.source
    .filter(
      (file) =>
        /(?:^|\/)app\/app\.[jt]s$/.test(file.path) &&
        file.has("imports") &&
        file.imports.some(({ module }) => module === "@ember/application")
    )
    .map(({ path }) => ({ file_path: path, line: 1, why: "the application of Ember, which its page starts" }))
