import type { SourceFile } from "../core/files/SourceFile.ts"
import {
  type Call,
  calls,
  type FunctionInfo,
  functions,
  importedNames,
  imports
} from "../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../languages/tree/FlatTree.ts"

export const functionKinds = [
  "arrow_function",
  "function_expression",
  "function_declaration",
  "method_definition",
  "generator_function",
  "generator_function_declaration"
]

/** `const [name, setter] = useState(initial)`. */
export interface State {
  readonly name: string
  readonly setter: string | null
  readonly initial: number
}

/** A function component or a hook of one's own. */
export interface Component {
  readonly info: FunctionInfo
  readonly name: string
  readonly states: ReadonlyArray<State>
  /** Names that its first parameter takes apart. */
  readonly props: ReadonlySet<string>
  /** The whole first parameter, as in `(props) =>`. */
  readonly propsName: string | null
}

const react = /^(?:react|preact|preact\/(?:hooks|compat)|next(?:\/.*)?|react-native|@wordpress\/element)$/
const otherJsx = /^(?:solid-js|@builder\.io\/qwik|hono|vue|lit|mithril|inferno|@stencil\/core|@kitajs|voby|million)/

/** Whether JSX and hooks in this file are React's, or those of something with the same rules. */
const computeReact = (file: SourceFile): boolean => {
  const modules = imports(file)
  if (modules.some(({ module }) => otherJsx.test(module))) return false
  return /\.[jt]sx$/.test(file.path) || modules.some(({ module }) => react.test(module))
}
export const isReact = (file: SourceFile): boolean => file.memo(computeReact, computeReact)

const hookName = /^(?:React\.)?use[A-Z]\w*$/

export const isHook = (call: Call): boolean => !call.isNew && hookName.test(call.callee)

/** Short name of one of React's own hooks; null for others of that name. */
export const reactHook = (file: SourceFile, call: Call): string | null => {
  if (!isHook(call)) return null
  if (call.callee.startsWith("React.")) return call.method
  const origin = importedNames(file).get(call.callee)
  return origin !== undefined && react.test(origin.module) ? origin.imported : null
}

export const enclosingFunctionNode = (tree: FlatTree, node: number): number => tree.enclosing(node, ...functionKinds)

const patternNames = (tree: FlatTree, pattern: number): ReadonlySet<string> => {
  const names = new Set<string>()
  const inner = tree.is(pattern, "required_parameter", "optional_parameter") ? tree.child(pattern, "pattern") : pattern
  const object = tree.is(inner, "assignment_pattern") ? tree.child(inner, "left") : inner
  if (!tree.is(object, "object_pattern")) return names
  for (const part of tree.namedChildren(object)) {
    const value = tree.is(part, "pair_pattern") ? tree.child(part, "value") : part
    const target = tree.is(value, "object_assignment_pattern", "assignment_pattern") ? tree.child(value, "left") : value
    if (tree.is(target, "identifier", "shorthand_property_identifier_pattern")) names.add(tree.textOf(target))
  }
  return names
}

const stateOf = (tree: FlatTree, call: Call): State | null => {
  const declarator = tree.parent(call.node)
  const pattern = tree.child(declarator, "name")
  if (!tree.is(declarator, "variable_declarator") || !tree.is(pattern, "array_pattern")) return null
  const [name, setter] = tree.namedChildren(pattern)
  // `const [, update] = useState()`: only what changes it has a name.
  if (/^\[\s*,/.test(tree.textOf(pattern))) return null
  if (name === undefined || !tree.is(name, "identifier")) return null
  return {
    name: tree.textOf(name),
    setter: setter === undefined || !tree.is(setter, "identifier") ? null : tree.textOf(setter),
    initial: call.args[0] ?? NONE
  }
}

const isComponentName = /^(?:[A-Z]|use[A-Z])/

const read = (file: SourceFile): ReadonlyMap<number, Component> => {
  const found = new Map<number, Component>()
  const tree = file.tree
  if (tree === null || !isReact(file)) return found
  const states = new Map<number, Array<State>>()
  for (const call of calls(file)) {
    if (reactHook(file, call) !== "useState") continue
    const state = stateOf(tree, call)
    const holder = enclosingFunctionNode(tree, call.node)
    if (state === null || holder === NONE) continue
    const known = states.get(holder)
    if (known === undefined) states.set(holder, [state])
    else known.push(state)
  }
  for (const info of functions(file)) {
    const { name, node, body } = info
    if (name === null || body === NONE || !isComponentName.test(name) || tree.is(node, "method_definition")) continue
    const first = info.parameters[0]
    const isHookOfOwn = name.startsWith("use")
    found.set(node, {
      info,
      name,
      states: states.get(node) ?? [],
      props:
        first === undefined
          ? new Set()
          : isHookOfOwn
            ? new Set(info.parameters.filter((one) => /^\w+$/.test(one.name)).map((one) => one.name))
            : patternNames(tree, first.node),
      propsName: first !== undefined && !isHookOfOwn && /^\w+$/.test(first.name) ? first.name : null
    })
  }
  return found
}

/** Function components and hooks of a file by their node. */
export const components = (file: SourceFile): ReadonlyMap<number, Component> => file.memo(read, read)

/** Component that holds a node, through callbacks; undefined outside of one. */
export const componentAround = (file: SourceFile, node: number): Component | undefined => {
  const tree = file.tree!
  const known = components(file)
  for (let at = enclosingFunctionNode(tree, node), depth = 0; at !== NONE && depth < 12; depth++) {
    const component = known.get(at)
    if (component !== undefined) return component
    at = enclosingFunctionNode(tree, at)
  }
  return undefined
}
