import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  undocumented_variable: {
    languages: ["javascript", "python", "go", "ruby", "php", "rust", "java", "csharp"],
    title: "An environment variable that the example file does not list",
    description:
      "The code reads this variable, and the example file that tells people what to set (`.env.example` or its like) does not name it. Whoever sets the project up from the example gets undefined behaviour, a late failure, or a default that nobody chose. Add it to the example with a harmless value and a word on what it does; or, when nothing needs it any more, remove the read.",
    cwe: [],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  committed_env_file: {
    languages: ["text"],
    title: "An environment file with values is part of the repository",
    description:
      "Files like `.env` hold what differs between installations, most of all credentials. Committed, their values are known to everybody who can read the repository, now and in its history, and every installation starts with the same ones. Remove the file from the repository, ignore it, commit an example without values in its place, and replace each credential that was in it.",
    cwe: [540],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  tracked_artefact: {
    languages: ["text"],
    title: "Files that are produced, not written, are part of the repository",
    description:
      "Installed dependencies, compiled code and files of an editor or operating system are made anew by a command. In the repository they grow old unnoticed, hide what a change really changes, make every clone slower and bring in code that nobody reviewed. Remove them (`git rm -r --cached`) and ignore them.",
    cwe: [],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
