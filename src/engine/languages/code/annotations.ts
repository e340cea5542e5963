import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

/** A decorator, annotation or attribute. */
export interface Annotation {
  readonly node: number
  /** Last name, without `Attribute`: `Get`, `login_required`, `Authorize`. */
  readonly name: string
  /** As written, without arguments: `app.get`, `functools.wraps`. */
  readonly written: string
  /** Positional argument nodes. */
  readonly args: ReadonlyArray<number>
  readonly named: ReadonlyMap<string, number>
}

const lastOf = (written: string): string => /([\w$]+)\W*$/.exec(written)?.[1] ?? written

const annotation = (
  tree: FlatTree,
  node: number,
  name: number,
  list: number,
  entry: (argument: number) => readonly [name: string | null, value: number]
): Annotation => {
  const args: Array<number> = []
  const named = new Map<string, number>()
  for (const argument of list === NONE ? [] : tree.namedChildren(list)) {
    const [key, value] = entry(argument)
    if (key === null) args.push(value)
    else named.set(key, value)
  }
  const written = tree.textOf(name).slice(0, 200)
  return { node, name: lastOf(written).replace(/(?<=\w)Attribute$/, ""), written, args, named }
}

/** `@name` or `@name(arguments)` of JavaScript and Python. */
const decorator = (tree: FlatTree, node: number): Annotation => {
  const inner = tree.namedChildren(node)[0] ?? NONE
  const isCall = tree.is(inner, "call_expression", "call")
  const name = isCall ? tree.child(inner, "function") : inner
  return annotation(tree, node, name, isCall ? tree.child(inner, "arguments") : NONE, (argument) =>
    tree.is(argument, "keyword_argument")
      ? [tree.textOf(tree.child(argument, "name")), tree.child(argument, "value")]
      : [null, argument]
  )
}

const ofScript = (tree: FlatTree, node: number): ReadonlyArray<Annotation> => {
  const own = tree.children(node).filter((child) => tree.is(child, "decorator"))
  // Decorators of a method stand before it in the class body, those of an exported class in the export.
  const before: Array<number> = []
  const parent = tree.parent(node)
  if (tree.is(parent, "class_body", "export_statement")) {
    for (let c = tree.firstChild(parent); c !== NONE && c !== node; c = tree.nextSibling(c)) {
      if (tree.is(c, "decorator")) before.push(c)
      else if (tree.isNamed(c) && !tree.isComment(c)) before.length = 0
    }
  }
  return [...before, ...own].map((at) => decorator(tree, at))
}

const ofPython = (tree: FlatTree, node: number): ReadonlyArray<Annotation> => {
  const holder = tree.parent(node)
  if (!tree.is(holder, "decorated_definition")) return []
  return tree
    .children(holder)
    .filter((child) => tree.is(child, "decorator"))
    .map((at) => decorator(tree, at))
}

const ofJava = (tree: FlatTree, node: number): ReadonlyArray<Annotation> => {
  const modifiers = tree.childOfKind(node, "modifiers")
  if (modifiers === NONE) return []
  return tree
    .children(modifiers)
    .filter((child) => tree.is(child, "annotation", "marker_annotation"))
    .map((at) =>
      annotation(tree, at, tree.child(at, "name"), tree.child(at, "arguments"), (argument) =>
        tree.is(argument, "element_value_pair")
          ? [tree.textOf(tree.child(argument, "key")), tree.child(argument, "value")]
          : [null, argument]
      )
    )
}

const ofCsharp = (tree: FlatTree, node: number): ReadonlyArray<Annotation> =>
  tree
    .children(node)
    .filter((child) => tree.is(child, "attribute_list"))
    .flatMap((list) => tree.namedChildren(list).filter((child) => tree.is(child, "attribute")))
    .map((at) =>
      annotation(tree, at, tree.child(at, "name"), tree.childOfKind(at, "attribute_argument_list"), (argument) => {
        const key = tree.child(argument, "name")
        const value = tree.namedChildren(argument).at(-1) ?? argument
        return [key === NONE ? null : tree.textOf(key), value]
      })
    )

const ofPhp = (tree: FlatTree, node: number): ReadonlyArray<Annotation> =>
  [...tree.within(tree.child(node, "attributes"), "attribute")].map((at) =>
    annotation(tree, at, tree.namedChildren(at)[0] ?? NONE, tree.child(at, "parameters"), (argument) => {
      const key = tree.child(argument, "name")
      const value = tree.namedChildren(argument).at(-1) ?? argument
      return [key === NONE ? null : tree.textOf(key), value]
    })
  )

/** Decorators, annotations or attributes of a class, method or function, in order. */
export const annotationsOf = (file: SourceFile, node: number): ReadonlyArray<Annotation> => {
  const tree = file.tree
  if (tree === null || node === NONE) return []
  switch (file.language) {
    case "typescript":
    case "tsx":
    case "javascript":
      return ofScript(tree, node)
    case "python":
      return ofPython(tree, node)
    case "java":
      return ofJava(tree, node)
    case "csharp":
      return ofCsharp(tree, node)
    case "php":
      return tree.child(node, "attributes") === NONE ? [] : ofPhp(tree, node)
    default:
      return []
  }
}
