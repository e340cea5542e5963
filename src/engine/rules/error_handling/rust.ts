import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { rustTestItems } from "../../languages/code/testItems.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { hasReason } from "./comments.ts"
import type { RuleId } from "./rules.ts"

/** Programs may end with a message; tests and build scripts should. */
const program =
  /(?:^|\/)(?:main|build|cli|args)\.rs$|(?:^|\/)(?:bin|cli|cmd|commands|tests|benches|examples|xtask|fuzz)\//
/** Modules that read a command line belong to a program. */
const readsCommandLine = /^\s*use (?:clap|structopt|argh|pico_args|gumdrop)\b/m

const failing =
  /(?:^|::|\.)(?:File::(?:open|create)|fs::(?:read|read_to_string|write|create_dir|create_dir_all|remove_file|copy|rename|read_dir|metadata)|env::(?:var|current_dir|current_exe)|TcpListener::bind|TcpStream::connect|UdpSocket::bind|reqwest::get|serde_json::from_(?:str|slice|reader|value)|serde_yaml::from_(?:str|reader)|toml::from_str|str::from_utf8|String::from_utf8)\([^()]*(?:\([^()]*\)[^()]*)*\)$|\.(?:parse(?:::<[\w:<>, ]+>)?|read_line|read_to_string|read_to_end|send|output|spawn|status)\([^()]*\)$/

/** Items that only tests are made of, and programs' `main`. */
const exemptItems = (tree: FlatTree): ReadonlyArray<number> => {
  const mains = [...tree.of("function_item")].filter((item) => tree.textOf(tree.child(item, "name")) === "main")
  return [...new Set([...rustTestItems(tree), ...mains])].sort((a, b) => a - b)
}

/** Whether one of the items, in document order, holds the next of ever later nodes. */
const holder = (tree: FlatTree, items: ReadonlyArray<number>): ((node: number) => boolean) => {
  let next = 0
  let until = NONE
  return (node) => {
    for (; next < items.length && items[next]! <= node; next++) {
      until = Math.max(until, tree.lastDescendant(items[next]!))
    }
    return node <= until
  }
}

interface Unwrap {
  readonly start: number
  readonly end: number
  /** The operation that may fail. */
  readonly operation: string
}

const unwrapAt = (file: SourceFile, tree: FlatTree, node: number): Unwrap | null => {
  const callee = tree.child(node, "function")
  if (!tree.is(callee, "field_expression") || tree.textOf(tree.child(callee, "field")) !== "unwrap") return null
  const text = tree.textOf(tree.child(callee, "value")).slice(-300)
  // A literal that parses today parses always.
  if (!failing.test(text) || /"\s*(?:\.|\))[^"]*$/.test(text)) return null
  if (hasReason(file, tree.start(node), tree.start(node), tree.end(node))) return null
  const operation = /([\w:]+)(?:::<[^()]*>)?\([^()]*(?:\([^()]*\)[^()]*)*\)$/.exec(text)?.[1] ?? "call"
  return { start: tree.start(node), end: tree.end(node), operation }
}

export const inspectRust = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (program.test(file.path) || readsCommandLine.test(file.text) || !file.text.includes(".unwrap()")) return
  const tree = file.tree
  if (tree === null) return
  const isInTest = holder(tree, exemptItems(tree))
  const [first, ...more] = [...tree.of("call_expression")].flatMap((node) => {
    const found = unwrapAt(file, tree, node)
    return found === null || isInTest(node) ? [] : [found]
  })
  if (first === undefined) return
  const count = more.length === 0 ? "" : `, as do ${more.length} more calls in this file`
  emit({
    rule: "unwrap_in_library",
    start: first.start,
    end: first.end,
    message: `A failing \`${first.operation}\` panics here${count}.`,
    steps: more.slice(0, 20).map(({ start, end }) => ({ start, end, note: "This call panics on failure, too." }))
  })
}
