import type { SourceFile } from "../../core/files/SourceFile.ts"
import { calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"

const ofNode = /^(?:javascript|typescript|tsx)$/
const exported = /^[ \t]*(?:module\.exports\b|exports\.\w|export[ \t{*])/m

/** Calls by which a module is put together, and not yet used. */
const assembles = /^(?:require(?:\.\w+)?|Object\.\w+|Symbol(?:\.\w+)?|(?:util\.)?inherits|path\.\w+|__\w+|_interop\w+)$/

/** What runs a module only where it is the one that was started. */
const asksWhetherStarted = /\brequire\.main\b|\bimport\.meta\.main\b|\bmodule\.parent\b/

/**
 * Line of the first export of a file of Node that declares and exports when it is loaded, and calls nothing: the process ends where it
 * is started. 0 for others.
 */
export const exportsAlone = (file: SourceFile): number => {
  if (file.role !== "source" || !ofNode.test(file.language) || asksWhetherStarted.test(file.text)) return 0
  const at = file.text.search(exported)
  const isIdle = ({ callee, isNew, node }: ReturnType<typeof calls>[number]): boolean =>
    enclosingFunction(file, node) !== null ||
    (isNew ? !file.tree!.is(file.tree!.parent(node), "expression_statement") : assembles.test(callee))
  return at >= 0 && calls(file).every(isIdle) ? file.line(at) : 0
}
