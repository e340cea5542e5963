import { type Rule, ruleSet } from "../../core/tool/AuditTool.ts"

const parameterInCommand =
  "A space or a semicolon in a file name, branch or address changes what the command does, and input from outside can " +
  "run any program. The function concatenates its parameter into a command line that a shell interprets. Start the " +
  "program without a shell and pass the value as an argument of its own, or quote it with the platform's own function "

const small: Pick<Rule, "effort" | "risk"> = { effort: "small", risk: "low" }

export const rules = ruleSet({
  untrusted_command: {
    languages: ["c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "OS command injection",
    description:
      "An attacker runs any program with the rights of this process. Untrusted input is part of a command line, and a " +
      "shell interprets `;`, `|`, `$( )` and line breaks in it as its own syntax. Start the program without a shell and " +
      "pass arguments as a list (`execFile`, `spawn` without `shell`, `subprocess.run([...])`, " +
      "`exec.Command(name, args...)`, `ProcessBuilder` with separate arguments), and validate the value against an " +
      "allowlist.",
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
    ...small
  },
  untrusted_program: {
    languages: ["csharp", "go", "javascript", "python", "ruby"],
    title: "OS command injection: program name from untrusted input",
    description:
      "An attacker starts any executable on the machine. The name of the program to run comes from the request. Look " +
      "the program up in an allowlist kept in the code and reject everything else.",
    example: {
      path: "server/convert.js",
      bad: `import { spawn } from "node:child_process"

app.post("/convert", (req, res) => {
  spawn(req.body.tool, ["--version"]).on("exit", (code) => res.json({ code }))
})
`,
      good: `import { spawn } from "node:child_process"

const TOOLS = { zip: "/usr/bin/zip", tar: "/usr/bin/tar" }

app.post("/convert", (req, res) => {
  spawn(TOOLS[req.body.tool], ["--version"]).on("exit", (code) => res.json({ code }))
})
`
    },
    cwe: [78],
    confidence: 0.85,
    ...small
  },
  built_command: {
    languages: ["c", "cpp", "csharp", "go", "java", "javascript", "python", "ruby"],
    title: "OS command injection: shell command built from a parameter",
    description: `${parameterInCommand}(\`shlex.quote\`).`,
    example: {
      path: "app/thumbnails.py",
      bad: `import subprocess


def thumbnail(path):
    subprocess.run(f"convert {path} -resize 80 out.png", shell=True, check=True)
`,
      good: `import subprocess


def thumbnail(path):
    subprocess.run(["convert", path, "-resize", "80", "out.png"], check=True)
`
    },
    cwe: [78],
    confidence: 0.75,
    ...small,
    priority: "P2"
  },
  built_command_php: {
    languages: ["php"],
    title: "OS command injection: shell command built from a parameter (PHP)",
    description: `${parameterInCommand}(\`escapeshellarg\`).`,
    example: {
      path: "src/thumbnails.php",
      bad: `<?php
function thumbnail($path)
{
    return shell_exec("convert " . $path . " -resize 80 out.png");
}
`,
      good: `<?php
function thumbnail($path)
{
    return shell_exec("convert " . escapeshellarg($path) . " -resize 80 out.png");
}
`
    },
    cwe: [78],
    // Measured on code the rule was not tuned on: more often wrong in PHP than elsewhere.
    confidence: 0.65,
    ...small,
    priority: "P2"
  },
  argument_injection: {
    languages: ["csharp", "go", "javascript", "python", "ruby"],
    title: "Argument injection: untrusted input parsed as an option",
    description:
      "An attacker passes options to the program, and programs such as git, ssh, curl and tar have options that run " +
      "commands or write files. Untrusted input is an argument of its own, and one that starts with a dash is parsed " +
      "as an option. Put `--` before such values where the program supports it and reject values that start with a " +
      "dash; in .NET add each argument to `ArgumentList`.",
    example: {
      path: "server/checkout.js",
      bad: `import { execFile } from "node:child_process"

app.post("/checkout", (req, res) => {
  execFile("git", ["log", req.body.branch], (error, out) => res.send(out))
})
`,
      good: `import { execFile } from "node:child_process"

app.post("/checkout", (req, res) => {
  execFile("git", ["log", "--", req.body.branch], (error, out) => res.send(out))
})
`
    },
    cwe: [88],
    confidence: 0.7,
    ...small,
    priority: "P1"
  }
})

export type RuleId = keyof typeof rules
