import { ruleSet } from "../../../core/tool/AuditTool.ts"

const expressionInjection =
  "GitHub replaces an expression in double braces before the shell or the script starts, so a pull request title, branch name or " +
  "comment that holds `$(…)`, a quote or a line break becomes code of this workflow, with its token and secrets. " +
  'Hand the value over as an environment variable (`env:` of the step) and use `"$TITLE"` in the script, ' +
  "or `process.env.TITLE` in github-script."

const remoteScript =
  "What the server answers today runs in this job, next to its token and secrets, and nothing notices when it " +
  "is another script than yesterday. Use a pinned setup action or package, or download a fixed version and " +
  "compare its checksum before running it."

const environmentPoisoning =
  "Each line of `$GITHUB_ENV` and `$GITHUB_PATH` becomes a variable or a search path of all following steps; a " +
  "line break in foreign text adds `LD_PRELOAD`, `NODE_OPTIONS` or a path to a fake program. Keep such values in " +
  "the step that needs them, or check that they are a number or a commit before writing them."

const remoteScriptOverHttp =
  "Anyone on the network path decides which commands run in this job, next to its token and secrets. The script is " +
  "downloaded over plain HTTP, which anyone can change on the way, and is run without a look at it. Use a pinned setup " +
  "action or package, or download a fixed version over HTTPS and compare its checksum before running it."

/** Text that a script of a step runs or passes on. */
export const scriptRules = ruleSet({
  expression_injection: {
    languages: ["yaml"],
    title: "GitHub Actions expression injection (script injection)",
    description: expressionInjection,
    example: {
      path: ".github/workflows/greet.yml",
      bad: `on: issues
permissions: { contents: read }
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - run: echo "New issue \${{ github.event.issue.title }}"
`,
      good: `on: issues
permissions: { contents: read }
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - run: echo "New issue $TITLE"
        env:
          TITLE: \${{ github.event.issue.title }}
`
    },
    cwe: [94, 78],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  expression_injection_unprivileged: {
    languages: ["yaml"],
    title: "GitHub Actions expression injection: workflow without secrets",
    description: expressionInjection,
    example: {
      path: ".github/workflows/check.yml",
      bad: `on: pull_request
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - run: ./check-title "\${{ github.event.pull_request.title }}"
`,
      good: `on: pull_request
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - run: ./check-title "$TITLE"
        env:
          TITLE: \${{ github.event.pull_request.title }}
`
    },
    cwe: [94, 78],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  environment_poisoning: {
    languages: ["yaml"],
    title: "Environment injection through GITHUB_ENV or GITHUB_PATH",
    description: environmentPoisoning,
    example: {
      path: ".github/workflows/note.yml",
      bad: `on: issue_comment
permissions: { contents: read }
jobs:
  note:
    runs-on: ubuntu-latest
    steps:
      - env:
          BODY: \${{ github.event.comment.body }}
        run: echo "NOTE=$BODY" >> "$GITHUB_ENV"
`,
      good: `on: issue_comment
permissions: { contents: read }
jobs:
  note:
    runs-on: ubuntu-latest
    steps:
      - env:
          BODY: \${{ github.event.comment.body }}
        run: ./note "$BODY"
`
    },
    cwe: [74, 77],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  environment_poisoning_unprivileged: {
    languages: ["yaml"],
    title: "Environment injection in a workflow without secrets",
    description: environmentPoisoning,
    example: {
      path: ".github/workflows/note.yml",
      bad: `on: pull_request
jobs:
  note:
    runs-on: ubuntu-latest
    steps:
      - env:
          BODY: \${{ github.event.pull_request.body }}
        run: echo "NOTE=$BODY" >> "$GITHUB_ENV"
`,
      good: `on: pull_request
jobs:
  note:
    runs-on: ubuntu-latest
    steps:
      - env:
          BODY: \${{ github.event.pull_request.body }}
        run: ./note "$BODY"
`
    },
    cwe: [74, 77],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  remote_script: {
    languages: ["yaml"],
    title: "Remote script piped to a shell in a workflow",
    description: remoteScript,
    example: {
      path: ".github/workflows/test.yml",
      bad: `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: curl -sSL https://install.example.org/tool.sh | bash
`,
      good: `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: |
          curl -fsSLO https://example.org/tool-1.4.2.tar.gz
          sha256sum -c tool.sha256
`
    },
    cwe: [494],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  remote_script_over_http: {
    languages: ["yaml"],
    title: "Remote script over HTTP piped to a shell in a workflow",
    description: remoteScriptOverHttp,
    example: {
      path: ".github/workflows/test.yml",
      bad: `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: curl -sSL http://install.example.org/tool.sh | bash
`,
      good: `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: |
          curl -fsSLO https://example.org/tool-1.4.2.tar.gz
          sha256sum -c tool.sha256
`
    },
    cwe: [494, 319],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  unsecure_commands: {
    languages: ["yaml"],
    title: "Insecure workflow commands enabled (set-env, add-path)",
    description:
      "`ACTIONS_ALLOW_UNSECURE_COMMANDS` lets any line that a step prints set environment variables and the path of " +
      "the following steps; a log line with foreign text is enough to run code. Write to `$GITHUB_ENV` and " +
      "`$GITHUB_PATH` instead and remove the switch.",
    example: {
      path: ".github/workflows/test.yml",
      bad: `on: push
env:
  ACTIONS_ALLOW_UNSECURE_COMMANDS: true
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: echo "::set-env name=MODE::test"
`,
      good: `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: echo "MODE=test" >> "$GITHUB_ENV"
`
    },
    cwe: [78, 1188],
    confidence: 0.95,
    effort: "small",
    risk: "low",
    priority: "P2"
  }
})
