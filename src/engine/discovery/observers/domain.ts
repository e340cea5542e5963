import type { SourceFile } from "../../core/files/SourceFile.ts"
import { Reader, sqlStatements } from "../../languages/formats/sql.ts"
import { clip, type Definition, type Entity, type States } from "../Observed.ts"

const MAX_ENTITIES = 120
const MAX_FIELDS = 40
const MAX_VALUES = 24

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
  return { fields, relations }
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
      field: /^\s+(?:repeated\s+|optional\s+)?[\w.<>, ]+\s(\w+)\s*=\s*\d/
    }
  ]
}

const enumBlocks: Partial<Record<string, RegExp>> = {
  prisma: /^enum\s+(\w+)\s*\{([^}]*)\}/gm,
  graphql: /^enum\s+(\w+)[^{\n]{0,100}\{([^}]*)\}/gm,
  proto: /^\s*enum\s+(\w+)\s*\{([^}]*)\}/gm,
  typescript: /\benum\s+(\w+)\s*\{([^}]{1,2000})\}/g,
  tsx: /\benum\s+(\w+)\s*\{([^}]{1,2000})\}/g,
  java: /\benum\s+(\w+)[^{;]{0,120}\{([^;{}]{1,1500})[;}]/g,
  csharp: /\benum\s+(\w+)[^{;]{0,60}\{([^{}]{1,2500})\}/g,
  rust: /^\s*(?:pub(?:\(crate\))?\s+)?enum\s+(\w+)\s*\{([^{}()]{1,1500})\}/gm,
  python:
    /^class\s+(\w+)\([^)]{0,80}\b(?:Str|Int)?(?:Enum|Choices|Flag)\b[^)]{0,40}\):[ \t]*\n((?:[ \t]+[^\n]*\n|\n){1,80})/gm,
  php: /\benum\s+(\w+)[^{]{0,80}\{([^{}]{1,1500})/g
}

const unionPattern =
  /\b(?:type\s+(\w+)\s*=|(?:export\s+)?const\s+(\w+)\s*=\s*(?:Schema\.)?(?:[lL]iteral|oneOf|z\.enum|enum)\w*\(\[?)\s*((?:\|?\s*["'][\w./ -]{1,40}["']\s*[,|]?\s*){2,24})/g

const valuesIn = (language: string, body: string): ReadonlyArray<string> => {
  const plain = body.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"""[\s\S]*?"""/g, "").replace(/^\s*#(?!\[)[^\n]*/gm, "")
  const parts =
    language === "python" ||
    language === "prisma" ||
    language === "graphql" ||
    language === "php" ||
    language === "proto"
      ? plain.split(/\n|;/)
      : plain.split(",")
  return parts
    .map((part) => {
      const text = part.replace(/#\[[^\]]*\]|\[[^\]]*\]|@\w+(?:\([^)]*\))?/g, "").trim()
      if (language === "php") return /^case\s+(\w+)/.exec(text)?.[1] ?? ""
      if (language === "python") return /^([A-Z]\w*)\s*=/.exec(text)?.[1] ?? ""
      return /^([A-Za-z_]\w*)\s*(?:=|\(|$)/.exec(text)?.[1] ?? ""
    })
    .filter((value) => value !== "" && !/^(?:option|reserved)$/.test(value))
}

/** Closed sets of values: enums and unions of literals. */
export const statesOf = (file: SourceFile): ReadonlyArray<States> => {
  if (file.role !== "source") return []
  const found: Array<States> = []
  const add = (name: string, values: ReadonlyArray<string>, offset: number): void => {
    const unique = [...new Set(values)]
    if (unique.length >= 2 && unique.length <= MAX_VALUES && found.length < MAX_ENTITIES && name.length <= 80)
      found.push({ name, line: file.line(offset), values: unique })
  }
  const isCommented = (offset: number) => /^\s*(?:\/\/|\*|#|--)/.test(file.lineText(file.line(offset)))
  const pattern = enumBlocks[file.language]
  for (const match of pattern === undefined ? [] : file.text.matchAll(pattern)) {
    const at = match.index + match[0].search(/\S/)
    if (!isCommented(at)) add(match[1]!, valuesIn(file.language, match[2]!), at)
  }
  if (/^(?:typescript|tsx|javascript)$/.test(file.language)) {
    for (const match of file.text.matchAll(unionPattern)) {
      const values = [...match[3]!.matchAll(/["']([^"']*)["']/g)].map(([, value]) => value!)
      // A union that goes on with something else is not closed by its literals.
      const rest = file.text.slice(match.index + match[0].length, match.index + match[0].length + 12)
      if (!/^\s*[|&]|^[A-Z{[]/.test(rest)) add((match[1] ?? match[2])!, values, match.index)
    }
  }
  return found
}

const baseKinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:models\.Model|\w*\.?AbstractUser|TimeStampedModel)$/, "Django model"],
  [/^(?:ApplicationRecord|ActiveRecord::Base)$/, "ActiveRecord model"],
  [/^(?:Model|\w+\\Model|Eloquent|Authenticatable)$/, "Eloquent model"],
  [/^(?:db\.Model|DeclarativeBase|Base)$/, "SQLAlchemy model"],
  [/^Schema\.(?:Class|TaggedClass)$/, "Effect schema"]
]

const annotated = /@(?:Entity|Document|Table|ObjectType)\b|\[Table\b/

const fieldPattern: Partial<Record<string, RegExp>> = {
  python:
    /^[ \t]+(\w+)(?::[^=\n]{1,80})?\s*=\s*(?:models\.\w+|(?:db\.|sa\.)?(?:Column|mapped_column|relationship))\(/gm,
  java: /^\s+(?:private|protected|public)\s+(?!static)[\w<>,. ?[\]]{1,60}\s(\w+)\s*(?:=|;)/gm,
  csharp: /^\s+public\s+(?:virtual\s+|required\s+)?[\w<>?,.[\]]{1,60}\s(\w+)\s*\{\s*get;/gm,
  typescript: /^ {2,4}(?:readonly\s+|public\s+)?(\w+)[!?]?:\s/gm
}

const relationPattern: Partial<Record<string, RegExp>> = {
  python: /\b(?:ForeignKey|OneToOneField|ManyToManyField|relationship)\(\s*["']?([\w.]+)/g,
  ruby: /^\s*(?:belongs_to|has_many|has_one|has_and_belongs_to_many)\s+:(\w+)/gm,
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
  if (isSchema || isPhp) return null
  const isMarked = annotated.test(above) || annotated.test(text.slice(0, 200))
  return byBase ?? (isMarked ? "ORM entity" : null)
}

const modelsOf = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Entity> =>
  definitions.flatMap((definition): ReadonlyArray<Entity> => {
    if (definition.kind !== "type") return []
    const from = file.lineStarts[definition.line - 1]!
    const text = file.text.slice(from, file.lineStarts[definition.end] ?? file.text.length)
    const above = file.text
      .slice(Math.max(0, from - 200), from)
      .split("\n")
      .slice(-4)
      .join("\n")
    const as = modelKind(file, definition, text, above)
    if (as === null) return []
    return [
      {
        name: definition.name,
        as,
        line: definition.line,
        fields: matches(text, fieldPattern[file.language], MAX_FIELDS),
        relations: matches(text, relationPattern[file.language], 20)
      }
    ]
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

/** Tables that statements inside other code create. */
const embeddedTables = (file: SourceFile): ReadonlyArray<Entity> =>
  !/\bCREATE TABLE\b/.test(file.text)
    ? []
    : [...file.text.matchAll(/(?:^|[`"'\n;])\s*CREATE TABLE\b[^`;]{1,6000}/g)].flatMap((match) => {
        const at = match.index + match[0].indexOf("CREATE")
        const sql = file.text.slice(at, match.index + match[0].length)
        return tablesIn(sql, (offset) => file.line(at + offset)).slice(0, 1)
      })

/** Tables that Rails' migrations create. */
const migratedTables = (file: SourceFile): ReadonlyArray<Entity> =>
  [...file.text.matchAll(/^\s*create_table\s*\(?\s*[:"'](\w+)/gm)].map((match) => {
    const body = file.text.slice(match.index, match.index + 4_000).split(/\n\s*end\b/)[0]!
    return {
      name: match[1]!,
      as: "SQL table",
      line: file.line(match.index + match[0].search(/\S/)),
      fields: matches(body, /^\s*t\.(?!index)\w+\s+[:"'](\w+)/gm, MAX_FIELDS),
      relations: []
    }
  })

export const entitiesOf = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Entity> => {
  if (file.role !== "source" && file.role !== "docs") return []
  if (file.language === "yaml") return openApiSchemas(file)
  if (file.role === "docs") return []
  const found: Array<Entity> = []
  for (const { pattern, as, field } of blocks[file.language] ?? []) {
    for (const match of file.text.matchAll(pattern)) {
      const fields = match[2]!.split("\n").flatMap((line) => field.exec(line)?.[1] ?? [])
      if (!/^(?:Query|Mutation|Subscription)$/.test(match[1]!))
        found.push({
          name: match[1]!,
          as,
          line: file.line(match.index),
          fields: fields.slice(0, MAX_FIELDS),
          relations: []
        })
    }
  }
  if (file.language === "sql") found.push(...tablesIn(file.text, (offset) => file.line(offset)))
  else found.push(...embeddedTables(file))
  if (file.language === "ruby") found.push(...migratedTables(file))
  found.push(...modelsOf(file, definitions))
  return found.slice(0, MAX_ENTITIES).map((entity) => ({ ...entity, name: clip(entity.name, 80) }))
}
