import type { SourceFile } from "../../core/files/SourceFile.ts"
import { Reader, sqlStatements } from "../../languages/formats/sql.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { clip, type Definition, type Entity } from "../Observed.ts"
import { definedModels } from "./definedModels.ts"
import { withTypes } from "./fieldTypes.ts"
import { isModello, modelloClasses } from "./modello.ts"
import { fieldsOf, isStoredType, plainTypes } from "./types.ts"

const MAX_ENTITIES = 120
const MAX_FIELDS = 40

const columnLess = /^(?:PRIMARY|FOREIGN|UNIQUE|CONSTRAINT|CHECK|INDEX|KEY|EXCLUDE|LIKE|FULLTEXT|SPATIAL|PARTITION)$/

const columnsOf = (reader: Reader) => {
  const fields: Array<string> = []
  const relations = new Set<string>()
  while (!reader.done && fields.length < MAX_FIELDS) {
    const clause = reader.clause()
    if (clause.length > 0 && !columnLess.test(clause[0]!.upper)) fields.push(clause[0]!.text.toLowerCase())
    const at = clause.findIndex(({ upper }) => upper === "REFERENCES")
    const target = clause[at + 1]?.text.toLowerCase()
    if (at >= 0 && target !== undefined) relations.add(target)
    if (reader.token?.text !== ",") break
    reader.at++
  }
  return { fields: fields.filter((field) => /^\w+$/.test(field)), relations }
}

/** `CREATE TABLE` of a text of SQL. */
const tablesIn = (sql: string, lineOf: (offset: number) => number): ReadonlyArray<Entity> => {
  const found: Array<Entity> = []
  for (const statement of sqlStatements(sql)) {
    const reader = new Reader(statement.tokens)
    if (!reader.take("CREATE")) continue
    for (let i = 0; i < 3 && /^(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|OR|REPLACE)$/.test(reader.peek()); i++)
      reader.at++
    if (!reader.take("TABLE")) continue
    reader.take("IF", "NOT", "EXISTS")
    const name = reader.name()
    if (!/^[a-z_][\w$]{1,60}$/.test(name) || reader.peek() !== "(") continue
    reader.at++
    const { fields, relations } = columnsOf(reader)
    if (fields.length > 0)
      found.push({ name, as: "SQL table", line: lineOf(statement.start), fields, relations: [...relations] })
  }
  return found
}

interface Block {
  readonly pattern: RegExp
  readonly as: string
  readonly field: RegExp
}

/** Schemas of which a field is a line. */
const blocks: Partial<Record<string, ReadonlyArray<Block>>> = {
  prisma: [{ pattern: /^model\s+(\w+)\s*\{([^}]*)\}/gm, as: "Prisma model", field: /^\s+(\w+)\s+\w/ }],
  graphql: [
    {
      pattern: /^(?:extend\s+)?(?:type|input|interface)\s+(\w+)[^{\n]{0,200}\{([^}]*)\}/gm,
      as: "GraphQL type",
      field: /^\s+(\w+)\s*(?:\(|:)/
    }
  ],
  proto: [
    {
      pattern: /^message\s+(\w+)\s*\{([^}]*)\}/gm,
      as: "protobuf message",
      field: /^\s+(?!reserved|option\b)(?:repeated\s+|optional\s+)?[\w.<>, ]+\s([a-z]\w*)\s*=\s*\d/
    }
  ]
}

const baseKinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:models\.Model|\w*\.?AbstractUser|TimeStampedModel)$/, "Django model"],
  [/^(?:ApplicationRecord|ActiveRecord::Base)$/, "ActiveRecord model"],
  [/^(?:Model|\w+\\Model|Eloquent|Authenticatable)$/, "Eloquent model"],
  [/^(?:db\.Model|DeclarativeBase|Base)$/, "SQLAlchemy model"],
  [/^Schema\.(?:Class|TaggedClass)$/, "Effect schema"],
  [/^(?:Document|EmbeddedDocument|mongoose\.Document)$/, "document of a database"]
]

