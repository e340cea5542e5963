import { useState } from "react"
import { isOver, type Mission, type useDecision } from "../../api/missions.ts"
import { useMay } from "../../api/session.ts"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { dollars } from "../../parts/text/Money.tsx"
import styles from "./mission.module.css"

type Decision = ReturnType<typeof useDecision>
type Asking = "send_back" | "budget" | "cancel" | "answer" | "resubmit" | null

const remaining = ({ steps }: Mission) =>
  steps.filter(({ status }) => status === "pending").reduce((sum, { estimate_usd }) => sum + estimate_usd, 0)

interface DialogProps {
  readonly mission: Mission
  readonly decision: Decision
  readonly onClose: () => void
}

const SendBack = ({ decision, onClose }: DialogProps) => {
  const [reason, setReason] = useState("")
  return (
    <FormDialog
      title="Send the plan back"
      submit="Send the plan back"
      onClose={onClose}
      onSubmit={() => decision.mutate({ kind: "send_back", reason }, { onSuccess: onClose })}
      work={decision}
      isDisabled={reason.trim() === ""}
    >
      <p>Nothing starts. The person who asked for the mission sees the reason and can submit it again.</p>
      <TextField label="What should change" value={reason} onChange={setReason} rows={4} isRequired autoFocus />
    </FormDialog>
  )
}

const Answer = ({ mission, decision, onClose }: DialogProps) => {
  const [text, setText] = useState("")
  return (
    <FormDialog
      title="Answer the question"
      submit="Send the answer"
      onClose={onClose}
      onSubmit={() => decision.mutate({ kind: "answer", text }, { onSuccess: onClose })}
      work={decision}
      isDisabled={text.trim() === ""}
    >
      <p className="prose">{mission.waiting?.message}</p>
      <TextField label="Answer" value={text} onChange={setText} rows={4} isRequired autoFocus />
    </FormDialog>
  )
}

const Resubmit = ({ mission, decision, onClose }: DialogProps) => {
  const [limits, setLimits] = useState(mission.limits_md ?? "")
  return (
    <FormDialog
      title="Have the plan made again"
      submit="Make the plan again"
      onClose={onClose}
      onSubmit={() => decision.mutate({ kind: "resubmit", request: { limits_md: limits } }, { onSuccess: onClose })}
      work={decision}
    >
      <p>It becomes version {mission.plan_version + 1}, and waits for approval again.</p>
      <TextField label="What to leave alone" value={limits} onChange={setLimits} rows={4} autoFocus />
    </FormDialog>
  )
}

const RaiseBudget = ({ mission, decision, onClose }: DialogProps) => {
  const [budget, setBudget] = useState(String(Math.ceil(mission.spent_usd + remaining(mission) + 1)))
  const amount = Number(budget)
  const problem =
    Number.isFinite(amount) && amount > mission.budget_usd
      ? undefined
      : `The budget is ${dollars(mission.budget_usd)} now.`
  return (
    <FormDialog
      title="Raise the budget"
      submit={`Raise the budget to ${dollars(Number.isFinite(amount) ? amount : 0)}`}
      onClose={onClose}
      onSubmit={() => decision.mutate({ kind: "raise_budget", budget_usd: amount }, { onSuccess: onClose })}
      work={decision}
      isDisabled={problem !== undefined}
    >
      <TextField
        label="Budget in USD"
        inputMode="decimal"
        value={budget}
        onChange={setBudget}
        problem={problem}
        isRequired
        autoFocus
      />
    </FormDialog>
  )
}

const Cancel = ({ mission, decision, onClose }: DialogProps) => (
  <FormDialog
    title={`Cancel ${mission.ref}`}
    submit="Cancel the mission"
    isDanger
    onClose={onClose}
    onSubmit={() => decision.mutate({ kind: "cancel" }, { onSuccess: onClose })}
    work={decision}
  >
    <p>
      The branch and its commits stay. Steps that did not begin never will. What is spent, {dollars(mission.spent_usd)},
      stays spent.
    </p>
  </FormDialog>
)

/** What a person can decide now; nothing for those who may not. */
export const Decisions = ({ mission, decision }: { readonly mission: Mission; readonly decision: Decision }) => {
  const [asking, setAsking] = useState<Asking>(null)
  const may = useMay("submit_program_jobs")
  if (!may || isOver(mission)) return null
  const close = () => setAsking(null)
  const shared = { mission, decision, onClose: close }
  const { status } = mission
  return (
    <section className={styles.decide} aria-label="Decisions">
      {status === "awaiting_approval" ? (
        <>
          <span className="push">
            <strong>{dollars(remaining(mission))}</strong> expected, at most{" "}
            <strong>{dollars(mission.budget_usd)}</strong>
          </span>
          <Button onPress={() => setAsking("send_back")}>Send back…</Button>
          <Button look="primary" onPress={() => decision.mutate({ kind: "approve" })} isPending={decision.isPending}>
            Approve plan and start
          </Button>
        </>
      ) : null}
      {status === "running" ? (
        <Button onPress={() => decision.mutate({ kind: "pause" })} isPending={decision.isPending}>
          Pause
        </Button>
      ) : null}
      {status === "paused" ? (
        <Button look="primary" onPress={() => decision.mutate({ kind: "resume" })} isPending={decision.isPending}>
          Resume
        </Button>
      ) : null}
      {mission.waiting?.kind === "question" ? (
        <Button look="primary" onPress={() => setAsking("answer")}>
          Answer…
        </Button>
      ) : null}
      {mission.sent_back !== null && status === "planning" ? (
        <Button look="primary" onPress={() => setAsking("resubmit")}>
          Make the plan again…
        </Button>
      ) : null}
      <Button onPress={() => setAsking("budget")}>Raise the budget…</Button>
      <Button look="danger" onPress={() => setAsking("cancel")}>
        Cancel the mission…
      </Button>
      {asking === "send_back" ? <SendBack {...shared} /> : null}
      {asking === "answer" ? <Answer {...shared} /> : null}
      {asking === "resubmit" ? <Resubmit {...shared} /> : null}
      {asking === "budget" ? <RaiseBudget {...shared} /> : null}
      {asking === "cancel" ? <Cancel {...shared} /> : null}
    </section>
  )
}
