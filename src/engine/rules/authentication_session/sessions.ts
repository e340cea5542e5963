import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { assignments } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { around, purpose } from "./place.ts"
import type { RuleId } from "./rules.ts"

export const mentionsSessions = /\$_SESSION\b|req(?:uest)?\.session\b/

const identity = /(?:user|account|member|login|logged_?in|uid|auth\w*|is_?admin)/i

/** A session that becomes a user's keeps the id that whoever planted it knows. */
export const sessionFixation = (file: SourceFile, emit: Emit<RuleId>): void => {
  const isPhp = file.language === "php"
  if (!isPhp && !/^(?:javascript|typescript)$/.test(file.language)) return
  if (
    isPhp
      ? /session_regenerate_id|->regenerate\(|->migrate\(/.test(file.text)
      : /\.regenerate\b|cookie-session|iron-session|cookieSession/.test(file.text)
  )
    return
  const pattern = isPhp ? /^\$_SESSION\[\s*["'](\w+)["']\s*\]/ : /^(?:req|request)\.session\.(\w+)$/
  const told = new Set<number>()
  for (const { node, target, value } of assignments(file)) {
    const key = pattern.exec(target)?.[1]
    if (
      key === undefined ||
      !identity.test(key) ||
      value < 0 ||
      /^(?:null|undefined|false|""|'')$/.test(file.tree!.textOf(value))
    )
      continue
    const text = around(file, node)
    // Only where a password has just been checked.
    const isLogin = isPhp
      ? /\bpassword_verify\(/.test(text)
      : /\b(?:bcrypt(?:js)?|argon2)\.(?:compare|compareSync|verify)\(|\.(?:comparePassword|verifyPassword|checkPassword|validPassword)\(/.test(
          text
        )
    if (!isLogin) continue
    const scope = text.length + (purpose(file, node).length << 20)
    if (told.has(scope)) continue
    told.add(scope)
    emit({
      rule: "session_fixation",
      ...span(file.tree!, node),
      ...(isPhp ? {} : { confidence: 0.66 }),
      message: `${excerpt(file.tree!, node)} logs in into the session that was there before: its id is not changed.`
    })
  }
}
