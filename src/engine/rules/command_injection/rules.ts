import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_command: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Untrusted input becomes part of a shell command",
    description:
      "A shell reads `;`, `|`, `$( )` and line breaks in the input as its own syntax, so whoever sends the request " +
      "runs any program with the rights of this process. Start the program without a shell and pass arguments as a " +
      "list (`execFile`, `spawn` without `shell`, `subprocess.run([...])`, `exec.Command(name, args...)`, " +
      "`ProcessBuilder` with separate arguments), and check the value against what is allowed.",
    example: {
      path: "server/archive.js",
      bad: `import { exec } from "node:child_process"

app.post("/archive", (req, res) => {
  exec("tar -czf backup.tgz " + req.query.folder, (error) => res.sendStatus(error ? 500 : 204))
})
`,
      good: `import { execFile } from "node:child_process"

app.post("/archive", (req, res) => {
  execFile("tar", ["-czf", "backup.tgz", "--", req.query.folder], (error) => res.sendStatus(error ? 500 : 204))
})
`
    },
    cwe: [78],
    confidence: 0.9,
    effort: "small",
    risk: "low"
  },
  untrusted_program: {
    languages: ["csharp", "go", "javascript", "ruby"],
    title: "Untrusted input decides which program runs",
    description:
      "The name of the program comes from the request, so any executable on the machine can be started. Look the " +
      "program up in a list that the code itself keeps and refuse everything else.",
    cwe: [78],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  built_command: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Shell command is put together from a parameter",
    description:
      "The function pastes its parameter into a command line that a shell reads, so a space or a semicolon in a file " +
      "name, branch or address already does something else, and input from outside runs programs. Start the program " +
      "without a shell and pass the value as an argument of its own, or quote it with the platform's own function " +
      "(`shlex.quote`).",
    cwe: [78],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  argument_injection: {
    languages: ["csharp", "go", "javascript", "python", "ruby"],
    title: "Untrusted input can be taken for an option of a program",
    description:
      "Programs such as git, ssh, curl and tar have options that run commands or write files, and they take any " +
      "argument that starts with a dash for one. Put `--` before values from outside where the program knows it, and " +
      "refuse values that start with a dash; in .NET add each argument to `ArgumentList`.",
    cwe: [88],
    confidence: 0.7,
    effort: "small",
    risk: "low",
    priority: "P1"
  }
})

export type RuleId = keyof typeof rules
