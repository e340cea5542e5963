import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"

/** A class whose objects are stored: in a table, a collection, behind a repository. */
export interface RecordClass {
  readonly name: string
  /** Fields that hold no free text: numbers, dates, identifiers, words from a list. */
  readonly clean: ReadonlyArray<string>
  /** Only the columns of its table stand here. */
  readonly isTable: boolean
  /** Fields that a method of the class sets, which makes something else of what it is given. */
  readonly setters: ReadonlyArray<string>
}

const MAX_CLASSES = 200
const MAX_BODY = 40_000

/** How a language declares such classes. */
interface Declarations {
  /** Text without which a file declares none. */
  readonly hint: RegExp
  /** Where a declaration begins; a group names the class. */
  readonly head: RegExp
  /** Where a field is declared that holds no free text; a group names it, or several, as code lists them. */
  readonly clean: ReadonlyArray<RegExp>
  readonly setter?: RegExp
  /** Text without which a class of such a file is none. */
  readonly member?: RegExp
  /** From the name that the declaration gives to that of the class: of a table. */
  readonly named?: (name: string) => string
}

const pythonNumbers =
  "(?:Big|Small|Positive|PositiveSmall|PositiveBig)?(?:Integer|Auto)Field|(?:Float|Decimal|Boolean|NullBoolean|Date|DateTime|Time|Duration|UUID|GenericIPAddress|OneToOne|ManyToMany)Field|ForeignKey"

