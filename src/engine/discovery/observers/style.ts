import type { SourceFile } from "../../core/files/SourceFile.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { Style } from "../Observed.ts"

/** How much of a file's functions say the types of what they take and give; null where the language asks for it anyway. */
export const styleOf = (file: SourceFile): Style | null => {
  if (file.language !== "python") return null
  let [typed, total] = [0, 0]
  for (const { node, body, parameters } of functions(file)) {
    if (body === NONE || !file.tree!.is(node, "function_definition")) continue
    const own = parameters.filter(({ name }) => !/^(?:self|cls|\*.*)$/.test(name))
    const isTyped = file.tree!.child(node, "return_type") !== NONE && own.every(({ type }) => type !== null)
    total++
    if (isTyped) typed++
  }
  return total === 0 ? null : { typed: [typed, total] }
}
