import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  no_lockfile: {
    languages: ["json", "ruby", "toml"],
    title: "Missing lock file of an application",
    description:
      "Without a lock file every installation resolves its dependencies again: a release that appears in the meantime, broken or malicious, reaches production untested, no one can say which versions ran, and known vulnerabilities cannot be looked up. Commit the lock file that the package manager writes (and do not ignore it), and install from it in pipelines (`npm ci`, `bundle install --deployment`, `composer install`, `cargo build --locked`).",
    // The correction is a file that is added, not a change of this one.
    example: null,
    cwe: [1357],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  insecure_source: {
    languages: ["json", "yaml", "xml", "ruby", "toml", "kotlin", "text"],
    title: "Insecure dependency source: plain HTTP or unpinned git",
    description:
      "Code fetched over plain http, or over git without a commit, is whatever stands there at the time or anyone who sits in between puts there, and it runs with all rights of the build. Use https, pin repositories to a full commit and archives to a digest, or publish the package to a registry.",
    example: {
      path: "requirements.txt",
      bad: `git+https://github.com/acme/tool.git@main#egg=tool
`,
      good: `git+https://github.com/acme/tool.git@0123456789012345678901234567890123456789#egg=tool
`
    },
    cwe: [829],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  licence_conflict: {
    languages: ["json"],
    title: "Licence conflict: copyleft dependency in a permissive project",
    description:
      "The project says that anyone may use it on permissive terms, and ships with a package whose licence (GPL or AGPL) asks for the whole to be given on its own terms when it is distributed, or with AGPL also when it is offered over a network. Replace the package, keep it out of what is distributed, or get a licence for it; where its licence has a choice or an exception that applies, note that and dismiss this.",
    example: {
      path: "package-lock.json",
      bad: `{
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "shop", "license": "MIT" },
    "node_modules/table": { "version": "1.0.0", "license": "AGPL-3.0-or-later" }
  }
}
`,
      good: `{
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "shop", "license": "MIT" },
    "node_modules/grid": { "version": "1.0.0", "license": "MIT" }
  }
}
`,
      besides: {
        "package.json": `{ "name": "shop", "license": "MIT" }
`
      }
    },
    cwe: [],
    confidence: 0.75,
    effort: "medium",
    risk: "medium",
    inTests: "report"
  }
})

export type RuleId = keyof typeof rules
