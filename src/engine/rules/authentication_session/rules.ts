import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  jwt_unverified: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Token is accepted without a checked signature",
    description:
      "A JSON Web Token is only text until its signature is checked: without that, anyone can write one that says " +
      "they are the administrator. Verify it with the key and an explicit list of algorithms before any of its " +
      "claims is used, and never accept `none`.",
    cwe: [347],
    confidence: 0.85,
    effort: "small",
    risk: "medium"
  },
  jwt_algorithm_open: {
    languages: ["python"],
    title: "Token may choose the algorithm it is checked with",
    description:
      "Without a list of algorithms the token's own header decides how it is checked. Older libraries then take a " +
      "public key for a shared secret, which lets anyone sign; newer ones refuse at run time. Pass " +
      '`algorithms=["RS256"]`, or the one that your issuer uses.',
    cwe: [347],
    confidence: 0.72,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  jwt_expiry_ignored: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Expired tokens are accepted",
    description:
      "A token that leaked, or that belongs to somebody who has left, works until it expires; when expiry is not " +
      "checked, or only hours later, it works for that much longer. Keep the check on, and allow for clocks that " +
      "differ by a minute at most.",
    cwe: [613],
    confidence: 0.82,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  session_cookie_readable: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Session cookie can be read by scripts",
    description:
      "Without `HttpOnly` every script of the page can read the cookie, so one cross-site scripting hole, or one " +
      "bad dependency, gives away the session. Set `HttpOnly`, `Secure` and `SameSite=Lax`; a page that needs a " +
      "value for its scripts should get another cookie, which opens nothing.",
    cwe: [1004, 614, 1275],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  },
  session_cookie_unencrypted: {
    languages: ["go", "java", "javascript", "php", "python"],
    title: "Session cookie travels over unencrypted connections",
    description:
      "Without `Secure` the browser sends the cookie with the first plain HTTP request, where anyone on the same " +
      "network can read it. Set `Secure` wherever the site is served over TLS, and leave it off only in a " +
      "configuration for development.",
    cwe: [614],
    confidence: 0.74,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  timing_unsafe_compare: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Signature is compared in a way that leaks how much matches",
    description:
      "A plain comparison stops at the first byte that differs, and how long it took tells an attacker how many were " +
      "right; with enough tries a valid signature can be built. Use the comparison that always takes the same time: " +
      "`crypto.timingSafeEqual`, `hmac.compare_digest`, `hash_equals`, `MessageDigest.isEqual`, `hmac.Equal`, " +
      "`secure_compare`.",
    cwe: [208],
    confidence: 0.82,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  plain_password_compare: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Passwords are stored as they were typed",
    description:
      "Comparing the stored password with the typed one works only when it is stored as plain text: whoever gets the " +
      "table, a backup or a log of it has every account, here and wherever the password is used again. Store a hash " +
      "by argon2id, scrypt or bcrypt, and let the library compare.",
    cwe: [256],
    confidence: 0.78,
    effort: "medium",
    risk: "high"
  },
  constant_credentials: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Login is checked against a password in the code",
    description:
      "Everyone who can read the code can log in, on every installation, and the password can only be changed by a " +
      "release. Read the credentials from the environment or a user store, keep only a hash, and refuse to start " +
      "without them.",
    cwe: [798],
    confidence: 0.8,
    effort: "small",
    risk: "medium"
  },
  session_fixation: {
    languages: ["javascript", "php"],
    title: "Login keeps the old session id",
    description:
      "Whoever got a victim's browser to use a session id they know is logged in with it as soon as the victim is. " +
      "Give the session a new id when its rights change: `session_regenerate_id(true)`, or " +
      "`req.session.regenerate(…)`, before the user is put into it.",
    cwe: [384],
    confidence: 0.74,
    effort: "small",
    risk: "low",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
