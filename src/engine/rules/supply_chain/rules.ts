import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  no_lockfile: {
    languages: ["json", "ruby", "toml"],
    title: "An application without a lock file",
    description:
      "Without a lock file every installation resolves its dependencies anew: a release that appears in the meantime, broken or malicious, reaches production untested, nobody can say which versions ran, and known vulnerabilities cannot be looked up. Commit the lock file that the package manager writes (and do not ignore it), and install from it in pipelines (`npm ci`, `bundle install --deployment`, `composer install`, `cargo build --locked`).",
    cwe: [1357],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  insecure_source: {
    languages: ["json", "yaml", "xml", "ruby", "toml", "kotlin", "text"],
    title: "Dependencies from a source that cannot be trusted",
    description:
      "Code fetched over plain http, or over git without a commit, is whatever stands there at the time or whoever sits in between puts there, and it runs with all rights of the build. Use https, pin repositories to a full commit and archives to a digest, or publish the package to a registry.",
    cwe: [829],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  licence_conflict: {
    languages: ["json"],
    title: "A copyleft dependency in a project under a permissive licence",
    description:
      "The project says that anybody may use it on permissive terms, and ships with a package whose licence (GPL or AGPL) asks for the whole to be given on its own terms when it is distributed, or with AGPL also when it is offered over a network. Replace the package, keep it out of what is distributed, or get a licence for it; where its licence has a choice or an exception that applies, note that and dismiss this.",
    cwe: [],
    confidence: 0.75,
    effort: "medium",
    risk: "medium",
    inTests: "report"
  }
})

export type RuleId = keyof typeof rules
