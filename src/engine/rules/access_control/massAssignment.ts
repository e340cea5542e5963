import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { annotationsOf } from "../../languages/code/annotations.ts"
import { optionsOf } from "../../languages/code/options.ts"
import {
  assignments,
  type Call,
  calls,
  enclosingFunction,
  functions,
  importedNames
} from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const at = (file: SourceFile, node: number, message: string, emit: Emit<RuleId>): void =>
  emit({ rule: "mass_assignment", ...span(file.tree!, node), message })

const told = (file: SourceFile, node: number, what: string): string =>
  `${excerpt(file.tree!, node)} takes every field that the caller sends${what}.`

/** Models with fields that nobody may choose for themselves. */
const personal =
  /(?:^|_|[a-z])(?:User|Account|Member|Profile|Employee|Customer|Admin|Person|Staff|Role|Permission|Membership)s?(?:Model|Entity)?$|^(?:user|account|member|profile|employee|customer|admin|person|role|membership)s?$/

const wholeBody =
  /^(?:(?:req|request)\.body|ctx\.request\.body|\{\s*\.\.\.(?:req|request|ctx\.request)\.body\s*,?\s*\}|(?:await\s+)?(?:req|request)\.json\(\))$/
const checked = /valid|schema|celebrate|joi|zod|ajv|sanit|pick\(|whitelist|allowlist|\bdto\b|parse\(/i
const fillers =
  /^(?:create|insertMany|findByIdAndUpdate|findOneAndUpdate|update|updateOne|bulkCreate|upsert|insert|build|findOrCreate)$/

const isModel = (file: SourceFile, name: string): boolean => {
  const module = importedNames(file).get(name)?.module ?? ""
  return (
    /^[A-Z]\w+$/.test(name) &&
    (/(?:^|\/)(?:models?|entit(?:y|ies)|schemas?)\b|\.model|\.entity|mongoose|sequelize/i.test(module) ||
      /^(?:db|models)$/i.test(module))
  )
}

const scriptCall = (file: SourceFile, call: Call, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const bodies = call.args.filter((node) => wholeBody.test(tree.textOf(node).slice(0, 80)))
  const data = call.args.flatMap((node) => optionsOf(file, node)?.entries.get("data") ?? [])
  const isPrisma =
    /\b(?:prisma|db|tx)\.\w+$/.test(call.receiver ?? "") &&
    data.some((node) => wholeBody.test(tree.textOf(node).slice(0, 80)))
  if (bodies.length === 0 && !isPrisma) return
  const info = enclosingFunction(file, call.node)
  const around = info === null ? "" : tree.textOf(info.node).slice(0, 8_000)
  if (checked.test(around) || /(?:validat|celebrate|schema)\w*\(/i.test(routeAround(file, call.node))) return
  const model = (call.receiver ?? "").split(".").at(-1) ?? ""
  const target = call.isNew ? call.method : model
  const isAssign = call.callee === "Object.assign" && call.args.length === 2
  if (isAssign) {
    const name = tree.textOf(call.args[0]!)
    if (personal.test(name.split(".").at(-1)!)) at(file, call.node, told(file, call.node, ` into \`${name}\``), emit)
    return
  }
  const isFill = call.isNew
    ? isModel(file, target)
    : fillers.test(call.method) && isModel(file, target.split(".").at(-1)!)
  if (isFill || isPrisma) at(file, call.node, told(file, call.node, ""), emit)
}

/** What stands before the handler in its route: validation is often there. */
const routeAround = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const info = enclosingFunction(file, node)
  if (info === null) return ""
  const call = tree.enclosing(info.node, "call_expression")
  return call === NONE ? "" : file.text.slice(tree.start(call), Math.min(tree.start(info.node), tree.start(call) + 400))
}

const inPython = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    const spread =
      /\*\*\s*(?:await\s+)?(?:self\.)?request\.(?:json(?:\(\))?|get_json\(\)|data|form|POST|values|GET|args)(?:\.\w+\(\))?\s*\)$/.test(
        tree.textOf(call.node).slice(-120)
      )
    if (!spread) continue
    const isModel =
      /^[A-Z]\w+(?:\.objects\.(?:create|update|update_or_create|get_or_create))?$/.test(call.callee) ||
      /\.update$/.test(call.callee)
    if (isModel && !/(?:Schema|Form|Serializer|Request|Dto|DTO|Input|Response|Command|Query)$/.test(call.callee))
      at(file, call.node, told(file, call.node, ""), emit)
  }
  for (const { node, target, value } of assignments(file)) {
    if (target !== "fields" || !/^["']__all__["']$/.test(tree.textOf(value))) continue
    const meta = tree.enclosing(node, "class_definition")
    const holder = tree.enclosing(meta, "class_definition")
    if (meta === NONE || holder === NONE || tree.textOf(tree.child(meta, "name")) !== "Meta") continue
    const bases = tree.textOf(tree.child(holder, "superclasses"))
    if (!/ModelForm|ModelSerializer/.test(bases)) continue
    const text = tree.textOf(meta).slice(0, 2_000)
    const model = /\bmodel\s*=\s*([\w.()]+)/.exec(text)?.[1] ?? ""
    if (
      !/^(?:\w+\.)*(?:User|CustomUser|Account|Member|Profile|UserProfile|Employee|get_user_model\(\))$/.test(model) ||
      /read_only_fields/.test(text) ||
      /Admin|UserChange/.test(tree.textOf(tree.child(holder, "name")))
    )
      continue
    const message = `\`${tree.textOf(tree.child(holder, "name"))}\` lets callers set every field of \`${model}\`, those that grant rights included.`
    at(file, node, message, emit)
  }
}

const recordFillers = /^(?:new|create!?|update!?|update_attributes!?|assign_attributes|build|insert|upsert)$/

const inRuby = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    if (call.method !== "permit!" || !/\bparams\b/.test(call.receiver ?? "")) continue
    // A hash of settings or of a search is not a record.
    const given = tree.parent(tree.parent(call.node))
    const filled = tree.is(given, "call") ? tree.textOf(tree.child(given, "method")) : ""
    const method = enclosingFunction(file, call.node)?.name ?? ""
    const isLast = tree.parent(call.node) === enclosingFunction(file, call.node)?.body
    if (!recordFillers.test(filled) && !(isLast && /_params$/.test(method) && !/search|filter|query|sort/.test(method)))
      continue
    at(file, call.node, told(file, call.node, ""), emit)
  }
}

