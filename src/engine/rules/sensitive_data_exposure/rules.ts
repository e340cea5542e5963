import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  secret_in_log: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Secret is written to a log",
    description:
      "Logs are copied to files, collectors and tickets that far more people and programs can read than the secret " +
      "itself, and they are kept for long. Leave the value out, or log that it is there, its last characters or a " +
      "keyed hash of it; then change whatever has been logged already.",
    cwe: [532],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  request_in_log: {
    languages: ["go", "javascript", "php", "python"],
    title: "Whole request is written to a log",
    description:
      "Bodies, headers and cookies hold passwords, session cookies and personal data, now or after the next change of " +
      "the form. Log the fields you need by name, or pass the object through a redaction list first.",
    cwe: [532],
    confidence: 0.65,
    effort: "small",
    risk: "low"
  },
  stack_to_client: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Stack trace is sent to the client",
    description:
      "A stack trace tells whoever provokes an error the versions, paths and structure of the program, and sometimes " +
      "the data it was handling. Log it under an id and answer with the id and a plain sentence; show details only " +
      "where the program knows that it runs for a developer.",
    cwe: [209],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  exception_text_to_client: {
    languages: ["csharp", "go", "java", "javascript", "python", "ruby"],
    title: "Text of an unexpected error is sent to the client",
    description:
      "The text of an error nobody foresaw comes from drivers and libraries and may hold SQL, paths, host names or " +
      "other people's data. Send texts of your own error types only; for everything else log the error and answer " +
      "with a plain sentence.",
    cwe: [209],
    confidence: 0.62,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  token_in_local_storage: {
    languages: ["javascript"],
    title: "Token is kept in localStorage",
    description:
      "Everything in localStorage can be read by any script that ever runs on the page, a compromised dependency or " +
      "one injected line included, and it stays after the browser is closed. Keep the session in a cookie with " +
      "HttpOnly, Secure and SameSite, or hold short-lived tokens in memory.",
    cwe: [922],
    confidence: 0.8,
    effort: "medium",
    risk: "medium"
  },
  secret_in_url: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Secret is put into the query of an address",
    description:
      "Addresses end up in access logs, proxies, browser histories, analytics and the Referer header. Send the secret in " +
      "a header or in the body of a POST request.",
    cwe: [598],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
