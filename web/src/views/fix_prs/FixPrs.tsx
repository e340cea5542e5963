import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { repositoriesQuery } from "../../api/repositories.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { Lanes } from "./Lanes.tsx"
import { OpenFix } from "./OpenFix.tsx"
import { useFixPrs } from "./useFixPrs.ts"

const route = getRouteApi("/shell/fix-prs")

const everything = "all"

/** The pull requests that fixes opened, in every repository that the caller may see. */
export const FixPrs = () => {
  const { repo, ref, dialog } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: repositories } = useSuspenseQuery(repositoriesQuery)
  const { rows, isPending, error, refetch, more, isReading } = useFixPrs(repo)
  const names = [...new Set(repositories.map(({ repo_name }) => repo_name))]
  return (
    <Page
      title="Fix pull requests"
      actions={
        names.length < 2 ? undefined : (
          <Select
            label="Repository"
            labelHidden
            value={repo ?? everything}
            options={[
              { value: everything, label: "All repositories" },
              ...names.map((name) => ({ value: name, label: name }))
            ]}
            onChange={(value) => navigate({ search: { repo: value === everything ? undefined : value } })}
          />
        )
      }
    >
      {error === null ? null : <Problem error={error} onRetry={refetch} />}
      {rows.length === 0 && isPending ? (
        <Bones what="the pull requests" />
      ) : rows.length === 0 && error === null ? (
        <Empty
          icon="pr"
          why="No fix has opened a pull request."
          next="Request a fix on an observation: its pull request appears here when every gate has passed."
        />
      ) : (
        <Lanes rows={rows} open={ref} />
      )}
      {more === null ? null : (
        <Button onPress={more} isPending={isReading}>
          Show older pull requests that have ended
        </Button>
      )}
      {ref === undefined ? null : (
        <OpenFix
          observation={ref}
          dialog={dialog}
          onDialog={(name) =>
            navigate({ search: (search) => ({ ...search, dialog: name ?? undefined }), replace: true })
          }
        />
      )}
    </Page>
  )
}