const inJava = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!/springframework\.web|ws\.rs/.test(file.text)) return
  for (const info of functions(file)) {
    for (const { name, type, node } of info.parameters) {
      if (
        type === null ||
        !annotationsOf(file, node).some((mark) => /^(?:RequestBody|ModelAttribute)$/.test(mark.name))
      )
        continue
      const module = importedNames(file).get(type)?.module ?? ""
      if (
        !/\.(?:models?|entit(?:y|ies)|domain|persistence)\.(?:\w+\.)*\w+$/.test(module) ||
        /(?:Dto|DTO|Request|Form|Command|Input|VO|Query|Param)s?$/.test(type) ||
        /\.(?:dto|request|vo|payload)s?\./i.test(module)
      )
        continue
      const text = tree.textOf(info.body).slice(0, 8_000)
      const saves = new RegExp(
        `\\b\\w*(?:[rR]epository|[rR]epo|[dD]ao|entityManager|em)\\.(?:save|saveAndFlush|persist|merge)\\(\\s*${name}\\s*\\)`
      )
      if (!saves.test(text)) continue
      at(
        file,
        node,
        `\`${info.name}\` stores \`${name}\` as it came: the caller sets every field of \`${type}\`.`,
        emit
      )
    }
  }
}

const inCsharp = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!/Controller\b/.test(file.text)) return
  for (const info of functions(file)) {
    const marks = annotationsOf(file, info.node).map(({ name }) => name)
    if (!marks.some((name) => /^Http(?:Post|Put|Patch)$/.test(name))) continue
    for (const { name, type, node } of info.parameters) {
      if (
        type === null ||
        !/^[A-Z]\w+$/.test(type) ||
        /(?:Dto|DTO|Request|Model|ViewModel|Command|Input|Form|Vm|VM)$/.test(type)
      )
        continue
      if (/\[Bind\b/.test(tree.textOf(node))) continue
      const text = tree.textOf(info.body).slice(0, 8_000)
      const saves = new RegExp(
        `\\b_?(?:\\w*[cC]ontext|db)(?:\\.\\w+)?\\.(?:Update|Add|AddAsync|Attach)\\(\\s*${name}\\s*\\)|\\.Entry\\(\\s*${name}\\s*\\)\\.State\\s*=\\s*EntityState\\.Modified`
      )
      if (!saves.test(text)) continue
      at(
        file,
        node,
        `\`${info.name}\` stores \`${name}\` as it came: the caller sets every field of \`${type}\`.`,
        emit
      )
    }
  }
}

export const massAssignment = (file: SourceFile, emit: Emit<RuleId>): void => {
  switch (file.language) {
    case "python":
      return inPython(file, emit)
    case "ruby":
      return inRuby(file, emit)
    case "java":
      return inJava(file, emit)
    case "csharp":
      return inCsharp(file, emit)
    default:
      for (const call of calls(file)) if (call.args.length > 0) scriptCall(file, call, emit)
  }
}

export const mentionsBodies =
  /\b(?:req|request)\.(?:body|json|data|form|POST)|__all__|permit!|@RequestBody|@ModelAttribute|\[Http(?:Post|Put|Patch)/
