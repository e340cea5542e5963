import { filled, type WorstCase } from "../../support/worstCase.ts"

const head = "on: [pull_request_target, issues]\njobs:\n  a:\n    runs-on: self-hosted\n    steps:\n"
const path = ".github/workflows/a.yml"
const steps = (unit: string) => (size: number) => filled(size, unit, [head, ""])
/** One step whose script is this over and over. */
const script =
  (unit: string, before = "") =>
  (size: number) =>
    filled(size, unit, [
      `${head}      - env:\n          TITLE: \${{ github.event.issue.body }}\n        run: |\n          ${before}`,
      "\n"
    ])

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: ["expression_injection"], path, text: steps("      - run: echo ${{ github.event.issue.title }}\n") },
  { rules: ["expression_injection"], path, text: script("${{ github.event.issue.title }}") },
  { rules: ["expression_injection"], path, text: script("${{ ") },
  { rules: ["expression_injection"], path, text: script("github.event.issue.title.", "${{ ") },
  { rules: ["expression_injection"], path, text: script("format('a', ", "${{ ") },
  {
    rules: ["expression_injection", "environment_poisoning"],
    path,
    text: (size) =>
      filled(size, "          A: ${{ github.event.issue.body }}\n", [
        `${head}      - env:\n`,
        '        run: echo "$A" >> $GITHUB_ENV\n'
      ])
  },
  { rules: ["environment_poisoning"], path, text: script("echo $TITLE >> $GITHUB_ENV\n          ") },
  { rules: ["environment_poisoning"], path, text: script(">> ") },
  {
    rules: ["untrusted_checkout"],
    path,
    text: steps("      - uses: actions/checkout@v4\n        with: { ref: '${{ github.head_ref }}' }\n")
  },
  { rules: ["untrusted_checkout"], path, text: script("git fetch origin pull/") },
  { rules: ["untrusted_checkout"], path, text: script("git fetch pull/a/head\n          ") },
  { rules: ["untrusted_checkout"], path, text: script("refs/pull/${{ ") },
  { rules: ["unpinned_action", "excessive_permissions"], path, text: steps("      - uses: owner/action@v1\n") },
  {
    rules: ["unpinned_action", "self_hosted_runner", "excessive_permissions", "secrets_handed_out"],
    path,
    text: (size) => {
      const job = (i: number) =>
        `  a${i}:\n    permissions: write-all\n    uses: o/r/.github/workflows/b.yml@v1\n    secrets: inherit\n    runs-on: self-hosted\n`
      return `on: pull_request_target\njobs:\n${Array.from({ length: Math.floor(size / 110) }, (_, i) => job(i)).join("")}`
    }
  },
  { rules: ["secrets_handed_out"], path, text: script("${{ toJSON(secrets) }}") },
  { rules: ["secrets_handed_out"], path, text: script("toJSON(secrets", "${{ ") },
  { rules: ["remote_script"], path, text: script("curl https://a.b/c ") },
  { rules: ["remote_script"], path, text: script("curl https://a.b/c | sh\n          ") },
  { rules: ["remote_script"], path, text: script("bash <(curl ") },
  { rules: ["remote_script_over_http"], path, text: script("curl http://a.b/c | sh\n          ") },
  {
    rules: ["expression_injection_unprivileged", "environment_poisoning_unprivileged"],
    path,
    text: (size) =>
      filled(size, "      - run: echo ${{ github.event.pull_request.body }} >> $GITHUB_ENV\n", [
        "on: pull_request\njobs:\n  a:\n    steps:\n",
        ""
      ])
  },
  {
    rules: ["untrusted_checkout_not_run", "approved_untrusted_checkout"],
    path,
    text: (size) =>
      filled(size, "  a:\n    environment: b\n    steps: [{ run: gh pr checkout }, { run: make }]\n", [
        "on: pull_request_target\njobs:\n",
        ""
      ])
  },
  {
    rules: ["action_pinned_to_branch", "action_with_secrets_pinned_to_branch", "default_permissions"],
    path,
    text: steps("      - { uses: owner/action@main, with: { token: '${{ secrets.A }}' } }\n")
  },
  {
    rules: ["self_hosted_runner"],
    path,
    text: (size) => filled(size, "self-hosted, ", ["on: pull_request\njobs:\n  a:\n    runs-on: [", "a]\n"])
  },
  {
    rules: ["unsecure_commands"],
    path,
    text: steps("      - env: { ACTIONS_ALLOW_UNSECURE_COMMANDS: true }\n        run: a\n")
  },
  {
    rules: ["unpinned_action"],
    path,
    text: (size) => filled(size, "if: github.repository == 'a/b'\n# ", ["# ", "\non: push\njobs: {}\n"])
  },
  {
    rules: ["spoofable_bot_condition", "unsound_contains", "condition_always_true"],
    path,
    text: steps("      - if: github.actor == 'a[bot]' || contains('a b', github.ref) && ${{ true }}\n        run: a\n")
  },
  {
    rules: ["spoofable_bot_condition", "condition_always_true"],
    path,
    text: (size) => filled(size, "${{ github.actor == 'aaaa", [`${head}      - if: "`, '"\n'])
  },
  { rules: ["unsound_contains"], path, text: (size) => filled(size, "contains( 'a", [`${head}      - if: "`, '"\n']) },
  {
    rules: ["deprecated_command", "retired_action_version", "archived_action"],
    path,
    text: steps(
      "      - run: echo ::set-output name=a::b\n      - uses: actions/cache@v1\n      - uses: actions/create-release@v1\n"
    )
  },
  {
    rules: ["retired_runner", "unknown_needed_job", "no_permissions", "unpinned_job_image", "container_credential"],
    path,
    text: (size) =>
      `on: push\njobs:\n${Array.from(
        { length: Math.floor(size / 110) },
        (_, i) =>
          `  a${i}:\n    needs: b${i}\n    runs-on: ubuntu-18.04\n    container: { image: a, credentials: { password: b } }\n`
      ).join("")}`
  },
  {
    rules: ["unknown_needed_job"],
    path,
    text: (size) => filled(size, "b, ", ["on: push\njobs:\n  a:\n    needs: [", "b]\n"])
  },
  {
    rules: ["credentials_in_artifact", "cached_release_build", "long_lived_publish_token", "unmasked_secret"],
    path,
    text: (size) =>
      filled(
        size,
        "      - uses: actions/checkout@v4\n      - uses: actions/cache@v4\n        env: { A: '${{ fromJSON(secrets.A).b }}' }\n      - { uses: pypa/gh-action-pypi-publish@v1, with: { password: '${{ secrets.A }}' } }\n      - { uses: actions/upload-artifact@v4, with: { path: ., include-hidden-files: true } }\n",
        ["on: release\njobs:\n  a:\n    steps:\n", ""]
      )
  },
  {
    rules: ["input_in_script"],
    path: "action.yml",
    text: (size) => filled(size, "${{ inputs.a }} ", ["runs:\n  using: composite\n  steps:\n    - run: echo ", "\n"])
  },
  { rules: ["expression_injection"], path, text: (size) => filled(size, "[", [`${head}      - run: `, ""]) }
]
