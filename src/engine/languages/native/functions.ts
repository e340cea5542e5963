import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { declaredName, functionDeclarator } from "../syntax/c.ts"
import { type Call, calls, type FunctionInfo, functions } from "../syntax/vocabulary.ts"
import { type FlatTree, lowerBound, NONE } from "../tree/FlatTree.ts"

/** C and C++, which share their vocabulary. */
export const isNative = (language: Language): boolean => language === "c" || language === "cpp"

/** A parameter or local variable. */
export interface Declared {
  readonly name: string
  /** The name's node. */
  readonly node: number
  /** As written, with qualifiers: `static const char`. */
  readonly type: string
  /** How many `*` are between type and name. */
  readonly pointers: number
  readonly isArray: boolean
  /** Node of the size of the outermost array, or NONE. */
  readonly size: number
  readonly isReference: boolean
  readonly isStatic: boolean
  readonly isParameter: boolean
  /** The initial value, or NONE. */
  readonly value: number
  /** The block, loop or function in which the name is known. */
  readonly scope: number
}

/** A function whose body was parsed without an error. */
export interface NativeFunction {
  readonly info: FunctionInfo
  readonly node: number
  readonly body: number
  readonly declared: ReadonlyMap<string, ReadonlyArray<Declared>>
  /** Calls inside, those of lambdas included. */
  readonly calls: ReadonlyArray<Call>
}

interface Shape {
  pointers: number
  isArray: boolean
  size: number
  isReference: boolean
}

const MAX_DECLARATORS = 30

/** `(*rows)[2]` is a pointer to arrays: what it points to has no size that is known here. */
const addPointer = (shape: Shape): void => {
  shape.pointers += shape.isArray ? 2 : 1
  shape.isArray = false
  shape.size = NONE
}

const shapeOf = (tree: FlatTree, declarator: number): Shape | null => {
  const shape: Shape = { pointers: 0, isArray: false, size: NONE, isReference: false }
  let at = declarator
  for (let depth = 0; depth < MAX_DECLARATORS && at !== NONE; depth++) {
    if (tree.is(at, "identifier")) return shape
    if (tree.is(at, "function_declarator")) return null
    if (tree.is(at, "pointer_declarator")) addPointer(shape)
    if (tree.is(at, "reference_declarator")) shape.isReference = true
    if (tree.is(at, "array_declarator")) {
      // The outermost array is the innermost declarator: `a[2][3]` has two elements.
      shape.isArray = true
      shape.size = tree.child(at, "size")
    }
    const inner = tree.child(at, "declarator")
    at = inner === NONE ? (tree.namedChildren(at).at(-1) ?? NONE) : inner
  }
  return null
}

const typeTextOf = (tree: FlatTree, declaration: number, declarator: number): string =>
  tree.text.slice(tree.start(declaration), tree.start(declarator)).replace(/\s+/g, " ").trim()

const scopeKinds = [
  "compound_statement",
  "for_statement",
  "for_range_loop",
  "if_statement",
  "while_statement",
  "catch_clause",
  "lambda_expression",
  "function_definition"
]

const declaredBy = (tree: FlatTree, declaration: number, scope: number): ReadonlyArray<Declared> => {
  const isParameter = tree.kind(declaration).includes("parameter")
  const declarators = tree.childrenOfField(declaration, "declarator")
  const first = declarators[0]
  if (first === undefined) return []
  const type = typeTextOf(tree, declaration, first)
  // Behind a macro without its `;` the parser takes `else row[1] = value` for a declaration.
  if (type === "else") return []
  return declarators.flatMap((declarator): ReadonlyArray<Declared> => {
    const isInit = tree.is(declarator, "init_declarator")
    const shaped = isInit ? tree.child(declarator, "declarator") : declarator
    const shape = shapeOf(tree, shaped)
    const node = declaredName(tree, shaped)
    if (shape === null || node === NONE) return []
    const value = isInit ? tree.child(declarator, "value") : NONE
    const isStatic = /\b(?:static|extern|thread_local|_Thread_local|__thread)\b/.test(type)
    return [{ name: tree.textOf(node), node, type, ...shape, isStatic, isParameter, value, scope }]
  })
}

const declaredIn = (tree: FlatTree, node: number): ReadonlyMap<string, ReadonlyArray<Declared>> => {
  const found = new Map<string, Array<Declared>>()
  const kinds = ["declaration", "parameter_declaration", "optional_parameter_declaration", "for_range_loop"]
  for (const declaration of tree.within(node, ...kinds)) {
    // The parameters of a function that is only declared, or pointed to, are names of nothing.
    const owner = tree.is(declaration, "for_range_loop") ? declaration : tree.enclosing(declaration, ...scopeKinds)
    for (const one of declaredBy(tree, declaration, owner)) {
      const same = found.get(one.name)
      if (same === undefined) found.set(one.name, [one])
      else same.push(one)
    }
  }
  return found
}

const isSound = (tree: FlatTree, node: number): boolean =>
  !tree.hasError || (tree.within(node, "ERROR").length === 0 && tree.enclosing(node, "ERROR") === NONE)

