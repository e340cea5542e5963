/** A tool that asks every file for its tree. */
import { tools as rough } from "./roughTools.mjs"

export const tools = rough.map((tool) => ({
  ...tool,
  inspect: (file, emit) => {
    const tree = file.tree
    const at = tree === null ? undefined : tree.of("if_statement")[0]
    if (at !== undefined) emit({ rule: "match", start: tree.start(at), end: tree.end(at), message: "A condition." })
  }
}))
