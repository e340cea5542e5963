import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  undocumented_variable: {
    languages: ["javascript", "python", "go", "ruby", "php", "rust", "java", "csharp"],
    title: "Undocumented environment variable",
    description:
      "The code reads this variable, and the example file that lists what to set (`.env.example` or its like) does not name it. Anyone who sets the project up from the example gets undefined behaviour, a late failure, or a default that no one chose. Add it to the example with a harmless value and a word on what it does; or, when nothing needs it any more, remove the read.",
    example: {
      path: "src/config.js",
      bad: `export const config = {
  database: process.env.DATABASE_URL,
  mail: process.env.MAIL_HOST,
  queue: process.env.QUEUE_NAME,
  region: process.env.CLOUD_REGION
}
`,
      good: `export const config = {
  database: process.env.DATABASE_URL,
  mail: process.env.MAIL_HOST,
  queue: process.env.QUEUE_NAME
}
`,
      besides: {
        ".env.example": `DATABASE_URL=
MAIL_HOST=
QUEUE_NAME=
`
      }
    },
    cwe: [],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  committed_env_file: {
    yieldsTo: ["secret_detection.environment_file_secret"],
    languages: ["text"],
    title: "Committed .env file",
    description:
      "Files like `.env` hold what differs between installations, most of all credentials. Committed, their values are known to everyone who can read the repository, now and in its history, and every installation starts with the same ones. Remove the file from the repository, ignore it, commit an example without values in its place, and replace each credential that was in it.",
    example: {
      path: ".env.production",
      bad: `APP_NAME=shop
DB_HOST=db.internal
DB_PASSWORD=Kolibri-27-Fenster
`,
      good: `APP_NAME=shop
DB_HOST=db.internal
DB_PASSWORD=\${DB_PASSWORD}
`
    },
    cwe: [540],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  tracked_artefact: {
    languages: ["text"],
    title: "Committed build artifact",
    description:
      "Installed dependencies, compiled code and files of an editor or operating system are made again by a command. In the repository they grow old unnoticed, hide what a change really changes, make every clone slower and bring in code that no one reviewed. Remove them (`git rm -r --cached`) and ignore them.",
    // It reports the paths of tracked files, whatever is in them.
    example: null,
    cwe: [],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
