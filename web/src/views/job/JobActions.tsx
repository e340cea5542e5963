import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { hasEnded, type Job, useCancelJob, useRetryJob } from "../../api/jobs.ts"
import { useMay } from "../../api/session.ts"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { aboutPrice } from "../../parts/forecast/forecastWords.ts"
import { workflowName } from "../../parts/stages/stageWords.ts"
import { dollars } from "../../parts/text/Money.tsx"

const Cancel = ({ job }: { readonly job: Job }) => {
  const [asks, setAsks] = useState(false)
  const cancel = useCancelJob(job.id)
  const close = () => setAsks(false)
  return (
    <>
      <Button look="danger" onPress={() => setAsks(true)}>
        Cancel job…
      </Button>
      <FormDialog
        title="Cancel this job?"
        submit="Cancel the job"
        isDanger
        isOpen={asks}
        onClose={close}
        onSubmit={() => cancel.mutate(undefined, { onSuccess: close })}
        work={cancel}
      >
        <p className="prose">
          It stops at once and records nothing. The {dollars(job.cost_usd)} it has cost so far stay spent. It can be
          retried later, from its beginning.
        </p>
      </FormDialog>
    </>
  )
}

const Retry = ({ job }: { readonly job: Job }) => {
  const navigate = useNavigate()
  const retry = useRetryJob(job.id)
  const price = job.forecast === null ? "" : ` for ${aboutPrice(job.forecast.cost_mid)}`
  return (
    <div className="stack">
      <Button
        look="primary"
        icon="again"
        isPending={retry.isPending}
        onPress={() =>
          retry.mutate(undefined, { onSuccess: ({ id }) => navigate({ to: "/jobs/$id", params: { id } }) })
        }
      >
        Retry{price}
      </Button>
      {retry.error === null ? null : <Problem error={retry.error} />}
    </div>
  )
}

/** What can be done about a job in its state, by someone who may. */
export const JobActions = ({ job }: { readonly job: Job }) => {
  const mayCancel = useMay("cancel_running_jobs")
  const maySubmit = useMay(job.workflow === "fix" ? "submit_fix_jobs" : "submit_audit_jobs")
  if (!hasEnded(job)) return mayCancel ? <Cancel job={job} /> : null
  if (job.status === "completed" || !maySubmit) return null
  if (job.status === "failed" && !job.retryable)
    return <span className="muted">{workflowName(job.workflow)} cannot be retried without a change.</span>
  return <Retry key={job.id} job={job} />
}
