import type { SourceFile } from "../../core/files/SourceFile.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { Style } from "../Observed.ts"

const MIN_LINES = 8
const SHARE = 0.9

const stepName = (added: string): string =>
  added === "\t" ? "tabs" : /^ +$/.test(added) ? `${added.length} spaces` : "mixed"

const indentOf = (file: SourceFile): Style["indent"] => {
  const widths = new Map<string, number>()
  let total = 0
  for (let line = 2; line <= Math.min(file.lineCount, 400); line++) {
    const [before, text] = [file.lineText(line - 1), file.lineText(line)]
    const step = /^(\s*)\S/.exec(text)?.[1] ?? ""
    const above = /^(\s*)\S/.exec(before)?.[1] ?? ""
    if (!step.startsWith(above) || step === above || /^\s*\*/.test(text) || !/[{([:]\s*$/.test(before)) continue
    const name = stepName(step.slice(above.length))
    widths.set(name, (widths.get(name) ?? 0) + 1)
    total++
  }
  const [best] = [...widths].sort((a, b) => b[1] - a[1])
  if (best === undefined || total < 3 || best[1] < total * SHARE) return null
  return best[0] === "tabs" || best[0] === "2 spaces" || best[0] === "4 spaces" ? best[0] : null
}

const isScript = (file: SourceFile) => /^(?:typescript|tsx|javascript)$/.test(file.language)

const semicolonsOf = (file: SourceFile): boolean | null => {
  let withMark = 0
  let without = 0
  for (let line = 1; line <= Math.min(file.lineCount, 400); line++) {
    const text = file.lineText(line)
    if (!/^\s*(?:const|let|var|return|import|export \*|throw)\b.*[\w)\]"'`;]\s*$/.test(text)) continue
    if (/;\s*$/.test(text)) withMark++
    else if (/^\s*(?:[})\]]|const|let|import|export|return|if|for|\/\/|$)/.test(file.lineText(line + 1))) without++
  }
  const total = withMark + without
  if (total < 4) return null
  return withMark >= total * SHARE ? true : without >= total * SHARE ? false : null
}

const quotesOf = (file: SourceFile): Style["quotes"] => {
  const tree = file.tree
  if (tree === null || !(isScript(file) || file.language === "python")) return null
  let double = 0
  let single = 0
  for (const node of tree.of("string").subarray(0, 400)) {
    const text = tree.text.slice(tree.start(node), Math.min(tree.end(node), tree.start(node) + 200))
    if (/^"""|^'''/.test(text) || text.slice(1, -1).includes("'") || text.slice(1, -1).includes('"')) continue
    if (text.startsWith('"')) double++
    else if (text.startsWith("'")) single++
  }
  const total = double + single
  if (total < 5) return null
  return double >= total * SHARE ? "double" : single >= total * SHARE ? "single" : null
}

const typedOf = (file: SourceFile): Style["typed"] => {
  if (file.language !== "python") return [0, 0]
  let [typed, total] = [0, 0]
  for (const { node, body, parameters } of functions(file)) {
    if (body === NONE || !file.tree!.is(node, "function_definition")) continue
    const own = parameters.filter(({ name }) => !/^(?:self|cls|\*.*)$/.test(name))
    const isTyped = file.tree!.child(node, "return_type") !== NONE && own.every(({ type }) => type !== null)
    total++
    if (isTyped) typed++
  }
  return [typed, total]
}

export const styleOf = (file: SourceFile): Style | null => {
  if (file.lineCount < MIN_LINES || file.role === "generated" || file.role === "minified") return null
  return {
    indent: indentOf(file),
    quotes: quotesOf(file),
    semicolons: isScript(file) ? semicolonsOf(file) : null,
    typed: typedOf(file)
  }
}
