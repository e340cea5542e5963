import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { Parser, Language as TreeSitterLanguage } from "web-tree-sitter"
import { grammarOf, type Language } from "../../core/files/Language.ts"

/** A loaded grammar with its names as tables, so that a tree needs numbers only. */
export interface Grammar {
  readonly name: string
  readonly language: TreeSitterLanguage
  /** By kind id; the last entry is ERROR. */
  readonly kindNames: ReadonlyArray<string>
  readonly namedKinds: Uint8Array
  readonly commentKinds: Uint8Array
  /** One name may have several ids (aliases). */
  readonly idsOf: ReadonlyMap<string, ReadonlyArray<number>>
  readonly fieldNames: ReadonlyArray<string | null>
  readonly fieldIds: ReadonlyMap<string, number>
}

/**
 * The functions of the WebAssembly build that the flattening walk calls directly. They are what `TreeCursor` wraps; the
 * wrapper copies the cursor in and out of linear memory on every step, which was half of the walk's time.
 */
export interface TreeSitterBinding {
  readonly _ts_tree_root_node_wasm: (tree: number) => void
  readonly _ts_node_has_error_wasm: (tree: number) => number
  readonly _ts_node_descendant_count_wasm: (tree: number) => number
  readonly _ts_tree_cursor_new_wasm: (tree: number) => void
  readonly _ts_tree_cursor_delete_wasm: (tree: number) => void
  readonly _ts_tree_cursor_goto_first_child_wasm: (tree: number) => number
  readonly _ts_tree_cursor_goto_next_sibling_wasm: (tree: number) => number
  readonly _ts_tree_cursor_goto_parent_wasm: (tree: number) => number
  readonly _ts_tree_cursor_current_node_type_id_wasm: (tree: number) => number
  readonly _ts_tree_cursor_start_index_wasm: (tree: number) => number
  readonly _ts_tree_cursor_end_index_wasm: (tree: number) => number
  readonly _ts_tree_cursor_current_field_id_wasm: (tree: number) => number
}

// By the package's own name for the folder: the compiled module, the bundle and the source lie at different depths.
const { resolve } = createRequire(import.meta.url)
let started: Promise<TreeSitterBinding> | undefined
const loading = new Map<string, Promise<Grammar>>()
const loaded = new Map<string, Grammar>()
let binding: TreeSitterBinding | undefined

/**
 * Memory of all grammars of a thread, in pages of 64 KiB: twice what the densest 512 KB took in any of them (121 MB). Some
 * hostile texts take all that there is in a step that no budget of work sees; the parser crashes on them within the bound.
 */
const memory = { initial: 512, maximum: 4096 }

// Of Node, whose types leave it out.
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object
}

const start = async (): Promise<TreeSitterBinding> => {
  // The module object given to init is the one the build fills with its exports.
  const module: Partial<TreeSitterBinding> & { readonly wasmMemory: object } = {
    wasmMemory: new WebAssembly.Memory(memory)
  }
  await Parser.init(module)
  binding = module as TreeSitterBinding
  return binding
}

const load = async (name: string): Promise<Grammar> => {
  started ??= start()
  await started
  const language = await TreeSitterLanguage.load(await readFile(resolve(`#grammars/tree-sitter-${name}.wasm`)))
  const grammar = tabulate(name, language)
  loaded.set(name, grammar)
  return grammar
}

const tabulate = (name: string, language: TreeSitterLanguage): Grammar => {
  const kindNames = [...language.types.map((type) => type ?? ""), "ERROR"]
  const namedKinds = Uint8Array.from(kindNames, (kind, id) =>
    kind === "ERROR" || language.nodeTypeIsNamed(id) ? 1 : 0
  )
  const commentKinds = Uint8Array.from(kindNames, (kind, id) => (namedKinds[id] === 1 && /comment$/.test(kind) ? 1 : 0))
  const idsOf = new Map<string, Array<number>>()
  kindNames.forEach((kind, id) => {
    const known = idsOf.get(kind) ?? []
    // A keyword may be spelled like the construct it opens (`class`, `lambda`): the name then means the construct.
    const others = namedKinds[id] === 1 ? known.filter((other) => namedKinds[other] === 1) : known
    if (namedKinds[id] === 1 || !known.some((other) => namedKinds[other] === 1)) idsOf.set(kind, [...others, id])
  })
  const fieldIds = new Map<string, number>()
  language.fields.forEach((field, id) => {
    if (field !== null && field !== undefined) fieldIds.set(field, id)
  })
  return { name, language, kindNames, namedKinds, commentKinds, idsOf, fieldNames: language.fields, fieldIds }
}

/** Load what is needed to parse these languages. Parsing itself is synchronous, so this comes first. */
export const prepareGrammars = async (languages: Iterable<Language>): Promise<void> => {
  const names = new Set([...languages].map(grammarOf).filter((name) => name !== null))
  for (const name of names) {
    const pending = loading.get(name) ?? load(name)
    loading.set(name, pending)
    await pending
  }
}

/** The grammar of a language; null when it has none. It is an error of the program not to have prepared it. */
export const grammarFor = (language: Language): Grammar | null => {
  const name = grammarOf(language)
  if (name === null) return null
  const grammar = loaded.get(name)
  if (grammar === undefined) throw new Error(`Grammar "${name}" is used before prepareGrammars loaded it.`)
  return grammar
}

export const treeSitterBinding = (): TreeSitterBinding => {
  if (binding === undefined) throw new Error("tree-sitter is used before prepareGrammars started it.")
  return binding
}
