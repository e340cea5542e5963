import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"
import { onceOnly, smallTables } from "./tables.ts"

/** In a language: what loads a whole table, and which methods then use its rows. */
interface Reader {
  readonly all: RegExp
  readonly picks: RegExp
  readonly counts: RegExp
  /** Words of a file in which such names mean a database. */
  readonly needs: RegExp
}

const javascript: Reader = {
  all: /^\(await (?:[A-Z]\w*\.(?:findAll|find)\((?:\{ ?\})?\)|(?:this\.)?\w*[pP]risma\w*\.\w+\.findMany\(\)|(?:this\.)?\w*[rR]epo(?:sitory)?\.find\(\))\)$/,
  picks: /^(?:filter|find|some|every)$/,
  counts: /^(?!)/,
  needs: /sequelize|mongoose|prisma|typeorm|models?\b/i
}

const readers: Partial<Record<SourceFile["language"], Reader>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  java: {
    all: /^(?:this\.)?\w*(?:Repository|Repo)\.findAll\(\)(?:\.stream\(\))?$/,
    picks: /^(?:filter|removeIf)$/,
    counts: /^(?:size|count)$/,
    needs: /Repository|Repo\b/
  },
  csharp: {
    all: /^\(?(?:await )?(?:this\.)?(?:_?\w*[cC]ontext|_?db)\.[A-Z]\w*\.(?:ToList|ToArray|AsEnumerable|ToListAsync|ToArrayAsync)\(\)\)?$/,
    picks: /^(?:Where|First|FirstOrDefault|Single|SingleOrDefault|Any)$/,
    counts: /^Count$/,
    needs: /EntityFramework|DbContext|DbSet/
  },
  ruby: {
    all: /^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*\.all(?:\.to_a)?$/,
    picks: /^(?:select|reject|detect|find|filter|partition)$/,
    counts: /^length$/,
    needs: /\.all\b/
  },
  php: {
    all: /^\\?(?:App\\(?:Models\\)?)?[A-Z]\w*::all\(\)$/,
    picks: /^(?:where|filter|first|firstWhere|whereIn|reject)$/,
    counts: /^count$/,
    needs: /Illuminate\\|App\\Models|\buse App\\/
  },
  python: { all: /^(?!)/, picks: /^(?!)/, counts: /^(?!)/, needs: /\.objects\b|\.query\b/ }
}

/** `order => order.state === "open"`: a condition that SQL can express, without calls of methods. */
const comparesColumn =
  /^\(?(?:\{|do)?\s*(?:function\s*\(\s*|fn\s*\(\s*|\()?\|?\s*\$?(\w+)(?:\s*:\s*\w+)?\s*[)|]?\s*\)?\s*(?:=>|->|\{\s*return)?\s*\$?\1(?:\.|->)\w+(?:\(\))?\s*(?:[=!]==?|[<>]=?|\.equals\()/

const notTables =
  /^\\?(?:Str|Arr|Cache|Config|Session|Request|Input|Route|Feature|Setting|Settings|ENV|Rails|Redmine\w*|I18n)(?:::|\.)/

const inspectChain = (
  tree: FlatTree,
  call: Call,
  reader: Reader,
  language: SourceFile["language"],
  emit: Emit<RuleId>
): void => {
  const { receiver, method, node, args } = call
  if (
    receiver === null ||
    receiver.length > 120 ||
    smallTables.test(receiver) ||
    !reader.all.test(receiver) ||
    notTables.test(receiver)
  )
    return
  const condition =
    language === "ruby" ? tree.textOf(tree.child(node, "block")) : args[0] === undefined ? "" : tree.textOf(args[0])
  if (
    reader.picks.test(method) &&
    (comparesColumn.test(condition.slice(0, 200)) || (language === "php" && args.length > 1))
  ) {
    const message = `\`${receiver}\` loads every row, and \`${method}\` then keeps only some of them.`
    emit({ rule: "filter_in_memory", ...span(tree, node), message })
  } else if (reader.counts.test(method) && args.length === 0) {
    const message = `${excerpt(tree, node)} loads every row to count them.`
    emit({ rule: "rows_loaded_to_count", ...span(tree, node), message })
  }
}

const djangoRows = /^[A-Z]\w*\.objects\.(?:all|filter|exclude)\(/
const djangoAll = /^(?:[A-Z]\w*\.objects\.all\(\)|[A-Z]\w*\.query\.all\(\))$/

const inspectPython = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, callee, args } of calls(file)) {
    if (callee !== "len" || args.length !== 1 || !tree.is(args[0]!, "call")) continue
    const text = tree.textOf(args[0]!).slice(0, 300)
    if (!djangoRows.test(text) && !/^[A-Z]\w*\.query\.(?:all|filter|filter_by)\(.*\ball\(\)$/s.test(text)) continue
    const message = `${excerpt(tree, node)} loads every row to count them.`
    emit({ rule: "rows_loaded_to_count", ...span(tree, node), message })
  }
  for (const clause of tree.of("if_clause")) {
    const loop = tree.childOfKind(tree.parent(clause), "for_in_clause")
    const iterable = tree.textOf(tree.child(loop, "right")).slice(0, 120)
    // Conditions that call methods or read other objects cannot be moved into the query.
    if (!djangoAll.test(iterable) || /\(/.test(tree.textOf(clause))) continue
    const message = `\`${iterable}\` loads every row, and \`${tree.textOf(clause).slice(0, 60)}\` then keeps only some of them.`
    emit({ rule: "filter_in_memory", ...span(tree, tree.parent(clause)), message })
  }
}

/** C# and JavaScript have a property for the number of elements. */
const inspectLengths = (tree: FlatTree, reader: Reader, emit: Emit<RuleId>): void => {
  for (const node of tree.of("member_expression", "member_access_expression")) {
    const name = tree.textOf(tree.child(node, tree.is(node, "member_expression") ? "property" : "name"))
    if (name !== "length" && name !== "Count" && name !== "Length") continue
    if (tree.is(tree.parent(node), "invocation_expression", "call_expression")) continue
    const object = tree.textOf(tree.firstChild(node)).slice(0, 120).replace(/\s+/g, " ")
    if (!reader.all.test(object)) continue
    emit({
      rule: "rows_loaded_to_count",
      ...span(tree, node),
      message: `${excerpt(tree, node)} loads every row to count them.`
    })
  }
}

/** Classes of the file, where it defines an `all`. */
const classesWithAll = ({ text }: SourceFile): ReadonlySet<string> =>
  new Set(/\bdef (?:self\.)?all\b/.test(text) ? Array.from(text.matchAll(/\bclass (\w+)/g), ([, name]) => name!) : [])

/** `Rule.all` of a class of this file that makes the list itself. */
const isOwnList = (file: SourceFile, { receiver }: Call): boolean => {
  const name = file.language === "ruby" ? /^([A-Z]\w*)\.all\b/.exec(receiver ?? "")?.[1] : undefined
  return name !== undefined && file.memo(classesWithAll, classesWithAll).has(name)
}

export const inspectReads = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const reader = readers[file.language]
  if (reader === undefined || onceOnly.test(file.path) || !reader.needs.test(file.text)) return
  if (file.language === "python") return inspectPython(file, tree, emit)
  for (const call of calls(file)) {
    if ((reader.picks.test(call.method) || reader.counts.test(call.method)) && !isOwnList(file, call))
      inspectChain(tree, call, reader, file.language, emit)
  }
  if (file.language !== "java" && file.language !== "ruby" && file.language !== "php")
    inspectLengths(tree, reader, emit)
}
