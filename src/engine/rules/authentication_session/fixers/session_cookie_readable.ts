import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { withCookieFlags } from "../cookieEdits.ts"

/** Hides the cookie from scripts; where it is sent over plain HTTP as well, TLS is required, too. */
export default fixer({
  tool: "authentication_session",
  rule: "session_cookie_readable",
  languages: ["go", "java", "javascript", "php", "python", "ruby"],
  propose: (site) => {
    if (/\bdocument\.cookie\b/.test(site.file.text)) return declined("A script of this file reads cookies.")
    const isAlsoPlain = site.match.message.includes("unencrypted")
    return withCookieFlags(site, isAlsoPlain ? ["httpOnly", "secure"] : ["httpOnly"])
  }
})
