import { ruleSet } from "../../../core/tool/AuditTool.ts"

const unpinnedAction =
  "A tag or a branch is whatever its owner, or anyone who took over the owner's account, points it to today; the " +
  "new code then runs with this workflow's token and secrets. Pin the full commit (`owner/action@<40 hex " +
  "digits> # v1.2.3`) and let Dependabot or Renovate propose updates."

/** Third-party actions that a workflow uses. */
export const actionRules = ruleSet({
  unpinned_action: {
    languages: ["yaml"],
    title: "Unpinned third-party GitHub Action",
    description: unpinnedAction,
    example: {
      path: ".github/workflows/lint.yml",
      bad: `on: push
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: third/lint@v2
`,
      good: `on: push
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: third/lint@8f4b7f84864484a7bf31766abe9204da3cbe65b3 # v2.1.0
`
    },
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
    example: {
      path: ".github/workflows/lint.yml",
      bad: `on: push
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: third/lint@main
`,
      good: `on: push
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: third/lint@8f4b7f84864484a7bf31766abe9204da3cbe65b3 # v2.1.0
`
    },
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
    example: {
      path: ".github/workflows/publish.yml",
      bad: `on: push
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: third/publish@main
        with:
          token: \${{ secrets.PUBLISH_TOKEN }}
`,
      good: `on: push
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: third/publish@8f4b7f84864484a7bf31766abe9204da3cbe65b3 # v2.1.0
        with:
          token: \${{ secrets.PUBLISH_TOKEN }}
`
    },
    cwe: [1357, 829],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    priority: "P1"
  }
})
