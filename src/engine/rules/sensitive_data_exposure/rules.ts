import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  secret_in_log: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Sensitive information in logs: secret logged",
    description:
      "Everyone who can read the logs learns the secret, and logs are copied to files, collectors and tickets and kept for " +
      "long. A password, token or key is passed to a logging call. Leave the value out, or log that it is present, its " +
      "last characters or a keyed hash of it; then rotate secrets that were logged already.",
    example: {
      path: "server/login.js",
      bad: `app.post("/login", (req, res) => {
  const { email, password } = req.body
  logger.info(\`login of \${email} with \${password}\`)
  signIn(email, password, res)
})
`,
      good: `app.post("/login", (req, res) => {
  const { email, password } = req.body
  logger.info(\`login of \${email}\`)
  signIn(email, password, res)
})
`
    },
    cwe: [532],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  request_in_log: {
    languages: ["go", "javascript", "php", "python"],
    title: "Sensitive information in logs: whole request logged",
    description:
      "Everyone who can read the logs learns the passwords, session cookies and personal data of users. A whole body, " +
      "header set or form is passed to a logging call, with all fields that it has now or later. Log the fields you need " +
      "by name, or redact the object first.",
    example: {
      path: "server/login.js",
      bad: `app.post("/login", (req, res) => {
  console.log(req.body)
  signIn(req.body.email, req.body.password, res)
})
`,
      good: `app.post("/login", (req, res) => {
  console.log("login of", req.body.email)
  signIn(req.body.email, req.body.password, res)
})
`
    },
    cwe: [532],
    confidence: 0.65,
    effort: "small",
    risk: "low"
  },
  stack_to_client: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Information exposure: stack trace in a response",
    description:
      "An attacker who provokes an error learns the versions, paths and structure of the program, and sometimes the data " +
      "it handled. The response to the request contains a stack trace. Log it under an id and return the id and a plain " +
      "sentence; include details in development only.",
    example: {
      path: "server/errors.js",
      bad: `app.use((error, req, res, next) => {
  res.status(500).json({ error: error.stack })
})
`,
      good: `app.use((error, req, res, next) => {
  logger.error(error)
  res.status(500).json({ error: "Something went wrong." })
})
`
    },
    cwe: [209],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  exception_text_to_client: {
    languages: ["csharp", "go", "java", "javascript", "python", "ruby"],
    title: "Information exposure: internal error message in a response",
    description:
      "A client learns SQL, paths, host names or data of other users. The response to an unexpected error contains the " +
      "error's own message, which comes from drivers and libraries. Return messages of your own error types only; for " +
      "everything else log the error and return a plain sentence.",
    example: {
      path: "app/views.py",
      bad: `from django.http import HttpResponse


def report(request):
    try:
        return render_report(request)
    except Exception as error:
        return HttpResponse(str(error), status=500)
`,
      good: `import logging
from django.http import HttpResponse


def report(request):
    try:
        return render_report(request)
    except Exception:
        logging.exception("report failed")
        return HttpResponse("The report could not be created.", status=500)
`
    },
    cwe: [209],
    confidence: 0.62,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  token_in_local_storage: {
    languages: ["javascript"],
    title: "Insecure storage: token in localStorage",
    description:
      "One injected script or compromised dependency steals the session. A token is stored in localStorage, which every " +
      "script of the page can read and which persists after the browser is closed. Keep the session in a cookie with " +
      "HttpOnly, Secure and SameSite, or hold short-lived tokens in memory.",
    example: {
      path: "web/session.js",
      bad: `export const signedIn = (response) => {
  localStorage.setItem("access_token", response.data.token)
}
`,
      good: `let accessToken = null

export const signedIn = (response) => {
  accessToken = response.data.token
}
`
    },
    cwe: [922],
    confidence: 0.8,
    effort: "medium",
    risk: "medium"
  },
  secret_in_url: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Sensitive information in a URL query string",
    description:
      "Everyone who can read access logs, proxies, browser histories, analytics or the Referer header learns the secret. A " +
      "password or secret is part of the query string of a URL. Send it in a header or in the body of a POST request.",
    example: {
      path: "web/profile.js",
      bad: `export const profile = (user, password) =>
  fetch(\`https://api.example.com/me?user=\${user}&password=\${password}\`)
`,
      good: `export const profile = (user, password) =>
  fetch("https://api.example.com/me", { method: "POST", body: JSON.stringify({ user, password }) })
`
    },
    cwe: [598],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  api_key_in_url: {
    languages: ["go", "javascript", "ruby"],
    title: "Sensitive information in a URL query string: API key or token",
    description:
      "Everyone who can read access logs, proxies or browser histories can use the key. An API key or access token is part " +
      "of the query string of a URL, which some services require. Send it in the `Authorization` header where the service " +
      "accepts that, and restrict what the key can do where it does not.",
    example: {
      path: "web/weather.js",
      bad: `export const weather = (city, key) =>
  fetch("https://api.example.com/weather?city=" + city + "&api_key=" + key)
`,
      good: `export const weather = (city, key) =>
  fetch("https://api.example.com/weather?city=" + city, { headers: { authorization: "Bearer " + key } })
`
    },
    cwe: [598],
    // The service that issues the key often requires it there.
    confidence: 0.6,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
