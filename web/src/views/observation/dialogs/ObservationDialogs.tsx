import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { ObservationDetail } from "../../../api/observation.ts"
import { triagePreviewQuery } from "../../../api/triage.ts"
import { Title } from "../../../parts/text/Title.tsx"
import { CompleteDialog } from "../../../parts/triage/CompleteDialog.tsx"
import { DismissDialog } from "../../../parts/triage/DismissDialog.tsx"
import { ReopenDialog } from "../../../parts/triage/ReopenDialog.tsx"
import { openAttempt } from "../actions/fixState.ts"
import { useTriage } from "../actions/useTriage.ts"
import { ReviseDialog, WithdrawDialog } from "./FixDialogs.tsx"
import { SameRuleChoice, sameRuleOf } from "./SameRule.tsx"
import { type Conflict, Theirs } from "./Theirs.tsx"

export const dialogNames = ["dismiss", "complete", "reopen", "revise", "withdraw"] as const
export type DialogName = (typeof dialogNames)[number]

export const dialogOf = (name: string | undefined): DialogName | null =>
  dialogNames.find((known) => known === name) ?? null

/** What the pull request of an attempt is called. */
export const prName = (number: number | null | undefined): string =>
  number == null ? "the pull request" : `pull request #${number}`

interface DialogProps {
  readonly observation: ObservationDetail
  readonly onClose: () => void
}

const About = ({ title, conflict }: { readonly title: string; readonly conflict: Conflict | null }) => (
  <>
    <p className="soft">
      <Title text={title} />
    </p>
    {conflict === null ? null : <Theirs {...conflict} />}
  </>
)

const Dismissal = ({ observation, onClose }: DialogProps) => {
  const { ref, title } = observation
  const [also, setAlso] = useState(false)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const filter = sameRuleOf(observation)
  const pr = openAttempt(observation)
  const { data } = useQuery({ ...triagePreviewQuery("dismiss", { filter }), enabled: pr === null })
  const { one, every } = useTriage(observation, setConflict)
  return (
    <DismissDialog
      title={ref}
      count={also ? (data?.count ?? 1) : 1}
      about={<About title={title} conflict={conflict} />}
      onClose={onClose}
      run={(act) => (also ? every(act, filter) : one(act))}
    >
      {pr === null ? (
        <SameRuleChoice filter={filter} isSelected={also} onChange={setAlso} />
      ) : (
        <p className="soft">The open {prName(pr.pr_number)} stays open.</p>
      )}
    </DismissDialog>
  )
}

const ByHand = ({ observation, onClose, dialog: Dialog }: DialogProps & { readonly dialog: typeof CompleteDialog }) => {
  const { ref, title } = observation
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const { one } = useTriage(observation, setConflict)
  return (
    <Dialog title={ref} count={1} about={<About title={title} conflict={conflict} />} onClose={onClose} run={one} />
  )
}

interface ObservationDialogsProps {
  readonly observation: ObservationDetail
  readonly open: DialogName | null
  readonly onOpen: (dialog: DialogName | null) => void
}

/** The dialog of one observation that is open, if any. */
export const ObservationDialogs = ({ observation, open, onOpen }: ObservationDialogsProps) => {
  const onClose = () => onOpen(null)
  const { ref, repo_name } = observation
  const fix = { ref, repo_name, pr: prName(openAttempt(observation)?.pr_number) }
  switch (open) {
    case null:
      return null
    case "dismiss":
      return <Dismissal observation={observation} onClose={onClose} />
    case "complete":
      return <ByHand observation={observation} onClose={onClose} dialog={CompleteDialog} />
    case "reopen":
      return <ByHand observation={observation} onClose={onClose} dialog={ReopenDialog} />
    case "revise":
      return <ReviseDialog fix={fix} onClose={onClose} />
    case "withdraw":
      return <WithdrawDialog fix={fix} onClose={onClose} />
  }
}
