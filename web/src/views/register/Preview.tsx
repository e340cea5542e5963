import { useQuery } from "@tanstack/react-query"
import type { Schema } from "../../api/client.ts"
import { workspaceForecastQuery } from "../../api/forecasts.ts"
import { repositoryHref } from "../../api/repositories.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { moneyRange, timeAnywhere } from "../../parts/forecast/forecastWords.ts"
import { Facts } from "../../parts/layout/Facts.tsx"
import { Box } from "../../parts/layout/Page.tsx"

interface PreviewProps {
  readonly preview: Schema<"RepositoryPreview">
  readonly verb: string
  readonly isPending: boolean
  readonly error: Error | null
  readonly onBranch: (branch: string) => void
  readonly onRegister: () => void
}

const branchesOf = ({ branches, github_base_branch }: Schema<"RepositoryPreview">) =>
  branches.includes(github_base_branch) ? branches : [github_base_branch, ...branches]

/** What will be cloned, from where, and what an audit of it would cost. */
export const Preview = ({ preview, verb, isPending, error, onBranch, onRegister }: PreviewProps) => {
  const { data: forecast } = useQuery(workspaceForecastQuery("audit"))
  const { github_org, github_repo, clone_url, access_mode, default_branch, head_sha, branch_count } = preview
  return (
    <Box>
      <section className="stack" aria-label="Preview">
        <h2>
          {github_org}/{github_repo}
        </h2>
        <Facts
          facts={[
            ["Cloned from", <code key="url">{clone_url}</code>],
            ["Commit", <code key="commit">{head_sha.slice(0, 12)}</code>],
            ["Branches", `${branch_count}${default_branch === null ? "" : `, default ${default_branch}`}`],
            [
              "Access",
              access_mode === "anonymous" ? "Without credentials" : "With the stored credentials, where there are any"
            ],
            ...(forecast === undefined
              ? []
              : [
                  [
                    "First audit",
                    `${moneyRange(forecast.cost_low, forecast.cost_high)}, ${timeAnywhere(forecast)}`
                  ] as const
                ])
          ]}
        />
        <Select
          label="Branch to audit"
          options={branchesOf(preview).map((branch) => ({ value: branch, label: branch }))}
          value={preview.github_base_branch}
          onChange={onBranch}
        />
        {preview.registered ? (
          <Note tone="info">
            <p>
              This branch is registered already. <a href={repositoryHref(preview)}>Open it</a>
            </p>
          </Note>
        ) : (
          <Button look="primary" onPress={onRegister} isPending={isPending}>
            {verb} {github_repo}@{preview.github_base_branch}
          </Button>
        )}
        {error === null ? null : <Problem error={error} />}
      </section>
    </Box>
  )
}
