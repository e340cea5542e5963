import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
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

const report = (file: SourceFile, node: number, message: string, emit: Emit<RuleId>): void =>
  emit({ rule: "mass_assignment", ...span(file.tree!, node), message })

const messageAt = (file: SourceFile, node: number, target = ""): string =>
  `${excerpt(file.tree!, node)} assigns every field that the caller sends${target}.`

/** Models with fields that callers must not choose for themselves. */
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

const isWholeBody = (file: SourceFile, node: number): boolean => wholeBody.test(file.tree!.textOf(node).slice(0, 80))

const isValidated = (file: SourceFile, call: Call): boolean => {
  const info = enclosingFunction(file, call.node)
  const around = info === null ? "" : file.tree!.textOf(info.node).slice(0, 8_000)
  return checked.test(around) || /(?:validat|celebrate|schema)\w*\(/i.test(routeAround(file, call.node))
}

/** `new User(…)`, `User.create(…)`. */
const fillsModel = (file: SourceFile, call: Call): boolean => {
  if (call.isNew) return isModel(file, call.method)
  return fillers.test(call.method) && isModel(file, (call.receiver ?? "").split(".").at(-1)!)
}

const scriptCall = (file: SourceFile, call: Call, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const data = call.args.flatMap((node) => optionsOf(file, node)?.entries.get("data") ?? [])
  const isPrisma = /\b(?:prisma|db|tx)\.\w+$/.test(call.receiver ?? "") && data.some((node) => isWholeBody(file, node))
  if (!isPrisma && !call.args.some((node) => isWholeBody(file, node))) return
  if (isValidated(file, call)) return
  if (call.callee === "Object.assign" && call.args.length === 2) {
    const name = tree.textOf(call.args[0]!)
    if (personal.test(name.split(".").at(-1)!))
      report(file, call.node, messageAt(file, call.node, ` to \`${name}\``), emit)
  } else if (isPrisma || fillsModel(file, call)) report(file, call.node, messageAt(file, call.node), emit)
}

/** The arguments before the handler in its route: validation is often there. */
const routeAround = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const info = enclosingFunction(file, node)
  if (info === null) return ""
  const call = tree.enclosing(info.node, "call_expression")
  return call === NONE ? "" : file.text.slice(tree.start(call), Math.min(tree.start(info.node), tree.start(call) + 400))
}

const requestSpread =
  /\*\*\s*(?:await\s+)?(?:self\.)?request\.(?:json(?:\(\))?|get_json\(\)|data|form|POST|values|GET|args)(?:\.\w+\(\))?\s*\)$/
const modelCall = /^[A-Z]\w+(?:\.objects\.(?:create|update|update_or_create|get_or_create))?$|\.update$/

/** `User(**request.json)`. */
const spreadRequests = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    if (!requestSpread.test(file.tree!.textOf(call.node).slice(-120)) || !modelCall.test(call.callee)) continue
    if (/(?:Schema|Form|Serializer|Request|Dto|DTO|Input|Response|Command|Query)$/.test(call.callee)) continue
    report(file, call.node, messageAt(file, call.node), emit)
  }
}

const accountModel = /^(?:\w+\.)*(?:User|CustomUser|Account|Member|Profile|UserProfile|Employee|get_user_model\(\))$/

