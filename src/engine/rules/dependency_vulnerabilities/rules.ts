import { type RuleLanguage, ruleSet } from "../../core/tool/AuditTool.ts"
import { END_OF_LIFE_AS_OF } from "./endOfLife.ts"

const lockfiles: ReadonlyArray<RuleLanguage> = ["json", "yaml", "toml", "xml", "kotlin", "text"]

const vulnerableVersion =
  "The version that this file settles on is named by published advisories, so how to attack it is public and looked for by scanners. Move to the fixed version: for a direct dependency by raising it, for an indirect one by updating what brings it in, or by an override (npm `overrides`, yarn `resolutions`, Maven `dependencyManagement`, a Go `require`). Where no fix exists, replace the package, or dismiss this with the reason why the vulnerable function cannot be reached."

export const rules = ruleSet({
  vulnerable_version_critical: {
    languages: lockfiles,
    title: "Dependency with a critical known vulnerability",
    description: vulnerableVersion,
    example: {
      path: "requirements.txt",
      bad: `Django==3.2.4
`,
      good: `Django==4.2.16
`
    },
    identifiedAs: "vulnerable_version",
    cwe: [1395],
    confidence: 0.95,
    effort: "small",
    risk: "medium",
    priority: "P0",
    inTests: "report"
  },
  vulnerable_version: {
    languages: lockfiles,
    title: "A dependency has known vulnerabilities",
    description: vulnerableVersion,
    example: {
      path: "requirements.txt",
      bad: `requests==2.19.1
`,
      good: `requests==2.32.3
`
    },
    cwe: [1395],
    confidence: 0.95,
    effort: "small",
    risk: "medium",
    priority: "P1",
    inTests: "report"
  },
  vulnerable_version_moderate: {
    languages: lockfiles,
    title: "Dependency with known vulnerabilities: moderate severity",
    description: vulnerableVersion,
    example: {
      path: "requirements-dev.txt",
      bad: `gunicorn==21.2.0
`,
      good: `gunicorn==23.0.0
`
    },
    identifiedAs: "vulnerable_version",
    cwe: [1395],
    confidence: 0.95,
    effort: "small",
    risk: "medium",
    priority: "P2",
    inTests: "report"
  },
  vulnerable_version_low: {
    languages: lockfiles,
    title: "Dependency with known vulnerabilities: low severity",
    description: vulnerableVersion,
    example: {
      path: "examples/requirements.txt",
      bad: `requests==2.19.1
`,
      good: `requests==2.32.3
`
    },
    identifiedAs: "vulnerable_version",
    cwe: [1395],
    confidence: 0.95,
    effort: "small",
    risk: "medium",
    priority: "P3",
    inTests: "report"
  },
  malicious_package: {
    languages: ["json", "yaml", "toml", "text"],
    title: "Malicious package",
    description:
      "This release was published to attack anyone who installs it: it steals credentials, mines, or destroys files, often from an install script. Remove it, install from a clean lock file, and treat every machine and pipeline that installed it as compromised: replace the credentials that were in reach there.",
    example: {
      path: "package-lock.json",
      bad: `{
  "lockfileVersion": 3,
  "packages": {
    "node_modules/event-stream": { "version": "3.3.6" }
  }
}
`,
      good: `{
  "lockfileVersion": 3,
  "packages": {
    "node_modules/event-stream": { "version": "4.0.1" }
  }
}
`
    },
    cwe: [506],
    confidence: 0.95,
    effort: "medium",
    risk: "low",
    priority: "P0",
    inTests: "report"
  },
  end_of_life_runtime: {
    languages: ["json", "dockerfile", "text", "ruby"],
    title: "End-of-life runtime",
    description: `The language version named here is beyond its end of life (as of ${END_OF_LIFE_AS_OF}): vulnerabilities found in it since then stay open, and libraries stop supporting it one by one. Move to a version that is still maintained, in every place that names it: image, version file, manifest and pipeline.`,
    example: {
      path: "Dockerfile",
      bad: `FROM node:12
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [1104],
    confidence: 0.9,
    effort: "medium",
    risk: "medium",
    priority: "P2",
    category: "security"
  }
})

export type RuleId = keyof typeof rules
