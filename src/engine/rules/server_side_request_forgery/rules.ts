import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_url: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Untrusted input decides which server is asked",
    description:
      "The server sends the request from inside the network, so its sender reaches what only the server can reach: " +
      "metadata of the cloud with credentials in it, administration pages, databases. Compare the host of the parsed " +
      "address with a list of allowed ones before asking, refuse private and local addresses after resolving the " +
      "name, and follow no redirects.",
    cwe: [918],
    confidence: 0.85,
    effort: "medium",
    risk: "low"
  },
  untrusted_host: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Untrusted input decides which machine is connected to",
    description:
      "Whoever sends the request makes the server open connections to any machine and port it can reach, which maps " +
      "the network behind it and talks to services that trust it. Look the host up in a list that the code itself " +
      "keeps.",
    cwe: [918],
    confidence: 0.8,
    effort: "medium",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