/** `fields = "__all__"` of a form or serializer of accounts. */
const formsWithAllFields = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const { node, target, value } of assignments(file)) {
    if (target !== "fields" || !/^["']__all__["']$/.test(tree.textOf(value))) continue
    const meta = tree.enclosing(node, "class_definition")
    const holder = tree.enclosing(meta, "class_definition")
    if (meta === NONE || holder === NONE || tree.textOf(tree.child(meta, "name")) !== "Meta") continue
    if (!/ModelForm|ModelSerializer/.test(tree.textOf(tree.child(holder, "superclasses")))) continue
    const text = tree.textOf(meta).slice(0, 2_000)
    const model = /\bmodel\s*=\s*([\w.()]+)/.exec(text)?.[1] ?? ""
    const name = tree.textOf(tree.child(holder, "name"))
    if (!accountModel.test(model) || /read_only_fields/.test(text) || /Admin|UserChange/.test(name)) continue
    const message = `\`${name}\` lets callers set every field of \`${model}\`, permissions included.`
    report(file, node, message, emit)
  }
}

const recordFillers = /^(?:new|create!?|update!?|update_attributes!?|assign_attributes|build|insert|upsert)$/

const inRuby = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    if (call.method !== "permit!" || !/\bparams\b/.test(call.receiver ?? "")) continue
    // A hash of settings or of a search is not a record.
    const outer = tree.parent(tree.parent(call.node))
    const filled = tree.is(outer, "call") ? tree.textOf(tree.child(outer, "method")) : ""
    const method = enclosingFunction(file, call.node)?.name ?? ""
    const isLast = tree.parent(call.node) === enclosingFunction(file, call.node)?.body
    if (!recordFillers.test(filled) && !(isLast && /_params$/.test(method) && !/search|filter|query|sort/.test(method)))
      continue
    report(file, call.node, messageAt(file, call.node), emit)
  }
}

const storedAsReceived = (handler: string | null, parameter: string, type: string): string =>
  `\`${handler}\` stores \`${parameter}\` as received: the caller sets every field of \`${type}\`.`

const isEntity = (file: SourceFile, type: string): boolean => {
  const module = importedNames(file).get(type)?.module ?? ""
  return (
    /\.(?:models?|entit(?:y|ies)|domain|persistence)\.(?:\w+\.)*\w+$/.test(module) &&
    !/(?:Dto|DTO|Request|Form|Command|Input|VO|Query|Param)s?$/.test(type) &&
    !/\.(?:dto|request|vo|payload)s?\./i.test(module)
  )
}

const inJava = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!/springframework\.web|ws\.rs/.test(file.text)) return
  const isBody = (node: number): boolean =>
    annotationsOf(file, node).some((mark) => /^(?:RequestBody|ModelAttribute)$/.test(mark.name))
  for (const info of functions(file)) {
    for (const { name, type, node } of info.parameters) {
      if (type === null || !isBody(node) || !isEntity(file, type)) continue
      const saves = new RegExp(
        `\\b\\w*(?:[rR]epository|[rR]epo|[dD]ao|entityManager|em)\\.(?:save|saveAndFlush|persist|merge)\\(\\s*${name}\\s*\\)`
      )
      if (!saves.test(tree.textOf(info.body).slice(0, 8_000))) continue
      report(file, node, storedAsReceived(info.name, name, type), emit)
    }
  }
}

const requestTypes = /(?:Dto|DTO|Request|Model|ViewModel|Command|Input|Form|Vm|VM)$/

const inCsharp = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!/Controller\b/.test(file.text)) return
  const isAction = (node: number): boolean =>
    annotationsOf(file, node).some(({ name }) => /^Http(?:Post|Put|Patch)$/.test(name))
  for (const info of functions(file)) {
    if (!isAction(info.node)) continue
    for (const { name, type, node } of info.parameters) {
      const isRecord = type !== null && /^[A-Z]\w+$/.test(type) && !requestTypes.test(type)
      if (!isRecord || /\[Bind\b/.test(tree.textOf(node))) continue
      const saves = new RegExp(
        `\\b_?(?:\\w*[cC]ontext|db)(?:\\.\\w+)?\\.(?:Update|Add|AddAsync|Attach)\\(\\s*${name}\\s*\\)|\\.Entry\\(\\s*${name}\\s*\\)\\.State\\s*=\\s*EntityState\\.Modified`
      )
      if (!saves.test(tree.textOf(info.body).slice(0, 8_000))) continue
      report(file, node, storedAsReceived(info.name, name, type), emit)
    }
  }
}

export const massAssignment = (file: SourceFile, emit: Emit<RuleId>): void => {
  switch (file.language) {
    case "python":
      spreadRequests(file, emit)
      return formsWithAllFields(file, emit)
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
