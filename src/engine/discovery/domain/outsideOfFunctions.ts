import type { Definition, ObservedFile } from "../Observed.ts"

/** A class of Python within a function serves that function. */
export const outsideOfFunctions = (file: ObservedFile): ReadonlyArray<Definition> => {
  if (file.language !== "python") return file.declared
  const functions = file.declared.filter(({ kind }) => kind === "function")
  return file.declared.filter(
    (one) => one.kind === "function" || !functions.some(({ line, end }) => line < one.line && one.line <= end)
  )
}
