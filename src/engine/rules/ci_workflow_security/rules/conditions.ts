import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** Conditions, and what the service refuses or no longer has. */
export const conditionRules = ruleSet({
  spoofable_bot_condition: {
    languages: ["yaml"],
    title: "Bot check on github.actor that can be spoofed",
    description:
      "Anyone can open a pull request from a branch on which the bot acted last: `github.actor` is who caused " +
      "the latest event, not who wrote the pull request, so the check lets a stranger's change through to this " +
      "workflow's secrets. Compare `github.event.pull_request.user.login` instead.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: pull_request_target
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    if: github.actor == 'dependabot[bot]'
    steps:
      - run: ./merge
`,
      good: `on: pull_request_target
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    if: github.event.pull_request.user.login == 'dependabot[bot]'
    steps:
      - run: ./merge
`
    },
    cwe: [290],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  unsound_contains: {
    languages: ["yaml"],
    title: "Condition with contains() of a string matches parts of names",
    description:
      "`contains('refs/heads/main refs/heads/release', github.ref)` looks for a part of the text, so a branch " +
      "called `refs/heads/m` passes, too, and what the condition protects runs for it. Compare with `==`, or " +
      "give `contains` an array: `contains(fromJSON('[\"refs/heads/main\"]'), github.ref)`.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: ./deploy
        if: contains('refs/heads/main refs/heads/release', github.ref)
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: ./deploy
        if: github.ref == 'refs/heads/main' || github.ref == 'refs/heads/release'
`
    },
    cwe: [185],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  condition_always_true: {
    languages: ["yaml"],
    title: "Condition of a job or step that is always true",
    description:
      "Text around an expression in braces in an `if`, a line break at its end included, makes the whole a string, and every " +
      "string that is not empty is true: the job or step runs whatever the expression says. Write one " +
      "expression without text around it, and `>-` or `|-` where it takes several lines.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: ./deploy
        if: \${{ github.ref == 'refs/heads/main' }} && \${{ vars.DEPLOY }}
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: ./deploy
        if: github.ref == 'refs/heads/main' && vars.DEPLOY
`
    },
    cwe: [670],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P2"
  },
  deprecated_command: {
    languages: ["yaml"],
    title: "Deprecated workflow command (set-output, save-state)",
    description:
      "Workflow commands that are read from printed text can be forged by any output of the step, which is why " +
      "they are deprecated (`set-output`, `save-state`) or refused (`set-env`, `add-path`). Append to " +
      "`$GITHUB_OUTPUT`, `$GITHUB_STATE`, `$GITHUB_ENV` or `$GITHUB_PATH`.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "::set-output name=version::1.4.2"
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "version=1.4.2" >> "$GITHUB_OUTPUT"
`
    },
    cwe: [477],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  retired_action_version: {
    languages: ["yaml"],
    title: "Retired version of a GitHub Action that no longer works",
    description:
      "The service refuses this version of the action, so the step fails each time it runs. Use a current " +
      "version.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/upload-artifact@v3
        with: { path: build }
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/upload-artifact@v4
        with: { path: build }
`
    },
    cwe: [477],
    confidence: 0.95,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  archived_action: {
    languages: ["yaml"],
    title: "GitHub Action that is no longer maintained",
    description:
      "The action's repository is archived: faults and weaknesses in it are not corrected any more, and it " +
      "stops to work when the runner's Node version goes. Replace it with a maintained action or a command of " +
      "the runner's own tools.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/create-release@0cb9c9b65d5d1901c1f53e5e66eaf4afd303e70e # v1.1.4
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: gh release create "$GITHUB_REF_NAME"
`
    },
    cwe: [1104],
    confidence: 0.88,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  retired_runner: {
    languages: ["yaml"],
    title: "Retired runner image: the job never starts",
    description:
      "The runner image of this name is no longer offered: the job waits for a machine until it is cancelled. " +
      "Name a current image.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-18.04
    steps:
      - run: make
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make
`
    },
    cwe: [477],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  unknown_needed_job: {
    languages: ["yaml"],
    title: "Workflow job needs a job that does not exist",
    description:
      "A workflow whose job needs another one that is not in the file is refused as a whole: none of its jobs " +
      "runs. Correct the name in `needs`.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    needs: compile
    steps:
      - run: make
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: make
`
    },
    cwe: [670],
    confidence: 0.95,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P2"
  }
})
