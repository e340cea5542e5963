import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** Tokens, credentials and images of jobs. */
export const exposureRules = ruleSet({
  credentials_in_artifact: {
    languages: ["yaml"],
    title: "Git credentials of the checkout uploaded as an artifact",
    description:
      "`actions/checkout` keeps the job's token in `.git/config`, and this upload takes hidden files of the " +
      "whole tree along: who can download the artifact reads the token while it is valid. Set " +
      "`persist-credentials: false`, or upload the folder with the results only.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - uses: actions/upload-artifact@v4
        with: { path: ., include-hidden-files: true }
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
        with: { persist-credentials: false }
      - uses: actions/upload-artifact@v4
        with: { path: ., include-hidden-files: true }
`
    },
    cwe: [522],
    confidence: 0.88,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  cached_release_build: {
    languages: ["yaml"],
    title: "Release build that restores a cache (cache poisoning)",
    description:
      "A workflow of another branch or a compromised build step can fill the cache that this release restores, " +
      "and what it left there becomes part of what is published. Build releases without a cache.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: release
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/cache@v4
        with: { path: build, key: build }
      - run: npm publish
`,
      good: `on: release
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: npm publish
`
    },
    cwe: [349],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  long_lived_publish_token: {
    languages: ["yaml"],
    title: "Package published with a long-lived token",
    description:
      "A token that stays valid until someone revokes it publishes from anywhere once it leaks. The registry " +
      "can trust this workflow itself instead (trusted publishing): give the job `id-token: write`, register " +
      "the workflow with the registry and remove the secret.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: pypa/gh-action-pypi-publish@76f52bc884231f62b9a034ebfe128415bbaabdfc # v1.12.4
        with: { password: '\${{ secrets.PYPI_TOKEN }}' }
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: pypa/gh-action-pypi-publish@76f52bc884231f62b9a034ebfe128415bbaabdfc # v1.12.4
`
    },
    cwe: [798],
    confidence: 0.62,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  container_credential: {
    languages: ["yaml"],
    title: "Password of a container registry written out in a workflow",
    description:
      "Anyone who can read the repository can pull, and often push, the images of this account. Keep the " +
      "password in a secret and revoke the one that is in the history.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    container:
      image: registry.acme.org/build:3
      credentials: { username: ci, password: tr4in-st0p-Lamp }
    steps:
      - run: make
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    container:
      image: registry.acme.org/build:3
      credentials: { username: ci, password: '\${{ secrets.REGISTRY }}' }
    steps:
      - run: make
`
    },
    cwe: [798],
    yieldsTo: ["secret_detection.hardcoded_password"],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  unpinned_job_image: {
    languages: ["yaml"],
    title: "Unpinned container image of a workflow job",
    description:
      "`latest`, or no tag, is another image after every release: the job fails one day without a change of the " +
      "code, and a compromised release runs with the job's token. Name a version, or better a digest.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    container: node:latest
    steps:
      - run: make
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    container: node:22.4
    steps:
      - run: make
`
    },
    cwe: [1357],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  unmasked_secret: {
    languages: ["yaml"],
    title: "Part of a structured secret that logs do not mask",
    description:
      "Logs mask the whole text of a secret, not the fields that `fromJSON` takes out of it: printed once, the " +
      "field stands in the log for everyone who may read it. Store each field as a secret of its own.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: ./deploy
        env: { KEY: '\${{ fromJSON(secrets.CLOUD).key }}' }
`,
      good: `on: push
permissions: { contents: read }
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - run: ./deploy
        env: { KEY: '\${{ secrets.CLOUD_KEY }}' }
`
    },
    cwe: [532],
    confidence: 0.82,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  input_in_script: {
    languages: ["yaml"],
    title: "Input of a composite action pasted into a script",
    description:
      "The input is put into the script before the shell reads it, so a workflow that passes on a title or a " +
      "branch name lets its author run commands. Hand it over in `env` and use the variable in quotes.",
    example: {
      path: "action.yml",
      bad: `name: tag
inputs:
  name: { required: true }
runs:
  using: composite
  steps:
    - shell: bash
      run: git tag \${{ inputs.name }}
`,
      good: `name: tag
inputs:
  name: { required: true }
runs:
  using: composite
  steps:
    - shell: bash
      run: git tag "$NAME"
      env:
        NAME: \${{ inputs.name }}
`
    },
    cwe: [94, 78],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  no_permissions: {
    languages: ["yaml"],
    title: "Workflow without permissions for its token",
    description:
      "Without `permissions` the token has the default of the repository, in older organisations the right to " +
      "write to everything: a compromised dependency or action can then push code and publish releases. Set " +
      "`permissions: { contents: read }` at the top, and more only for the job that needs it.",
    example: {
      path: ".github/workflows/build.yml",
      bad: `on: push
jobs:
  build:
    runs-on: ubuntu-24.04
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
    cwe: [732],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3"
  }
})
