import type { SourceFile } from "../../core/files/SourceFile.ts"
import { baseName } from "../../core/text/paths.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { linesOf, MAX_LINE } from "../../dependencies/lockfiles/lines.ts"
import { isPlaceholder } from "../../secrets/shape.ts"
import type { RuleId } from "./rules.ts"

/** `.env`, `.env.production`, `prod.env`; not examples, nor what tests and containers get. */
export const isEnvFile = (path: string): boolean => {
  const name = baseName(path)
  if (/example|sample|template|dist$|default|schema|test|ci\b|vault/i.test(name)) return false
  return (
    name === ".env" || /^\.env\.[\w-]+(?:\.local)?$/.test(name) || /^(?:prod|production|staging|live)\.env$/.test(name)
  )
}

const sensitive =
  /(?:^|_)(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|ENCRYPTION_KEY|APP_KEY|CREDENTIALS?)(?:_|$)/
const published =
  /^(?:VITE|NEXT_PUBLIC|REACT_APP|PUBLIC|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY|VUE_APP|STORYBOOK)_|PUBLISHABLE|PUBLIC_KEY|_(?:FILE|PATH|URL|URI|NAME|TTL|EXPIRY|EXPIRES_IN|EXPIRATION|LENGTH|TYPE|ID|ISSUER|ALGORITHM|HEADER|ENABLED)$/
const assignment = /^(?:export )?([A-Z][A-Z0-9_]{1,79})[ \t]{0,4}=[ \t]{0,4}(?:"([^"]*)"|'([^']*)'|([^\s#]*))/
const everyday =
  /^(?:root|admin|user|guest|postgres|mysql|redis|password\d*|secret\d*|token|test\w*|dev\w*|local\w*|app|null|none|true|false|\d{1,5})$/i

/** One observation for the file, at the first value that should not be there. */
export const committedValues = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const found: Array<{ readonly key: string; readonly start: number; readonly end: number }> = []
  for (const [line, lineStart] of linesOf(file.text)) {
    const match = line.length > MAX_LINE ? null : assignment.exec(line)
    if (match === null) continue
    const [whole, key = "", double, single, bare] = match
    const value = double ?? single ?? bare ?? ""
    if (!sensitive.test(key) || published.test(key) || value.length < 6) continue
    if (isPlaceholder(value) || everyday.test(value) || value.includes("$")) continue
    const start = lineStart + whole.lastIndexOf(value)
    found.push({ key, start, end: start + value.length })
  }
  const [first] = found
  if (first === undefined) return
  const names = [...new Set(found.map(({ key }) => key))]
  const shown = names.slice(0, 5).map((key) => `\`${key}\``)
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ""
  const at = file.line(first.start)
  emit({
    rule: "committed_env_file",
    start: file.lineStarts[at - 1]!,
    end: first.start,
    message: `This file sets ${shown.join(", ")}${more} to values that are not for everyone.`,
    redact: found.map(({ start, end }) => [start, end] as const)
  })
}
