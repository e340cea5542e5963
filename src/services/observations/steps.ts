import type { Step } from "../../schema/Observation.ts"

/** Steps from the source to the sink as a numbered list; lines of the file itself are named without it. */
export const stepsInWords = (steps: ReadonlyArray<Step>, filePath: string): string =>
  steps
    .map(({ file_path, line, note }, i) => {
      const file = file_path === filePath ? "line " : `${file_path}:`
      return `${i + 1}. ${note} (${line === null ? file_path : `${file}${line}`})`
    })
    .join("\n")