const annotated = /@(?:Entity|Document|Table|ObjectType)\b|\[Table\b/

const relationPattern: Partial<Record<string, RegExp>> = {
  python: /\b(?:ForeignKey|OneToOneField|ManyToManyField|relationship)\(\s*["']?([\w.]+)/g,
  ruby: /^[ \t]*(?:belongs_to|has_many|has_one|has_and_belongs_to_many)\s+:(\w+)/gm,
  java: /@(?:ManyToOne|OneToMany|OneToOne|ManyToMany)\b[^;{]{0,200}?\s(?:\w+<)?([A-Z]\w*)>?\s+\w+\s*[=;]/g,
  typescript: /@(?:ManyToOne|OneToMany|OneToOne|ManyToMany)\(\s*(?:\(\w*\)|\w*)\s*=>\s*(\w+)/g,
  php: /->(?:hasMany|belongsTo|hasOne|belongsToMany)\(\s*\\?([\w\\]+)/g
}

const matches = (text: string, pattern: RegExp | undefined, max: number): ReadonlyArray<string> =>
  pattern === undefined ? [] : [...new Set([...text.matchAll(pattern)].map(([, found]) => found!))].slice(0, max)

/** What a type is a model of, by its bases and annotations; null when it is none. */
const modelKind = (file: SourceFile, definition: Definition, text: string, above: string): string | null => {
  const byBase = definition.bases.flatMap((base) => baseKinds.filter(([pattern]) => pattern.test(base)))[0]?.[1]
  const isSchema = byBase === "SQLAlchemy model" && !/__tablename__|mapped_column|Column\(/.test(text)
  const isPhp =
    byBase === "Eloquent model" && (file.language !== "php" || !/Illuminate|\$fillable|\$table/.test(file.text))
  // Other libraries call what they parse a document.
  const isOther =
    byBase === "document of a database" &&
    !/mongo(?:engine|ose|kit|id)|\b(?:beanie|odmantic|umongo|elasticsearch_dsl|opensearch)/i.test(file.text)
  if (isSchema || isPhp || isOther) return null
  const isMarked = annotated.test(above) || annotated.test(text.slice(0, 200))
  return byBase ?? isStoredType(file, text, above) ?? (isMarked ? "ORM entity" : null)
}

const MAX_ABOVE = 40

/** The lines right above a declaration, up to an empty one, the end of a comment or of what comes before. */
const annotationsAbove = (file: SourceFile, line: number): string => {
  const found: Array<string> = []
  for (let at = line - 1; at > 0 && found.length < MAX_ABOVE; at--) {
    const text = file.lineText(at)
    if (/^\s*$|\*\/\s*$|^\s*[})];?\s*$|^\s*(?:import|package|using|namespace)\b/.test(text)) break
    if (!/^\s*(?:\/\/|\*)/.test(text)) found.unshift(text)
  }
  return found.join("\n")
}

const modelsOf = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Entity> =>
  definitions.flatMap((definition): ReadonlyArray<Entity> => {
    if (definition.kind !== "type") return []
    const from = file.lineStarts[definition.line - 1]!
    const text = file.text.slice(from, file.lineStarts[definition.end] ?? file.text.length)
    const above = annotationsAbove(file, definition.line)
    const as = modelKind(file, definition, text, above)
    if (as === null) return []
    const model = {
      name: definition.name,
      as,
      line: definition.line,
      // Columns of an ActiveRecord model are in its migrations only.
      fields: file.language === "ruby" ? [] : fieldsOf(file.language, text),
      relations: matches(text, relationPattern[file.language], 20)
    }
    return [withTypes(model, file.language, text)]
  })

const openApiSchemas = (file: SourceFile): ReadonlyArray<Entity> => {
  if (!/^\s*(?:openapi|swagger)["']?\s*:/m.test(file.text.slice(0, 2_000))) return []
  const found: Array<Entity> = []
  const start = file.text.search(/^(?: {2}schemas|definitions):/m)
  if (file.language !== "yaml" || start < 0) return []
  const indent = /^ {2}schemas/.test(file.text.slice(start, start + 10)) ? 4 : 2
  for (let line = file.line(start) + 1; line <= file.lineCount && found.length < MAX_ENTITIES; line++) {
    const text = file.lineText(line)
    if (text.trim() !== "" && text.search(/\S/) < indent) break
    const name = new RegExp(`^ {${indent}}([A-Za-z]\\w{1,60}):\\s*$`).exec(text)?.[1]
    if (name !== undefined) found.push({ name, as: "OpenAPI schema", line, fields: [], relations: [] })
  }
  return found
}

const MAX_LITERALS = 80
const nextLiteral = /\s*(?:\\\n\s*)?([+.,]?)\s*[rRbBuUfF@]{0,2}(["'])/y

const isClosed = (sql: string): boolean => sql.split("(").length === sql.split(")").length

/** What a text says that begins after the quote at an offset, with those that follow it: `"CREATE TABLE a (" "id INT)"`. */
const joinedLiterals = (text: string, start: number): string => {
  let quote = text[start - 1]!
  const parts: Array<string> = []
  for (let from = start; parts.length < MAX_LITERALS; ) {
    const content = new RegExp(`(?:[^\\\\${quote}\\n]|\\\\.)*`, "y")
    content.lastIndex = from
    const part = content.exec(text)![0]
    parts.push(part.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1"))
    nextLiteral.lastIndex = from + part.length + 1
    const next = text[from + part.length] === quote ? nextLiteral.exec(text) : null
    // After a comma stands another argument, unless the lines of one statement are a list.
    if (next === null || (next[1] === "," && isClosed(parts.join(" ")))) break
    quote = next[2]!
    from = nextLiteral.lastIndex
  }
  return parts.join(" ")
}

const creates =
  /(?:^|[`"'\n;])\s*(?:CREATE TABLE|(?<=["'`]\s*)create table)\b(?:(?!["'\n]\s*(?:CREATE|create) (?:TABLE|table)\b)[^`;]){1,6000}/g

/** Tables that statements inside other code create. */
const embeddedTables = (file: SourceFile): ReadonlyArray<Entity> =>
  !/\b(?:CREATE TABLE|create table)\b/.test(file.text)
    ? []
    : [...file.text.matchAll(creates)].flatMap((match) => {
        const at = match.index + match[0].search(/create/i)
        const before = file.text.slice(Math.max(0, at - 3), at)
        const isOneLine = /["']$/.test(before) && !/["']{3}$/.test(before)
        const sql = isOneLine ? joinedLiterals(file.text, at) : file.text.slice(at, match.index + match[0].length)
        return tablesIn(sql, (offset) => (isOneLine ? file.line(at) : file.line(at + offset))).slice(0, 1)
      })

/** Documents show SQL of others. */
const isMarkup = /^(?:xml|html|markdown|text|json|css|yaml)$/

/** How code asks a database of documents for a collection, where its file names that database. */
const collectionCalls: ReadonlyArray<readonly [database: RegExp, method: RegExp, callee: RegExp]> = [
  [/\bmongo/i, /^collection$/i, /\.\w+$/],
  [/\brethink/i, /^table$/, /^r\./]
]

const collectionName = /^["'`]([a-z]\w{2,40})["'`]$/i

/** Collections of documents by the names under which the code asks a database for them; an example in a text asks for none. */
const collectionsOf = (file: SourceFile): ReadonlyArray<Entity> => {
  const { tree } = file
  if (tree === null || !/^(?:javascript|typescript)$/.test(file.language)) return []
  const found = new Map<string, number>()
  const known = collectionCalls.filter(([database]) => database.test(file.text))
  for (const { method, callee, args } of known.length === 0 ? [] : calls(file)) {
    if (args[0] === undefined || !known.some(([, ask, from]) => ask.test(method) && from.test(callee))) continue
    const name = collectionName.exec(tree.textOf(args[0]))?.[1]
    if (name !== undefined && !found.has(name)) found.set(name, file.line(tree.start(args[0])))
  }
  return [...found].map(([name, line]) => ({ name, as: "collection of documents", line, fields: [], relations: [] }))
}

/** Tables that Rails' migrations create. */
const migratedTables = (file: SourceFile): ReadonlyArray<Entity> =>
  [...file.text.matchAll(/^[ \t]*create_table\s*\(?\s*[:"'](\w+)/gm)].map((match) => {
    const body = file.text.slice(match.index, match.index + 4_000).split(/\n\s*end\b/)[0]!
    return {
      name: match[1]!,
      as: "SQL table",
      line: file.line(match.index + match[0].search(/\S/)),
      fields: matches(body, /^\s*t\.(?!index)\w+\s+[:"'](\w+)/gm, MAX_FIELDS),
      relations: []
    }
  })

export const entitiesOf = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Entity> =>
  isModello(file) ? modelloClasses(file) : declaredEntities(file, definitions)

const declaredEntities = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Entity> => {
  if (file.role !== "source" && file.role !== "docs") return []
  if (file.language === "yaml") return openApiSchemas(file)
  if (file.role === "docs") return []
  const found: Array<Entity> = []
  for (const { pattern, as, field } of blocks[file.language] ?? []) {
    for (const match of file.text.matchAll(pattern)) {
      const fields = match[2]!.split("\n").flatMap((line) => field.exec(line)?.[1] ?? [])
      if (!/^(?:Query|Mutation|Subscription)$/.test(match[1]!))
        found.push(
          withTypes(
            {
              name: match[1]!,
              as,
              line: file.line(match.index),
              fields: fields.slice(0, MAX_FIELDS),
              relations: []
            },
            file.language,
            match[2]!
          )
        )
    }
  }
  if (file.language === "sql") found.push(...tablesIn(file.text, (offset) => file.line(offset)))
  else if (!isMarkup.test(file.language)) found.push(...embeddedTables(file), ...collectionsOf(file))
  if (file.language === "ruby") found.push(...migratedTables(file))
  const models = [...definedModels(file).map(({ entity }) => entity), ...modelsOf(file, definitions)]
  const known = new Set(models.map(({ name }) => name))
  found.push(...models, ...plainTypes(file, definitions).filter(({ name }) => !known.has(name)))
  return found.slice(0, MAX_ENTITIES).map((entity) => ({ ...entity, name: clip(entity.name, 80) }))
}
