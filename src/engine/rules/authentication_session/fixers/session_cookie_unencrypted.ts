import { fixer } from "../../../core/fix/Fixer.ts"
import { withCookieFlags } from "../cookieEdits.ts"

/** Sends the cookie over TLS only. */
export default fixer({
  tool: "authentication_session",
  rule: "session_cookie_unencrypted",
  languages: ["go", "java", "javascript", "php", "python"],
  propose: (site) => withCookieFlags(site, ["secure"])
})
