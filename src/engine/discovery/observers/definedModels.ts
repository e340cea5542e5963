import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Entity } from "../Observed.ts"

const MAX_MODELS = 30
const MAX_BODY = 8_000
const MAX_FIELDS = 40

/** A stored model that a call declares. */
interface DefinedModel {
  readonly entity: Entity
  /** Line at which its fields begin: a schema is written apart from the model that is made of it. */
  readonly bodyLine: number
}

/** What stands directly in the braces that open at an offset, without what is nested in it. */
const ownText = (text: string, open: number): { readonly own: string; readonly all: string } => {
  const body = text
    .slice(open, open + MAX_BODY)
    .replace(/\/\*[\s\S]{0,2000}?\*\/|(?<=[\s,{])\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, " "))
  let depth = 0
  let own = ""
  for (let at = 0; at < body.length; at++) {
    const sign = body[at]!
    if ("{[(".includes(sign)) depth++
    else if ("}])".includes(sign)) depth--
    else if (depth === 1) own += sign
    if (depth === 0) return { own, all: body.slice(0, at) }
  }
  return { own, all: body }
}

const key = /(?:^|[,\n])[ \t]*["']?([A-Za-z_]\w{0,60})["']?[ \t]*(?=:|,|$)/gm

const fieldsIn = (own: string): ReadonlyArray<string> =>
  [...new Set([...own.matchAll(key)].map(([, name]) => name!))].slice(0, MAX_FIELDS)

const relation =
  /\bref:\s*["'](\w{2,60})["']|\bmodel:\s*["'](\w{2,60})["']|\b(?:belongsTo|hasMany|hasOne|belongsToMany)\(\s*(?:\w+\.)?([A-Z]\w{1,60})/g

const relationsIn = (text: string, name: string): ReadonlyArray<string> =>
  [...new Set([...text.matchAll(relation)].map(([, a, b, c]) => a ?? b ?? c!))]
    .filter((one) => one !== name)
    .slice(0, 20)

const schemaOf = (text: string, written: string): number => {
  if (written.startsWith("new")) return -1
  const declared = new RegExp(
    `\\b${written.replaceAll("$", "\\$")}\\b[^=\\n]{0,60}=\\s*(?:new\\s+)?(?:\\w+\\.)?Schema\\b[^(\\n]{0,60}\\(\\s*\\{`
  )
  const found = declared.exec(text)
  return found === null ? -1 : found.index + found[0].length - 1
}

const mongooseCall =
  /\bmodel(?:<[^()\n]{1,80}>)?\(\s*["'](\w{2,60})["']\s*,\s*(new\s+(?:\w+\.)?Schema\b[^(\n]{0,60}\(\s*\{|[\w$]{1,60})/g

/** `mongoose.model("Wagon", wagonSchema)`, with the fields of a schema of the same file. */
const ofMongoose = (file: SourceFile): ReadonlyArray<DefinedModel> =>
  !/\bmongoose\b/.test(file.text)
    ? []
    : [...file.text.matchAll(mongooseCall)].slice(0, MAX_MODELS).map(({ index, 0: call, 1: name, 2: schema }) => {
        const apart = schemaOf(file.text, schema!)
        const open = schema!.startsWith("new") ? index + call.length - 1 : apart
        const body = open < 0 ? { own: "", all: "" } : ownText(file.text, open)
        const line = file.line(index + call.indexOf(name!))
        return {
          entity: {
            name: name!,
            as: "Mongoose model",
            line,
            fields: fieldsIn(body.own),
            relations: relationsIn(body.all, name!)
          },
          bodyLine: open < 0 ? line : file.line(open)
        }
      })

const sequelizeCall = /\.define\(\s*["'](\w{2,60})["']\s*,\s*\{|\b([A-Z]\w{1,60})\.init\(\s*\{/g

/** `sequelize.define("Wagon", { … })` and `Wagon.init({ … })`. */
const ofSequelize = (file: SourceFile): ReadonlyArray<DefinedModel> =>
  !/\bsequelize\b/i.test(file.text)
    ? []
    : [...file.text.matchAll(sequelizeCall)]
        .slice(0, MAX_MODELS)
        .map(({ index, 0: call, 1: defined, 2: initialised }) => {
          const name = (defined ?? initialised)!
          const { own } = ownText(file.text, index + call.length - 1)
          const line = file.line(index + call.indexOf(name))
          const relations = relationsIn(file.text, name)
          return {
            entity: { name, as: "Sequelize model", line, fields: fieldsIn(own), relations },
            bodyLine: line
          }
        })

const readModels = (file: SourceFile): ReadonlyArray<DefinedModel> =>
  file.role === "source" && /^(?:javascript|typescript)$/.test(file.language)
    ? [...ofMongoose(file), ...ofSequelize(file)]
    : []

/** Models of Mongoose and Sequelize, which calls declare rather than types. */
export const definedModels = (file: SourceFile): ReadonlyArray<DefinedModel> => file.memo(readModels, readModels)
