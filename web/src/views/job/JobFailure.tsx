import type { Job } from "../../api/jobs.ts"
import { Note } from "../../parts/feedback/Note.tsx"
import { stageWords, workflowName } from "../../parts/stages/stageWords.ts"
import type { Story } from "../../parts/stages/story.ts"
import { CopyButton } from "../../parts/text/CopyButton.tsx"
import { nextSteps } from "./failureWords.ts"

/** Why the job failed, in words, and what to do next. */
export const JobFailure = ({ job, story }: { readonly job: Job; readonly story: Story }) => {
  if (job.status !== "failed") return null
  const failed = story.stages.find(({ status }) => status === "failed")
  const where = failed === undefined ? "" : ` at ${stageWords(failed.name).name}`
  return (
    <div role="alert">
      <Note tone="bad">
        <p>
          <strong>
            {workflowName(job.workflow)} failed{where}.
          </strong>{" "}
          {job.error}
        </p>
        <p>{nextSteps[job.failure_kind ?? "internal"]}</p>
        <span className="line wrap muted">
          <code>{job.id}</code>
          <CopyButton text={job.id} label="Copy the job's ID" />
        </span>
      </Note>
    </div>
  )
}
