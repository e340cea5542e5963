import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { assignments } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import type { RuleId } from "./rules.ts"
import { around, purpose } from "./surroundings.ts"

export const mentionsSessions = /\$_SESSION\b|req(?:uest)?\.session\b/

const identity = /(?:user|account|member|login|logged_?in|uid|auth\w*|is_?admin)/i

/** The code that only runs where a password has just been verified. */
const verifiesPassword = {
  php: /\bpassword_verify\(/,
  script:
    /\b(?:bcrypt(?:js)?|argon2)\.(?:compare|compareSync|verify)\(|\.(?:comparePassword|verifyPassword|checkPassword|validPassword)\(/
}
const regenerates = {
  php: /session_regenerate_id|->regenerate\(|->migrate\(/,
  script: /\.regenerate\b|cookie-session|iron-session|cookieSession/
}
const sessionEntry = {
  php: /^\$_SESSION\[\s*["'](\w+)["']\s*\]/,
  script: /^(?:req|request)\.session\.(\w+)$/
}

/** A login that stores the user in a session whose ID an attacker may have planted. */
export const sessionFixation = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!/^(?:php|javascript|typescript)$/.test(file.language)) return
  const language = file.language === "php" ? "php" : "script"
  if (regenerates[language].test(file.text)) return
  const reported = new Set<number>()
  for (const { node, target, value } of assignments(file)) {
    const key = sessionEntry[language].exec(target)?.[1]
    if (key === undefined || !identity.test(key) || value < 0 || isEmpty(file.tree!.textOf(value))) continue
    const text = around(file, node)
    if (!verifiesPassword[language].test(text)) continue
    const scope = text.length + (purpose(file, node).length << 20)
    if (reported.has(scope)) continue
    reported.add(scope)
    emit({
      rule: language === "php" ? "session_fixation" : "session_fixation_express",
      ...span(file.tree!, node),
      message: `${excerpt(file.tree!, node)} stores the user in the existing session without regenerating its ID.`
    })
  }
}

const isEmpty = (value: string): boolean => /^(?:null|undefined|false|""|'')$/.test(value)
