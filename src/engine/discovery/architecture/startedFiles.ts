import { directoryOf, joined } from "../../core/text/paths.ts"
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
