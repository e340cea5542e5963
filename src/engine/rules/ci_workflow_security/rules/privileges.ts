import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** Code that runs with more rights or secrets than it needs. */
export const privilegeRules = ruleSet({
  untrusted_checkout: {
    languages: ["yaml"],
    title: "Pwn request: privileged workflow checks out pull request code",
    description:
      "`pull_request_target`, `workflow_run` and `issue_comment` run with the repository's secrets and a writing " +
      "token. Once the pull request's code is checked out there, its build scripts, tests, hooks or local actions " +
      "run with both. Build in a `pull_request` workflow without secrets and hand results over as an artifact that " +
      "is treated as data, or check out the base only.",
    example: {
      path: ".github/workflows/preview.yml",
      bad: `on: pull_request_target
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: npm ci && npm run build
`,
      good: `on: pull_request
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci && npm run build
`
    },
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
    example: {
      path: ".github/workflows/preview.yml",
      bad: `on:
  pull_request_target:
    types: [labeled]
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: npm ci && npm run build
`,
      good: `on: pull_request
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci && npm run build
`
    },
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
    example: {
      path: ".github/workflows/count.yml",
      bad: `on: pull_request_target
permissions: { contents: read }
jobs:
  count:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: wc -l README.md
`,
      good: `on: pull_request
permissions: { contents: read }
jobs:
  count:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: wc -l README.md
`
    },
    cwe: [829, 94],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  excessive_permissions: {
    languages: ["yaml"],
    title: "Excessive GITHUB_TOKEN permissions",
    description:
      "With `write-all`, or with the repository's default where that is a writing token, every action and script of " +
      "the workflow can push commits, change releases and approve pull requests. Set `permissions: contents: read` " +
      "at the top and give single jobs the one permission they need.",
    example: {
      path: ".github/workflows/test.yml",
      bad: `on: push
permissions: write-all
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: npm test
`,
      good: `on: push
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: npm test
`
    },
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
    example: {
      path: ".github/workflows/label.yml",
      bad: `on: issues
jobs:
  label:
    runs-on: ubuntu-latest
    steps:
      - run: ./label
`,
      good: `on: issues
permissions:
  issues: write
jobs:
  label:
    runs-on: ubuntu-latest
    steps:
      - run: ./label
`
    },
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
    example: {
      path: ".github/workflows/release.yml",
      bad: `on: push
jobs:
  release:
    uses: other/workflows/.github/workflows/release.yml@8f4b7f84864484a7bf31766abe9204da3cbe65b3
    secrets: inherit
`,
      good: `on: push
jobs:
  release:
    uses: other/workflows/.github/workflows/release.yml@8f4b7f84864484a7bf31766abe9204da3cbe65b3
    secrets:
      NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
`
    },
    cwe: [522, 668],
    confidence: 0.85,
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
    example: {
      path: ".github/workflows/test.yml",
      bad: `on: pull_request
jobs:
  test:
    runs-on: [self-hosted, linux]
    steps:
      - run: make test
`,
      good: `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
`
    },
    cwe: [829, 653],
    confidence: 0.72,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  }
})
