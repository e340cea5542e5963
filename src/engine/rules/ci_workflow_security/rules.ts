import { ruleSet } from "../../core/tool/AuditTool.ts"

const expressionInjection =
  "GitHub replaces an expression in double braces before the shell or the script starts, so a pull request title, branch name or " +
  "comment that holds `$(…)`, a quote or a line break becomes code of this workflow, with its token and secrets. " +
  'Hand the value over as an environment variable (`env:` of the step) and use `"$TITLE"` in the script, ' +
  "or `process.env.TITLE` in github-script."

const unpinnedAction =
  "A tag or a branch is whatever its owner, or anyone who took over the owner's account, points it to today; the " +
  "new code then runs with this workflow's token and secrets. Pin the full commit (`owner/action@<40 hex " +
  "digits> # v1.2.3`) and let Dependabot or Renovate propose updates."

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

export const rules = ruleSet({
  expression_injection: {
    languages: ["yaml"],
    title: "GitHub Actions expression injection (script injection)",
    description: expressionInjection,
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
    cwe: [94, 78],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  untrusted_checkout: {
    languages: ["yaml"],
    title: "Pwn request: privileged workflow checks out pull request code",
    description:
      "`pull_request_target`, `workflow_run` and `issue_comment` run with the repository's secrets and a writing " +
      "token. Once the pull request's code is checked out there, its build scripts, tests, hooks or local actions " +
      "run with both. Build in a `pull_request` workflow without secrets and hand results over as an artifact that " +
      "is treated as data, or check out the base only.",
    cwe: [829, 94],
    confidence: 0.9,
    effort: "medium",
    risk: "medium",
    priority: "P1"
  },
  approved_untrusted_checkout: {
    languages: ["yaml"],
    title: "Pwn request: pull request code runs after an approval",
    description:
      "The author of a pull request runs code with the repository's secrets once a maintainer sets a label or approves the " +
      "environment, and a later push may bring other code than the one that was read. The privileged workflow checks out " +
      "the pull request's code and runs its build. Build in a `pull_request` workflow without secrets, or check out the " +
      "reviewed commit only.",
    cwe: [829, 94],
    confidence: 0.72,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  untrusted_checkout_not_run: {
    languages: ["yaml"],
    title: "Pwn request: pull request code checked out, not run yet",
    description:
      "The author of a pull request runs code with the repository's token as soon as one more step uses a file of the " +
      "checked-out tree: a script, a build, a local action. The privileged workflow checks out the pull request's code and " +
      "so far only reads it. Check out the base, or read the change in a `pull_request` workflow without secrets.",
    cwe: [829, 94],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  unpinned_action: {
    languages: ["yaml"],
    title: "Unpinned third-party GitHub Action",
    description: unpinnedAction,
    cwe: [1357, 829],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  action_pinned_to_branch: {
    languages: ["yaml"],
    title: "Third-party GitHub Action pinned to a branch",
    description: unpinnedAction,
    cwe: [1357, 829],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  action_with_secrets_pinned_to_branch: {
    languages: ["yaml"],
    title: "Third-party GitHub Action with secrets pinned to a branch",
    description: unpinnedAction,
    cwe: [1357, 829],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  excessive_permissions: {
    languages: ["yaml"],
    title: "Excessive GITHUB_TOKEN permissions",
    description:
      "With `write-all`, or with the repository's default where that is a writing token, every action and script of " +
      "the workflow can push commits, change releases and approve pull requests. Set `permissions: contents: read` " +
      "at the top and give single jobs the one permission they need.",
    cwe: [250, 732],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  default_permissions: {
    languages: ["yaml"],
    title: "Missing GITHUB_TOKEN permissions (repository default)",
    description:
      "Where the repository's default is a writing token, every action and script of a workflow that anyone can start can " +
      "push commits and change releases. The workflow and its jobs set no `permissions`, so the token has that default. Set " +
      "`permissions: contents: read` at the top and give single jobs the one permission they need.",
    cwe: [250, 732],
    confidence: 0.72,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  secrets_handed_out: {
    languages: ["yaml"],
    title: "Excessive secret exposure: secrets inherited by another workflow",
    description:
      "`secrets: inherit` to another owner's workflow, or the whole `secrets` context as one value, gives away " +
      "every credential of the repository and its organisation, those added later included. Pass the named secrets " +
      "that are needed.",
    cwe: [522, 668],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  remote_script: {
    languages: ["yaml"],
    title: "Remote script piped to a shell in a workflow",
    description: remoteScript,
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
    cwe: [494, 319],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  self_hosted_runner: {
    languages: ["yaml"],
    title: "Self-hosted runner for pull requests",
    description:
      "A pull request brings its own code, and on a self-hosted runner that code meets what earlier jobs left " +
      "behind and the network around the machine. If the repository takes pull requests from outside, run them on " +
      "hosted or single-use runners, or admit only branches of this repository with an `if`.",
    cwe: [829, 653],
    confidence: 0.72,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  unsecure_commands: {
    languages: ["yaml"],
    title: "Insecure workflow commands enabled (set-env, add-path)",
    description:
      "`ACTIONS_ALLOW_UNSECURE_COMMANDS` lets any line that a step prints set environment variables and the path of " +
      "the following steps; a log line with foreign text is enough to run code. Write to `$GITHUB_ENV` and " +
      "`$GITHUB_PATH` instead and remove the switch.",
    cwe: [78, 1188],
    confidence: 0.95,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  environment_poisoning: {
    languages: ["yaml"],
    title: "Environment injection through GITHUB_ENV or GITHUB_PATH",
    description: environmentPoisoning,
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
    cwe: [74, 77],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
