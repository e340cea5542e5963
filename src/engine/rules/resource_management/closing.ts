import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { localUses } from "../../languages/code/localUses.ts"
import {
  type Assignment,
  assignments,
  enclosingFunction,
  type FunctionInfo
} from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** What a language opens, and which uses show that other code closes it. */
interface Dialect {
  readonly rule: (creation: string) => keyof typeof holdings | null
  /** Members that close the resource. */
  readonly closes: RegExp
  /** Functions that read from or write to the resource and leave it open. */
  readonly borrows: RegExp
  readonly memberKinds: ReadonlyArray<string>
}

/** Streams that wrap another one. */
const wrapper =
  /^new (?:java\.io\.)?(?:Buffered(?:Reader|Writer|InputStream|OutputStream)|PrintWriter|InputStreamReader|OutputStreamWriter|DataInputStream|DataOutputStream|Object(?:In|Out)putStream|Scanner|StreamReader|StreamWriter|GZipStream)\(\s*(?=new )/

/** `new FileStream(`, `os.Open(`: the innermost resource that is opened, without the arguments. */
const headOf = (tree: FlatTree, value: number): string => {
  const start = tree.start(value)
  let text = tree.text.slice(start, Math.min(tree.end(value), start + 200)).replace(/\s+/g, " ")
  for (let depth = 0; depth < 3 && wrapper.test(text); depth++) text = text.replace(wrapper, "")
  return text.replace(/\(.*$/s, "(")
}

const go: Dialect = {
  rule: (creation) => {
    if (/^(?:os\.(?:Open|Create|OpenFile|CreateTemp)|ioutil\.TempFile)\($/.test(creation)) return "unclosed_file"
    if (
      /^http\.(?:Get|Post|PostForm)\($|^(?:http\.DefaultClient|(?:\w+\.)*(?:httpC|c)lient)\.(?:Do|Get|Post|PostForm)\($/i.test(
        creation
      )
    ) {
      return "unclosed_response"
    }
    return /^(?:\w+\.)*(?:db|tx|conn|DB)\.(?:Query|QueryContext|Queryx|QueryxContext)\($/.test(creation)
      ? "unclosed_connection"
      : null
  },
  closes: /^(?:Close|CloseWithError)$/,
  borrows:
    /^(?:io\.(?:ReadAll|Copy|CopyN|ReadFull|WriteString)|ioutil\.ReadAll|bufio\.New\w+|json\.New\w+|xml\.New\w+|yaml\.New\w+|csv\.New\w+|fmt\.F\w+|log\.(?:Print|Fatal|Panic)\w*|httputil\.DumpResponse|io\.LimitReader|sqlx?\.Struct\w+)$/,
  memberKinds: ["selector_expression"]
}

const javaStreams =
  /^new (?:java\.io\.)?(?:File(?:Input|Output)Stream|File(?:Reader|Writer)|RandomAccessFile|(?:Zip|Jar)File)\($|^(?:java\.nio\.file\.)?Files\.(?:new\w+|lines|list|walk|find)\($/
const java: Dialect = {
  rule: (creation) => {
    if (javaStreams.test(creation)) return "unclosed_file"
    return /^(?:DriverManager|(?:\w+\.)*\w*[dD]ata[sS]ource)\.getConnection\($|^(?:\w+\.)*\w*[cC]onn(?:ection)?\.(?:prepareStatement|createStatement|prepareCall)\($/.test(
      creation
    )
      ? "unclosed_connection"
      : null
  },
  closes: /^(?:close|closeQuietly)$/,
  borrows: /^(?!)/,
  memberKinds: ["method_invocation", "field_access", "method_reference"]
}

const csharp: Dialect = {
  rule: (creation) => {
    if (/^new (?:System\.IO\.)?(?:FileStream|StreamReader|StreamWriter|BinaryReader|BinaryWriter)\($/.test(creation))
      return "unclosed_file"
    if (/^(?:System\.IO\.)?File\.(?:Open|OpenRead|OpenWrite|OpenText|Create|CreateText|AppendText)\($/.test(creation))
      return "unclosed_file"
    return /^new (?:Sql|Npgsql|MySql|Sqlite|SQLite|Oracle|OleDb|Odbc)(?:Connection|Command)\($/.test(creation)
      ? "unclosed_connection"
      : null
  },
  closes: /^(?:Close|Dispose|CloseAsync|DisposeAsync)$/,
  borrows: /^(?!)/,
  memberKinds: ["member_access_expression", "conditional_access_expression"]
}

const python: Dialect = {
  rule: (creation) =>
    /^(?:open|io\.open|codecs\.open|gzip\.open|bz2\.open|lzma\.open)\($/.test(creation) ? "unclosed_file" : null,
  closes: /^(?:close|detach)$/,
  borrows:
    /^(?:json\.(?:load|dump)|pickle\.(?:load|dump)|yaml\.(?:safe_)?(?:load|dump)|csv\.\w+|print|len|list|sorted|iter|next|enumerate|str|tomllib\.load|hashlib\.file_digest)$/,
  memberKinds: ["attribute"]
}

const dialects: Partial<Record<SourceFile["language"], Dialect>> = { go, java, csharp, python }

type Use = "closed" | "used" | "escapes"

const calleeOf = (tree: FlatTree, list: number): string => {
  const call = tree.parent(list)
  const callee = tree.child(call, "function")
  return (callee === NONE ? tree.textOf(tree.child(call, "name")) : tree.textOf(callee))
    .replace(/\s+/g, "")
    .slice(0, 120)
}

const memberOf = (tree: FlatTree, access: number): string => {
  for (const field of ["field", "attribute", "name"]) {
    const member = tree.child(access, field)
    if (member !== NONE) return tree.textOf(member)
  }
  return /(?:\.|::)\s*(\w+)\s*$/.exec(tree.textOf(access).slice(-60))?.[1] ?? ""
}

/** Ends of a chain of stream operations that consume it. */
const consumes =
  /^(?:read\w*|available|length|size|count|get\w*|is\w*|execute\w*|find(?:First|Any)|anyMatch|allMatch|noneMatch|collect|toList|toArray|reduce|min|max|sum|forEach\w*|iterator|close)$/

/** `return lines.filter(…).map(…)`: a view of the open resource is returned, and who gets it closes it. */
const isReturnedView = (tree: FlatTree, access: number): boolean => {
  if (tree.is(access, "member_access_expression"))
    return /^ExecuteReader/.test(memberOf(tree, access)) && isInReturn(tree, tree.parent(access))
  for (let at = access; tree.is(at, "method_invocation"); at = tree.parent(at)) {
    if (consumes.test(memberOf(tree, at))) return false
    if (tree.is(tree.parent(at), "return_statement")) return true
    if (tree.fieldOf(at) !== "object" && at !== access) return false
  }
  return false
}

const isInReturn = (tree: FlatTree, node: number): boolean =>
  tree.is(tree.parent(node), "return_statement") ||
  (tree.is(tree.parent(node), "await_expression") && tree.is(tree.parent(tree.parent(node)), "return_statement"))

/** How a value is used here: a name, or `resp.Body`. */
const useOf = (tree: FlatTree, node: number, dialect: Dialect): Use => {
  const parent = tree.parent(node)
  if (tree.is(parent, ...dialect.memberKinds) && tree.fieldOf(node) !== "name") {
    const member = memberOf(tree, parent)
    if (dialect.closes.test(member)) return "closed"
    // `await using (stream.ConfigureAwait(false))` closes; `return lines.map(…)` hands the open stream on.
    if (member === "ConfigureAwait" || isReturnedView(tree, parent)) return "escapes"
    // A channel that is kept closes its file.
    const isPart = member === "Body" || member === "getChannel" || (member === "BaseStream" && parent > 0)
    return isPart ? useOf(tree, parent, dialect) : "used"
  }
  const list = tree.is(parent, "argument") ? tree.parent(parent) : parent
  const isBorrowed = tree.is(list, "argument_list")
    ? dialect.borrows.test(calleeOf(tree, list))
    : isTestedOrIterated(tree, node, parent)
  return isBorrowed ? "used" : "escapes"
}

const isTestedOrIterated = (tree: FlatTree, node: number, parent: number): boolean => {
  if (tree.is(parent, "comparison_operator", "binary_expression", "not_operator", "unary_expression")) return true
  const field = tree.fieldOf(node)
  if (tree.is(parent, "if_statement", "while_statement")) return field === "condition"
  return tree.is(parent, "for_statement", "for_in_clause", "foreach_statement") && field === "right"
}

const isDeclared = (tree: FlatTree, node: number, language: SourceFile["language"]): boolean => {
  if (language === "go") return tree.is(node, "short_var_declaration", "var_spec")
  if (language === "python") return tree.is(node, "assignment")
  const statement = tree.parent(tree.is(tree.parent(node), "variable_declaration") ? tree.parent(node) : node)
  if (!tree.is(node, "variable_declarator")) return false
  return (
    tree.is(statement, "local_variable_declaration", "local_declaration_statement") &&
    !/^(?:await\s+)?using\b/.test(tree.textOf(statement).slice(0, 30))
  )
}

const leaks = (
  file: SourceFile,
  tree: FlatTree,
  holder: FunctionInfo,
  { targetNode: target, target: name, value }: Assignment,
  rule: keyof typeof holdings,
  dialect: Dialect
): boolean => {
  const uses = localUses(file, holder, name)
  // A name with very many uses has several meanings.
  if (uses.length > MAX_USES) return false
  const isLibrary = /^http\.|DefaultClient/.test(tree.textOf(value).slice(0, 60))
  let isRead = false
  let isResponse = false
  for (const node of uses) {
    if (node === target) continue
    const use = useOf(tree, node, dialect)
    if (use !== "used") return false
    isRead = true
    if (/^\s*\.(?:Body|StatusCode|Header|Status)\b/.test(tree.text.slice(tree.end(node), tree.end(node) + 14)))
      isResponse = true
  }
  // A client of another library may have a `Get` of its own: only a response has these members.
  return isRead && (rule !== "unclosed_response" || isLibrary || isResponse)
}

const MAX_USES = 40

const endings = /\b(?:os\.Exit|log\.Fatal\w*|sys\.exit|System\.exit|Environment\.Exit)\b/
const holdings = {
  unclosed_file: "opens a file",
  unclosed_response: "holds a response",
  unclosed_connection: "holds a connection or cursor"
}

/** Resources that one local name holds, and that are neither closed nor passed on. */
export const inspectClosing = (file: SourceFile, emit: Emit<RuleId>): void => {
  const dialect = dialects[file.language]
  const tree = file.tree
  if (dialect === undefined || tree === null) return
  for (const assignment of assignments(file)) {
    const rule = resourceRule(file, tree, assignment, dialect)
    if (rule === null) continue
    const { node, target, value } = assignment
    const holder = enclosingFunction(file, node)
    // The end of the program closes everything.
    if (holder === null || /(?:^|\.)main$/.test(holder.name ?? "")) continue
    if (!leaks(file, tree, holder, assignment, rule, dialect)) continue
    if (endings.test(tree.textOf(holder.body).slice(-200))) continue
    const message = `\`${target}\` ${holdings[rule]} with ${excerpt(tree, value)}, and \`${holder.name ?? "this function"}\` neither closes it nor passes it on.`
    emit({ rule, ...span(tree, node), message, identifiers: [target] })
  }
}

/** The rule for what a declaration of a local variable opens; null where it opens nothing. */
const resourceRule = (
  file: SourceFile,
  tree: FlatTree,
  { node, target, targetNode, value, operator }: Assignment,
  dialect: Dialect
): keyof typeof holdings | null => {
  if (value === NONE || !/^\w+$/.test(target) || target === "_" || !/^:?=$/.test(operator)) return null
  // `open(path).read()`: the variable holds what was read.
  if (file.language === "python" && tree.textOf(tree.child(value, "function")).includes("(")) return null
  const rule = dialect.rule(headOf(tree, value))
  if (rule === null || !isDeclared(tree, node, file.language)) return null
  if (file.language === "go" && !isFirst(tree, node, targetNode)) return null
  return rule === "unclosed_response" && !isHttpCall(file, tree, value) ? null : rule
}

const argumentCounts: Readonly<Record<string, number>> = { Do: 1, Get: 1, Post: 3, PostForm: 2 }

/** Calls that the HTTP client of the standard library would accept. */
const isHttpCall = (file: SourceFile, tree: FlatTree, value: number): boolean => {
  if (!file.text.includes('"net/http"')) return false
  const call = tree.is(value, "expression_list") ? tree.firstChild(value) : value
  const method = /(\w+)$/.exec(tree.textOf(tree.child(call, "function")))?.[1] ?? ""
  return tree.namedChildren(tree.child(call, "arguments")).length === argumentCounts[method]
}

/** `f, err := os.Open(…)`: the first of them holds the resource. */
const isFirst = (tree: FlatTree, node: number, target: number): boolean => {
  const left = tree.child(node, "left")
  return left === NONE || tree.namedChildren(left)[0] === target || left === target
}
