import { baseName, folderOf } from "../../core/text/paths.ts"
import { lineAt, type MigrationFile, type Verdict, verdict } from "./Migration.ts"

/** Whether a script does something: it has more than comments and white space. */
const hasStatement = (sql: string): boolean =>
  sql
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .split("\n")
    .some((line) => !/^\s*(?:--.*|#.*|;*)$/.test(line.replace(/\r$/, "")))

interface Marks {
  readonly form: string
  readonly up: RegExp
  readonly down: RegExp
}

/** Tools that keep both directions in one file. */
const marked: ReadonlyArray<Marks> = [
  { form: "goose", up: /^[ \t]*--[ \t]*\+goose[ \t]+up\b/im, down: /^[ \t]*--[ \t]*\+goose[ \t]+down\b/im },
  { form: "sql-migrate", up: /^[ \t]*--[ \t]*\+migrate[ \t]+up\b/im, down: /^[ \t]*--[ \t]*\+migrate[ \t]+down\b/im },
  { form: "dbmate", up: /^[ \t]*--[ \t]*migrate:up\b/im, down: /^[ \t]*--[ \t]*migrate:down\b/im }
]

const inOneFile = ({ text }: MigrationFile): Verdict | null => {
  const tool = marked.find(({ up }) => up.test(text))
  if (tool === undefined) return null
  const down = tool.down.exec(text)
  if (down === null)
    return verdict(tool.form, false, `has no part to take it back, which ${tool.form} marks in the same file`)
  const line = lineAt(text, down.index)
  const up = tool.up.exec(text)
  const rest = text.slice(down.index + down[0].length, up !== null && up.index > down.index ? up.index : undefined)
  return hasStatement(rest)
    ? verdict(tool.form, true, "has a part that takes it back", line)
    : verdict(tool.form, false, "has an empty part to take it back", line)
}

const liquibase = ({ text }: MigrationFile): Verdict | null => {
  if (!/^\s*--\s*liquibase formatted sql/i.test(text)) return null
  const sets = text.split(/^[ \t]*--[ \t]*changeset\b/im).slice(1)
  const without = sets.filter((set) => !/^[ \t]*--[ \t]*rollback\b/im.test(set)).length
  return without === 0
    ? verdict("Liquibase", true, `has a rollback for each of its ${sets.length} change sets`)
    : verdict("Liquibase", false, `has ${without} of ${sets.length} change sets without a rollback`)
}

/** A script of its own takes it back. */
const beside = async (file: MigrationFile, form: string, down: string): Promise<Verdict> => {
  const text = file.has(down) ? await file.read(down) : null
  if (text === null) return verdict(form, false, `has no ${baseName(down)} that takes it back`)
  return hasStatement(text)
    ? verdict(form, true, `is taken back by ${baseName(down)}`)
    : verdict(form, false, `is taken back by ${baseName(down)}, which is empty`)
}

const flyway = async (file: MigrationFile): Promise<Verdict | null> => {
  const name = baseName(file.path)
  if (/^R__/.test(name)) return verdict("Flyway", null, "is run again whenever it changes, and has no way back")
  if (!/^V[\d._]+__/.test(name)) return null
  return beside(file, "Flyway", `${folderOf(file.path)}${name.replace(/^V/, "U")}`)
}

/** A script in SQL; null where it is none that is run forwards. */
export const sqlMigration = async (file: MigrationFile): Promise<Verdict | null> => {
  const { path } = file
  const name = baseName(path)
  if (/(?:^|[._-])down\.sql$/i.test(name) || /^U[\d._]+__/.test(name)) return null
  const known = inOneFile(file) ?? liquibase(file) ?? (await flyway(file))
  if (known !== null) return known
  if (/(?:^|\/)prisma\/(?:.*\/)?migrations\/[^/]+\/migration\.sql$/.test(path)) {
    return beside(file, "Prisma", `${folderOf(path)}down.sql`)
  }
  if (/\.up\.sql$/i.test(name)) return beside(file, "golang-migrate", path.replace(/\.up\.sql$/i, ".down.sql"))
  if (/^up\.sql$/i.test(name)) return beside(file, "Diesel", `${folderOf(path)}down.sql`)
  return verdict(null, null, "is of no tool that is known here")
}