const compute = (file: SourceFile): ReadonlyArray<NativeFunction> => {
  const tree = file.tree
  if (tree === null) return []
  const all = calls(file)
  const callNodes = Int32Array.from(all, ({ node }) => node)
  return functions(file).flatMap((info): ReadonlyArray<NativeFunction> => {
    const { node, body } = info
    if (!tree.is(node, "function_definition") || body === NONE || !isSound(tree, node)) return []
    // `class API_EXPORT Name { … }`: parsed as a function without parameters, since the macro stands for a name.
    if (functionDeclarator(tree, node) === NONE) return []
    const from = lowerBound(callNodes, body)
    const to = lowerBound(callNodes, tree.lastDescendant(body) + 1)
    return [{ info, node, body, declared: declaredIn(tree, node), calls: all.slice(from, to) }]
  })
}

/** Functions of a C or C++ file in which nothing is reported wrongly because the parser did not understand a macro. */
export const nativeFunctions = (file: SourceFile): ReadonlyArray<NativeFunction> => file.memo(compute, compute)

/** What a name means at a node: the innermost declaration before it; null for what is declared elsewhere. */
export const declarationOf = (tree: FlatTree, fn: NativeFunction, name: string, at: number): Declared | null => {
  const all = fn.declared.get(name)
  if (all === undefined) return null
  for (let i = all.length - 1; i >= 0 && i >= all.length - 40; i--) {
    const one = all[i]!
    if (one.node <= at && (one.scope === NONE || tree.contains(one.scope, at))) return one
  }
  return null
}

/** Through parentheses and casts. */
export const plain = (tree: FlatTree, node: number): number => {
  let at = node
  for (let depth = 0; depth < MAX_DECLARATORS; depth++) {
    if (tree.is(at, "cast_expression")) at = tree.child(at, "value")
    else if (tree.is(at, "parenthesized_expression") && tree.namedChildren(at).length === 1)
      at = tree.namedChildren(at)[0]!
    else return at
  }
  return at
}

/** The declaration of the variable that an expression is, through parentheses and casts. */
export const variableAt = (tree: FlatTree, fn: NativeFunction, node: number | undefined): Declared | null => {
  if (node === undefined || node === NONE) return null
  const at = plain(tree, node)
  return tree.is(at, "identifier") ? declarationOf(tree, fn, tree.textOf(at), at) : null
}

/** The array of this function that an expression is: with a size that is known here, not that of the caller. */
export const localArrayAt = (tree: FlatTree, fn: NativeFunction, node: number | undefined): Declared | null => {
  const declared = variableAt(tree, fn, node)
  return declared?.isArray === true && !declared.isParameter && declared.size !== NONE ? declared : null
}

/** What `sizeof` is taken of, through parentheses; NONE for a type and for anything else. */
export const sizeofOperand = (tree: FlatTree, node: number): number => {
  const at = plain(tree, node)
  return tree.is(at, "sizeof_expression") ? plain(tree, tree.child(at, "value")) : NONE
}

const computeMacros = (file: SourceFile): ReadonlyMap<string, number> => {
  const tree = file.tree
  const found = new Map<string, number>()
  if (tree === null) return found
  for (const node of tree.of("preproc_def")) {
    const value = tree
      .textOf(tree.child(node, "value"))
      .trim()
      .replace(/^\((\w+)\)$/, "$1")
    if (/^(?:0x[0-9a-f]{1,8}|\d{1,9})[uUlL]*$/i.test(value)) {
      found.set(tree.textOf(tree.child(node, "name")), Number(value.replace(/[uUlL]+$/, "")))
    }
  }
  return found
}

const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "<<": (a, b) => a * 2 ** Math.min(b, 40)
}

/** The value of a constant expression of literals and this file's macros; null where it is not known. */
export const constantOf = (file: SourceFile, node: number, depth = 0): number | null => {
  const tree = file.tree!
  const at = plain(tree, node)
  if (at === NONE || depth > 20) return null
  const text = tree.textOf(at)
  if (tree.is(at, "number_literal")) {
    const digits = text.replace(/[uUlLzZ']+/g, "")
    return /^(?:0[xX][0-9a-fA-F]+|0|[1-9]\d*)$/.test(digits)
      ? Number(digits)
      : /^0[0-7]+$/.test(digits)
        ? Number.parseInt(digits, 8)
        : null
  }
  if (tree.is(at, "identifier")) return file.memo(computeMacros, computeMacros).get(text) ?? null
  if (!tree.is(at, "binary_expression")) return null
  const operation = operations[tree.textOf(tree.child(at, "operator"))]
  const left = operation === undefined ? null : constantOf(file, tree.child(at, "left"), depth + 1)
  const right = left === null ? null : constantOf(file, tree.child(at, "right"), depth + 1)
  return right === null ? null : operation!(left!, right)
}

const byteTypes =
  /^(?:(?:const|volatile|static|register|unsigned|signed)\s+)*(?:char|u?int8_t|u_char|uchar|u8|guchar|gchar|uint8|byte)\b(?!\s*\*)/

/** Bytes of an array of characters; null where the size is not a known constant. */
export const bytesOf = (file: SourceFile, { type, pointers, size }: Declared): number | null =>
  pointers > 0 || !byteTypes.test(type) ? null : constantOf(file, size)

/** Whether the function returns a pointer. */
export const returnsPointer = (tree: FlatTree, fn: NativeFunction): boolean => {
  const declarator = functionDeclarator(tree, fn.node)
  for (let up = tree.parent(declarator); up > fn.node; up = tree.parent(up)) {
    if (tree.is(up, "pointer_declarator")) return true
  }
  return false
}