const python: Declarations = {
  hint: /\bModel\b|__tablename__|\bdb\.Model\b|DeclarativeBase|\bSQLModel\b|\bmapped_column\b|\bDocument\b/,
  head: /^[ \t]*class[ \t]+(\w+)[ \t]*\([^)\n]*(?:Model|Base|Document|Entity|Mixin)\b[^)\n]*\)[ \t]*:/gm,
  clean: [
    new RegExp(`^[ \\t]+(\\w+)[ \\t]*(?::[^=\\n]*)?=[ \\t]*(?:\\w+\\.)*(?:${pythonNumbers})\\(`, "gm"),
    /^[ \t]+(\w+)[ \t]*(?::[^=\n]*)?=[ \t]*(?:\w+\.)*(?:Column|mapped_column)\([ \t]*(?:["']\w+["'],[ \t]*)?(?:\w+\.)*(?:Integer|BigInteger|SmallInteger|Float|Numeric|Boolean|Date|DateTime|Time|Interval|Uuid|UUID|Enum)\b/gm,
    /^[ \t]+(\w+)[ \t]*:[ \t]*(?:Mapped\[)?(?:Optional\[)?(?:\w+\.)?(?:int|float|bool|Decimal|date|datetime|time|timedelta|UUID)\b/gm
  ]
}

const scriptNumbers =
  "(?:(?:DataTypes?|Sequelize)\\.(?:\\w*INT\\w*|FLOAT|DOUBLE|DECIMAL|REAL|BOOLEAN|DATE\\w*|TIME|NOW|UUID\\w*|ENUM)|Number|Boolean|Date|(?:\\w+\\.)*ObjectId|(?:\\w+\\.)*Decimal128)\\b"

const javascript: Declarations = {
  hint: /sequelize|mongoose|typeorm|objection|bookshelf|DataTypes/i,
  head: /\b(?:sequelize|db|mongoose|connection|conn)\.(?:define|model)(?:<[^()\n]{0,120}>)?\(\s*["'`](\w+)["'`]|\bmodel(?:<[^()\n]{0,120}>)?\(\s*["'`](\w+)["'`]\s*,|\bclass\s+(\w+)\s+extends\s+(?:\w+\.)*(?:Model|BaseEntity|Document)\b|@Entity\([^)]*\)\s*(?:@\w+\([^)]*\)\s*)*export\s+(?:default\s+)?class\s+(\w+)/g,
  clean: [
    new RegExp(`(\\w+)\\s*:\\s*(?:\\{[^{}]*?\\btype\\s*:\\s*)?${scriptNumbers}`, "g"),
    /(\w+)\s*:\s*\{[^{}]*?\b(?:enum\s*:|match\s*:|validate\s*:\s*\{\s*(?:is|isIn|isInt|isNumeric|isAlpha|isAlphanumeric|isUUID)\b)/g,
    /(\w+)[?!]?\s*:\s*(?:number|boolean|Date|bigint)\b/g
  ]
}

/** `order_items` and `OrderItems` are the table of `OrderItem`. */
export const classOfTable = (table: string): string =>
  singular(table).replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const singular = (name: string): string =>
  name.endsWith("ies")
    ? `${name.slice(0, -3)}y`
    : /(?:s|x|z|ch|sh)es$/.test(name)
      ? name.slice(0, -2)
      : name.replace(/([^s])s$/, "$1")

const ruby: Declarations = {
  hint: /\bApplicationRecord\b|\bActiveRecord::Base\b|\bMongoid::Document\b|\bSequel::Model\b/,
  head: /^[ \t]*class[ \t]+(?:\w+::)*(\w+)[ \t]*<[ \t]*(?:::)?(?:ApplicationRecord|ActiveRecord::Base|Sequel::Model)\b|^[ \t]*class[ \t]+(\w+)[ \t]*\n[ \t]*include Mongoid::Document\b/gm,
  clean: [
    /^[ \t]*validates[ \t(]+((?::\w+[ \t]*,[ \t]*)+)[^\n]*(?:\b(?:numericality|inclusion)\b|\bformat:[^\n]*\\A)/gm,
    /^[ \t]*validates_(?:numericality|inclusion)_of[ \t(]+((?::\w+[ \t]*,?[ \t]*)+)/gm,
    /^[ \t]*enum[ \t(]+:?(\w+)/gm,
    /^[ \t]*field[ \t]+(:\w+),[ \t]*type:[ \t]*(?:Integer|Float|BigDecimal|Date|DateTime|Time|Boolean|Mongoid::Boolean)\b/gm
  ]
}

const rubySchema: Declarations = {
  hint: /\bActiveRecord::Schema\b/,
  head: /^[ \t]*create_table[ \t(]+["'](\w+)["']/gm,
  clean: [
    /^[ \t]*\w+\.(?:integer|bigint|float|decimal|boolean|date|datetime|time|timestamp|uuid|inet|references)[ \t(]+["'](\w+)["']/gm
  ],
  named: classOfTable
}

const java: Declarations = {
  hint: /@(?:Entity|Document|MappedSuperclass|Table|Node|RedisHash)\b/,
  head: /@(?:Entity|Document|MappedSuperclass|Table|Node|RedisHash)\b(?:[^{};"]|"[^"\n]*")*?\b(?:class|record)\s+(\w+)/g,
  clean: [
    /\b(?:int|long|short|byte|double|float|boolean|char|Integer|Long|Short|Byte|Double|Float|Boolean|Character|BigDecimal|BigInteger|UUID|Date|LocalDate|LocalDateTime|LocalTime|OffsetDateTime|ZonedDateTime|Instant|Timestamp|Duration)\s+(\w+)\s*[;=,)]/g,
    /@(?:Pattern|Digits|Enumerated)\b(?:\((?:[^()"]|"[^"\n]*")*\))?\s*(?:@\w+(?:\((?:[^()"]|"[^"\n]*")*\))?\s*)*(?:private|protected|public)?\s*\w+\s+(\w+)\s*[;=]/g
  ],
  setter: /\bset([A-Z]\w*)\s*\([^()]*\)\s*\{(?!\s*this\.\w+\s*=\s*\w+\s*;)/g
}

const phpModel: Declarations = {
  hint: /\bextends\s+(?:Model|Authenticatable|Pivot)\b/,
  head: /^[ \t]*(?:final\s+|abstract\s+)?class\s+(\w+)\s+extends\s+(?:Model|Authenticatable|Pivot)\b/gm,
  clean: [
    /["'](\w+)["']\s*=>\s*(?:["'](?:int|integer|real|float|double|decimal[\w:]*|bool|boolean|date|datetime|timestamp|immutable_\w+)\b|\w+::class)/g
  ]
}

const phpEntity: Declarations = {
  hint: /#\[(?:ORM\\)?Entity\b|@ORM\\Entity\b/,
  head: /(?:#\[(?:ORM\\)?Entity\b|@ORM\\Entity\b)[^{};]*?\bclass\s+(\w+)/g,
  clean: [/\b(?:int|float|bool|\\?DateTime\w*)\s+\$(\w+)\s*[;=,)]/g],
  setter: /\bset([A-Z]\w*)\s*\([^()]*\)\s*(?::\s*\??\w+\s*)?\{(?!\s*\$this->\w+\s*=\s*\$\w+\s*;)/g
}

const phpMigration: Declarations = {
  hint: /\bSchema::(?:create|table)\(/,
  head: /\bSchema::(?:create|table)\(\s*["'](\w+)["']/g,
  clean: [
    /->(?:\w*[iI]nteger|\w*[iI]ncrements|float|double|decimal|boolean|date\w*|time\w*|uuid|ulid|foreignId|enum|ipAddress|year)\(\s*["'](\w+)["']/g
  ],
  named: classOfTable
}

const csharp: Declarations = {
  hint: /\bId\s*\{\s*get;|\[(?:Key|Table)\b/,
  head: /^[ \t]*(?:(?:public|internal|sealed|partial|abstract)\s+)+(?:class|record)\s+(?!\w*(?:Controller|Page|Service|Repository|Handler|Context|Hub)\b)(\w+)/gm,
  member: /\{\s*get\s*;/,
  clean: [
    /\b(?:u?int|u?long|short|byte|decimal|double|float|bool|Guid|DateTime|DateTimeOffset|DateOnly|TimeOnly|TimeSpan)\??\s+(\w+)\s*\{\s*get\b/g,
    /\[RegularExpression\((?:[^()"]|"[^"\n]*")*\)\]\s*(?:\[[^\]\n]*\]\s*)*public\s+\w+\??\s+(\w+)/g
  ]
}

const go: Declarations = {
  hint: /\bgorm\b/,
  head: /^type[ \t]+(\w+)[ \t]+struct\b/gm,
  clean: [/^[ \t]+(\w+)[ \t]+\*?(?:u?int(?:8|16|32|64)?|float(?:32|64)|bool|time\.(?:Time|Duration)|uuid\.UUID)\b/gm]
}

const declarations: Partial<Record<string, ReadonlyArray<Declarations>>> = {
  python: [python],
  javascript: [javascript],
  ruby: [ruby, rubySchema],
  java: [java],
  php: [phpModel, phpEntity, phpMigration],
  csharp: [csharp],
  go: [go]
}

const namesIn = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].flatMap((match) =>
    match.slice(1).flatMap((group) => (group === undefined ? [] : [...group.matchAll(/\w+/g)].map(([name]) => name)))
  )

const declared = (
  file: SourceFile,
  { hint, head, clean, setter, member, named }: Declarations
): ReadonlyArray<RecordClass> => {
  if (!hint.test(file.text)) return []
  const heads = [...file.text.matchAll(head)].slice(0, MAX_CLASSES)
  return heads.flatMap((match, i) => {
    // A schema may stand before the line that names it.
    const start = i === 0 ? 0 : match.index
    const end = heads[i + 1]?.index ?? file.text.length
    const body = file.text.slice(start, Math.min(end, start + MAX_BODY))
    const name = match.slice(1).find((group) => group !== undefined) ?? ""
    if (member?.test(body) === false) return []
    return {
      name: named === undefined ? name : named(name),
      isTable: named !== undefined,
      clean: [...new Set(clean.flatMap((pattern) => namesIn(body, pattern)))],
      setters:
        setter === undefined ? [] : namesIn(body, setter).map((one) => one.slice(0, 1).toLowerCase() + one.slice(1))
    }
  })
}

const collect = (file: SourceFile): ReadonlyArray<RecordClass> =>
  (declarations[ruleLanguageOf(file.language)] ?? []).flatMap((one) => declared(file, one))

/** The classes of a file whose objects are stored. */
export const recordClasses = (file: SourceFile): ReadonlyArray<RecordClass> => file.memo(recordClasses, collect)

/** Are objects of this class of the file stored? */
export const storesRecords = (file: SourceFile, name: string): boolean =>
  recordClasses(file).some((one) => one.name === name)
