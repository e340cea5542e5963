import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, calls } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isMoney, moneyMessage } from "./money.ts"
import type { RuleId } from "./rules.ts"

const reportMoney = (tree: FlatTree, node: number, name: string, type: string, emit: Emit<RuleId>): void =>
  emit({ rule: "float_for_money", ...span(tree, node), message: moneyMessage(name, type), identifiers: [name] })

/** `price = models.FloatField()`, `price = Column(Float)`, `price: Mapped[float] = mapped_column(Float)`. */
const inspectPython = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!/\bFloatField\b|\bFloat\b/.test(file.text)) return
  for (const { node, target, value } of assignments(file)) {
    if (value === NONE || !isMoney(target)) continue
    const type =
      /^(?:models\.FloatField|(?:db\.|sa\.)?(?:Column|mapped_column)\((?:["']\w+["'],\s*)?(?:db\.|sa\.)?Float)\b/.exec(
        tree.textOf(value).slice(0, 120)
      )
    if (type !== null) reportMoney(tree, node, target, type[0].replace(/^.*[.(\s]/, ""), emit)
  }
}

/** `t.float :price`, `add_column :orders, :price, :float`, `table.float("price")`, `$table->double('price')`. */
const inspectBuilders = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!/\b(?:float|double|real)\b/.test(file.text)) return
  for (const { node, method, receiver, args } of calls(file)) {
    const isTyped = /^(?:float|double|real)$/.test(method) && /^(?:t|table|\$table)$/.test(receiver ?? "")
    const isAdded =
      /^(?:add_column|change_column)$/.test(method) && /^:(?:float|double|real)$/.test(tree.textOf(args[2] ?? NONE))
    if (!isTyped && !isAdded) continue
    for (const argument of isAdded ? args.slice(1, 2) : args) {
      const name = literalValue(file, argument) ?? tree.textOf(argument).replace(/^:/, "")
      if (isMoney(name)) reportMoney(tree, node, name, isTyped ? method : tree.textOf(args[2]!).slice(1), emit)
    }
  }
}

const inspectJava = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!/@Entity\b/.test(file.text) || !/\b(?:double|float|Double|Float)\b/.test(file.text)) return
  for (const node of tree.of("field_declaration")) {
    const type = tree.textOf(tree.child(node, "type"))
    if (!/^(?:double|float|Double|Float)$/.test(type)) continue
    if (/\b(?:static|transient)\b|@Transient/.test(tree.textOf(tree.childOfKind(node, "modifiers")))) continue
    const owner = tree.enclosing(node, "class_declaration")
    if (!/@Entity\b/.test(tree.textOf(tree.childOfKind(owner, "modifiers")))) continue
    for (const declarator of tree.childrenOfField(node, "declarator")) {
      const name = tree.textOf(tree.child(declarator, "name"))
      if (isMoney(name)) reportMoney(tree, declarator, name, type, emit)
    }
  }
}

/** Prisma's schema has no grammar here: one field a line, which a line is enough for. */
const inspectPrisma = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const match of file.text.matchAll(/^[ \t]+(\w{1,60})[ \t]+(Float)\b/gm)) {
    const name = match[1]!
    if (!isMoney(name)) continue
    const start = match.index + match[0].indexOf(name)
    emit({
      rule: "float_for_money",
      start,
      end: match.index + match[0].length,
      message: moneyMessage(name, "Float"),
      identifiers: [name]
    })
  }
}

export const inspectModels = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (file.language === "prisma") return inspectPrisma(file, emit)
  if (
    !/price|amount|balance|salary|fee|revenue|payment|money|total|wage|refund|deposit|debit|credit|cost/i.test(
      file.text
    )
  )
    return
  const tree = file.tree
  if (tree === null) return
  if (file.language === "python") inspectPython(file, tree, emit)
  else if (file.language === "java") inspectJava(file, tree, emit)
  else inspectBuilders(file, tree, emit)
}
