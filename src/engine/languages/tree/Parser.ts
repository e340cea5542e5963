import { Parser } from "web-tree-sitter"
import type { Language } from "../../core/files/Language.ts"
import { FlatTree } from "./FlatTree.ts"
import { type Grammar, grammarFor, treeSitterBinding } from "./Grammar.ts"
import { oneConfiguration } from "./oneConfiguration.ts"

/**
 * Work that parsing a file may take, in hundreds of the parser's own operations: work instead of time, so that a busy
 * machine leaves out the same files as an idle one. Code takes 200 to 1,200 for 100 KB, hostile text ten times that; one
 * of these takes 0.03 to 0.3 ms.
 */
const PARSE_BUDGET = 20_000

/** Characters that the parser is given at a time: as many as its buffer holds. */
const CHUNK = 5_119

/**
 * How often the parser may ask for a part of the text. Within one operation it may read to the end of the file, and then again from
 * the next token: from each comment that is never closed, each line that a backslash continues. Of 21,000 files none asked
 * more than 200 times beyond twice its chunks; one time takes 0.1 to 0.5 ms.
 */
const readBudget = (length: number): number => 2_000 + 20 * Math.ceil(length / CHUNK)

const parsers = new Map<string, Parser>()

const parserOf = (grammar: Grammar): Parser => {
  let parser = parsers.get(grammar.name)
  if (parser === undefined) {
    parser = new Parser()
    parser.setLanguage(grammar.language)
    parsers.set(grammar.name, parser)
  }
  return parser
}

/**
 * A grammar's own code ran out of its memory or stack, as one does on hundreds of indentation levels. All grammars of
 * the thread share that memory, so nothing can be parsed in this thread any more: the thread has to end.
 */
export class ParserCrashed extends Error {
  override readonly name = "ParserCrashed"
}

export interface ParseOutcome {
  readonly tree: FlatTree | null
  /** Why there is no tree although the language has a grammar. */
  readonly skipped: string | null
}

/** Parse and flatten. The WebAssembly tree lives only inside this call: its memory is not seen by the collector. */
export const parse = (text: string, language: Language, budget: number = PARSE_BUDGET): ParseOutcome => {
  const grammar = grammarFor(language)
  if (grammar === null) return { tree: null, skipped: null }
  try {
    return parseWith(grammar, { text, source: sourceOf(text, language) }, budget)
  } catch (error) {
    throw new ParserCrashed(`The ${grammar.name} parser failed: ${error instanceof Error ? error.message : error}`)
  }
}

const TOO_MUCH_WORK = "parsing it takes more work than is spent on a file"

/** What the parser reads, character for character as long as the text. */
const sourceOf = (text: string, language: Language): string =>
  language === "c" || language === "cpp" ? oneConfiguration(text, language) : text

const parseWith = (
  grammar: Grammar,
  { text, source }: { readonly text: string; readonly source: string },
  budget: number
): ParseOutcome => {
  const parser = parserOf(grammar)
  const maxReads = readBudget(source.length)
  let work = 0
  let reads = 0
  const read = (index: number): string => (++reads > maxReads ? "" : source.slice(index, index + CHUNK))
  const tree = parser.parse(read, null, { progressCallback: () => ++work > budget || reads > maxReads })
  if (tree === null || reads > maxReads) {
    tree?.delete()
    parser.reset()
    return { tree: null, skipped: TOO_MUCH_WORK }
  }
  try {
    return { tree: flatten(text, grammar, addressOf(tree)), skipped: null }
  } finally {
    tree.delete()
  }
}

// The wrapper keeps the tree's address under key 0.
const addressOf = (tree: object): number => (tree as { readonly 0: number })[0]

/** The cursor's state stays in the transfer buffer between calls, since none of the calls used here writes elsewhere. */
const flatten = (text: string, grammar: Grammar, tree: number): FlatTree => {
  const ts = treeSitterBinding()
  ts._ts_tree_root_node_wasm(tree)
  const hasError = ts._ts_node_has_error_wasm(tree) === 1
  ts._ts_tree_root_node_wasm(tree)
  const size = ts._ts_node_descendant_count_wasm(tree)
  const error = grammar.kindNames.length - 1
  const kinds = new Uint16Array(size)
  const starts = new Int32Array(size)
  const ends = new Int32Array(size)
  const parents = new Int32Array(size)
  const nexts = new Int32Array(size)
  const fields = new Uint8Array(size)
  ts._ts_tree_root_node_wasm(tree)
  ts._ts_tree_cursor_new_wasm(tree)
  let n = 0
  let parent = -1
  walk: for (;;) {
    const kind = ts._ts_tree_cursor_current_node_type_id_wasm(tree)
    kinds[n] = Math.min(kind, error)
    starts[n] = ts._ts_tree_cursor_start_index_wasm(tree)
    ends[n] = ts._ts_tree_cursor_end_index_wasm(tree)
    fields[n] = ts._ts_tree_cursor_current_field_id_wasm(tree)
    parents[n] = parent
    n++
    if (ts._ts_tree_cursor_goto_first_child_wasm(tree) === 1) {
      parent = n - 1
      continue
    }
    let last = n - 1
    while (ts._ts_tree_cursor_goto_next_sibling_wasm(tree) !== 1) {
      if (ts._ts_tree_cursor_goto_parent_wasm(tree) !== 1) break walk
      last = parent
      parent = parents[parent]!
    }
    nexts[last] = n
  }
  ts._ts_tree_cursor_delete_wasm(tree)
  if (n !== size) throw new Error(`The ${grammar.name} tree has ${size} nodes, its cursor visited ${n}.`)
  return new FlatTree({ text, grammar, hasError, kinds, starts, ends, parents, nexts, fields })
}
