import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { Observation } from "../../api/observations.ts"
import { type TriagePreview, triagePreviewQuery } from "../../api/triage.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Title } from "../../parts/text/Title.tsx"
import { say } from "../../parts/toast/toasts.ts"
import { CompleteDialog } from "../../parts/triage/CompleteDialog.tsx"
import { DismissDialog } from "../../parts/triage/DismissDialog.tsx"
import { FixDialog } from "../../parts/triage/FixDialog.tsx"
import { ReopenDialog } from "../../parts/triage/ReopenDialog.tsx"
import { ResultsDialog } from "../../parts/triage/ResultsDialog.tsx"
import { observations } from "../../parts/triage/words.ts"
import { CreateIssues } from "./CreateIssues.tsx"
import type { Actions } from "./useActions.ts"

interface DialogsProps {
  readonly actions: Actions
  readonly open: Observation | null
  readonly rows: ReadonlyArray<Observation>
}

const triageDialogs = { dismiss: DismissDialog, complete: CompleteDialog, reopen: ReopenDialog } as const

/** What is counted: one that is known by its row, or as many as the server says. */
const useAbout = ({
  dialog,
  rows,
  count,
  target
}: Pick<Actions, "dialog" | "count" | "target"> & Pick<DialogsProps, "rows">) => {
  const action = dialog === null || dialog === "fix" || dialog === "issues" ? null : dialog
  const [only] = rows
  const isOne = count === 1 && only !== undefined
  const preview = useQuery({ ...triagePreviewQuery(action ?? "dismiss", target), enabled: action !== null && !isOne })
  return {
    count: isOne ? 1 : preview.data?.count,
    title: isOne ? only.ref : observations(preview.data?.count ?? count),
    about: isOne ? (
      <p>
        <Title text={only.title} />
      </p>
    ) : preview.error !== null ? (
      <Problem error={preview.error} onRetry={() => preview.refetch()} />
    ) : preview.data === undefined ? (
      <Bones rows={1} what="the number of observations" />
    ) : (
      <Sample {...preview.data} repositories={"refs" in target ? rows.map(({ repo_name }) => repo_name) : null} />
    )
  }
}

const Sample = ({
  count,
  sample,
  repositories
}: TriagePreview & { readonly repositories: ReadonlyArray<string> | null }) => {
  const refs = sample.slice(0, 3).map(({ ref }) => ref)
  const names = [...new Set(repositories)]
  const more = count - refs.length
  return (
    <p className="soft">
      {repositories === null
        ? "Everything that the list holds, also what is not loaded yet"
        : `In ${names.length === 1 ? names[0] : `${names.length} repositories`}`}
      {refs.length === 0 ? "" : `: ${refs.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en-US")} more` : ""}`}.
    </p>
  )
}

/** The dialogs of the queue. */
export const Dialogs = ({ actions, open, rows }: DialogsProps) => {
  const navigate = useNavigate()
  const { dialog, close, run, results, closeResults, target } = actions
  const about = useAbout({ ...actions, rows })
  const Dialog = dialog === null || dialog === "fix" || dialog === "issues" ? null : triageDialogs[dialog]
  return (
    <>
      {Dialog === null ? null : <Dialog {...about} onClose={close} run={run} />}
      {dialog === "issues" ? <CreateIssues target={target} count={actions.count} onClose={close} /> : null}
      {dialog === "fix" && open !== null ? (
        <FixDialog
          observation={open}
          onClose={close}
          onRequested={(job) =>
            say({
              text: `A fix of ${open.ref} is requested.`,
              action: { label: "Open job", run: () => navigate({ href: `/jobs/${job}` }) }
            })
          }
        />
      ) : null}
      {results === null ? null : <ResultsDialog {...results} onClose={closeResults} />}
    </>
  )
}
