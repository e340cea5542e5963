import { ruleSet } from "../../core/tool/AuditTool.ts"

const constantTimeComparison =
  "Use a comparison in constant time: `crypto.timingSafeEqual`, `hmac.compare_digest`, `hash_equals`, " +
  "`MessageDigest.isEqual`, `hmac.Equal`, `secure_compare`."

const fixation =
  "An attacker who plants a session ID in a victim's browser is logged in as the victim. The login stores the user in the " +
  "existing session without a new ID. Regenerate the session ID at login: "

export const rules = ruleSet({
  jwt_unverified: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "JWT signature not verified",
    description:
      "Anyone can write a token that says they are the administrator. The claims of a JSON Web Token are used without a " +
      "verified signature. Verify the token with the key and an explicit list of algorithms before any claim is used, and " +
      "never accept `none`.",
    example: {
      path: "server/auth.js",
      bad: `const jwt = require("jsonwebtoken")

const authenticate = (req, res, next) => {
  req.user = jwt.decode(req.headers.authorization.slice(7))
  next()
}
`,
      good: `const jwt = require("jsonwebtoken")

const authenticate = (req, res, next) => {
  req.user = jwt.verify(req.headers.authorization.slice(7), process.env.JWT_KEY, { algorithms: ["HS256"] })
  next()
}
`
    },
    cwe: [347],
    confidence: 0.85,
    effort: "small",
    risk: "medium"
  },
  jwt_algorithm_open: {
    languages: ["python"],
    title: "JWT algorithm confusion: accepted algorithms not specified",
    description:
      "An attacker can sign a token with the public key as a shared secret. Without a list of algorithms the token's own " +
      "header selects how it is verified in older libraries; newer ones reject the call at run time. Pass " +
      '`algorithms=["RS256"]`, or the algorithm that your issuer uses.',
    example: {
      path: "api/auth.py",
      bad: `import jwt


def current_user(token):
    return jwt.decode(token, KEY)["sub"]
`,
      good: `import jwt


def current_user(token):
    return jwt.decode(token, KEY, algorithms=["RS256"])["sub"]
`
    },
    cwe: [347],
    confidence: 0.72,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  jwt_expiry_ignored: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "JWT expiration not checked",
    description:
      "A leaked token, or that of a person who has left, keeps working. The expiration of the token is not checked, or only " +
      "hours later. Keep the check enabled, and allow for clocks that differ by a minute at most.",
    example: {
      path: "server/auth.js",
      bad: `const jwt = require("jsonwebtoken")

const userOf = (token) => jwt.verify(token, process.env.JWT_KEY, { algorithms: ["HS256"], ignoreExpiration: true })
`,
      good: `const jwt = require("jsonwebtoken")

const userOf = (token) => jwt.verify(token, process.env.JWT_KEY, { algorithms: ["HS256"] })
`
    },
    cwe: [613],
    confidence: 0.82,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  session_cookie_readable: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Session cookie without HttpOnly",
    description:
      "One cross-site scripting hole or compromised dependency steals the session. The session cookie is set without " +
      "`HttpOnly`, so every script of the page can read it. Set `HttpOnly`, `Secure` and `SameSite=Lax`; a page that needs " +
      "a value for its scripts should use another cookie, which grants no access.",
    example: {
      path: "server/login.js",
      bad: `app.post("/login", (req, res) => {
  res.cookie("session_id", newSession(req.user), { secure: true, sameSite: "lax" })
  res.sendStatus(204)
})
`,
      good: `app.post("/login", (req, res) => {
  res.cookie("session_id", newSession(req.user), { httpOnly: true, secure: true, sameSite: "lax" })
  res.sendStatus(204)
})
`
    },
    cwe: [1004, 614, 1275],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  },
  cookie_without_flags: {
    languages: ["go", "java", "javascript", "php", "python"],
    title: "Cookie without `HttpOnly` and `Secure`",
    description:
      "An attacker who runs a script in the page, or reads along on the network, takes the cookie. It is set without the " +
      "flags that keep scripts and unencrypted connections away from it, and nothing shows what it is for. Set both flags, " +
      "and `SameSite`, unless scripts have to read the cookie.",
    example: {
      path: "app/views.py",
      bad: `def remember(response, choice):
    response.set_cookie("basket", choice, secure=False, httponly=False)
    return response
`,
      good: `def remember(response, choice):
    response.set_cookie("basket", choice, secure=True, httponly=True, samesite="Lax")
    return response
`
    },
    cwe: [1004, 614],
    confidence: 0.6,
    priority: "P3",
    effort: "small",
    risk: "low"
  },
  session_cookie_unencrypted: {
    languages: ["go", "java", "javascript", "php", "python"],
    title: "Session cookie without Secure",
    description:
      "Anyone on the same network can read the session cookie of the first plain HTTP request. The cookie is set without " +
      "`Secure`, so browsers send it over unencrypted connections. Set `Secure` wherever the site is served over TLS, and " +
      "omit it only in a configuration for development.",
    example: {
      path: "server/login.js",
      bad: `app.post("/login", (req, res) => {
  res.cookie("access_token", newToken(req.user), { httpOnly: true })
  res.sendStatus(204)
})
`,
      good: `app.post("/login", (req, res) => {
  res.cookie("access_token", newToken(req.user), { httpOnly: true, secure: true, sameSite: "lax" })
  res.sendStatus(204)
})
`
    },
    cwe: [614],
    confidence: 0.74,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  timing_unsafe_compare: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Timing attack: HMAC compared in variable time",
    description:
      "An attacker finds a valid signature byte by byte from the time that the comparison takes. The comparison of the HMAC " +
      `stops at the first byte that differs. ${constantTimeComparison}`,
    example: {
      path: "server/webhook.js",
      bad: `const crypto = require("node:crypto")

const isSigned = (req) => {
  const expected = crypto.createHmac("sha256", process.env.KEY).update(req.rawBody).digest("hex")
  return req.headers["x-signature"] === expected
}
`,
      good: `const crypto = require("node:crypto")

const isSigned = (req) => {
  const expected = crypto.createHmac("sha256", process.env.KEY).update(req.rawBody).digest()
  return crypto.timingSafeEqual(Buffer.from(req.headers["x-signature"], "hex"), expected)
}
`
    },
    cwe: [208],
    confidence: 0.82,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  timing_unsafe_secret: {
    languages: ["javascript"],
    title: "Timing attack: shared secret compared in variable time",
    description:
      "An attacker finds the secret byte by byte from the time that the comparison takes. The comparison of a secret in the " +
      `request with the configured one stops at the first byte that differs. ${constantTimeComparison}`,
    example: {
      path: "server/apiKey.js",
      bad: `const requireKey = (req, res, next) => {
  if (req.headers["x-api-key"] !== process.env.API_KEY) return res.sendStatus(401)
  next()
}
`,
      good: `const { timingSafeEqual, createHash } = require("node:crypto")

const digest = (text) => createHash("sha256").update(text).digest()

const requireKey = (req, res, next) => {
  if (!timingSafeEqual(digest(req.headers["x-api-key"]), digest(process.env.API_KEY))) return res.sendStatus(401)
  next()
}
`
    },
    cwe: [208],
    // Hard to exploit over a network.
    confidence: 0.65,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  plain_password_compare: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Plaintext password storage",
    description:
      "Anyone who obtains the table, a backup or a log of it has every account, here and wherever the password is reused. " +
      "The stored password is compared with the entered one, which works only if it is stored in plaintext. Store a hash " +
      "by argon2id, scrypt or bcrypt, and let the library compare.",
    example: {
      path: "server/login.js",
      bad: `const signIn = async (req, res) => {
  const user = await User.findOne({ email: req.body.email })
  if (!user || user.password !== req.body.password) return res.sendStatus(401)
  res.json(user)
}
`,
      good: `const bcrypt = require("bcrypt")

const signIn = async (req, res) => {
  const user = await User.findOne({ email: req.body.email })
  if (!user || !(await bcrypt.compare(req.body.password, user.passwordHash))) return res.sendStatus(401)
  res.json(user)
}
`
    },
    cwe: [256],
    confidence: 0.78,
    effort: "medium",
    risk: "high"
  },
  constant_credentials: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Hard-coded credentials in a login check",
    description:
      "Anyone who can read the code can log in to every installation. The login compares the password with a literal, which " +
      "only a release can change. Read the credentials from the environment or a user store, keep only a hash, and fail at " +
      "start-up without them.",
    example: {
      path: "server/basic.js",
      bad: `const isAdmin = (username, password) => username === "admin" && password === "opensesame9"
`,
      good: `const bcrypt = require("bcrypt")

const isAdmin = (username, password) =>
  username === "admin" && bcrypt.compareSync(password, process.env.ADMIN_PASSWORD_HASH)
`
    },
    cwe: [798, 259],
    confidence: 0.8,
    effort: "small",
    risk: "medium"
  },
  session_fixation: {
    languages: ["php"],
    title: "Session fixation: session ID not regenerated at login",
    description: `${fixation}\`session_regenerate_id(true)\`.`,
    example: {
      path: "web/login.php",
      bad: `<?php
function signIn($user)
{
    if (!password_verify($_POST['password'], $user['hash'])) {
        return false;
    }
    $_SESSION['user_id'] = $user['id'];
    return true;
}
`,
      good: `<?php
function signIn($user)
{
    if (!password_verify($_POST['password'], $user['hash'])) {
        return false;
    }
    session_regenerate_id(true);
    $_SESSION['user_id'] = $user['id'];
    return true;
}
`
    },
    cwe: [384],
    confidence: 0.74,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  session_fixation_express: {
    languages: ["javascript"],
    title: "Session fixation: Express session not regenerated at login",
    description: `${fixation}\`req.session.regenerate(…)\`.`,
    example: {
      path: "server/login.js",
      bad: `const bcrypt = require("bcrypt")

const signIn = async (req, res) => {
  const user = await User.findOne({ email: req.body.email })
  if (!(await bcrypt.compare(req.body.password, user.hash))) return res.sendStatus(401)
  req.session.userId = user.id
  res.sendStatus(204)
}
`,
      good: `const bcrypt = require("bcrypt")

const signIn = async (req, res) => {
  const user = await User.findOne({ email: req.body.email })
  if (!(await bcrypt.compare(req.body.password, user.hash))) return res.sendStatus(401)
  req.session.regenerate(() => {
    req.session.userId = user.id
    res.sendStatus(204)
  })
}
`
    },
    cwe: [384],
    // The session store may already reject session IDs that it did not create.
    confidence: 0.66,
    effort: "small",
    risk: "low",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
