import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hasEnded, jobQuery, useJobEvents } from "../../api/jobs.ts"
import { lookOf } from "../../parts/button/look.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { LiveRegion } from "../../parts/feedback/LiveRegion.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Stages } from "../../parts/stages/Stages.tsx"
import { stageWords } from "../../parts/stages/stageWords.ts"
import { currentOf, storyOf } from "../../parts/stages/story.ts"
import { useNow } from "../../parts/text/useNow.ts"
import { ConnectionState } from "../job/ConnectionState.tsx"
import { FoundByJob } from "../job/FoundByJob.tsx"
import { JobFailure } from "../job/JobFailure.tsx"
import { auditOutcomeOf } from "../job/jobResult.ts"

/** The first audit as it runs, and what it has found. */
export const FirstAudit = ({ id }: { readonly id: string }) => {
  const { data: job, error, refetch } = useQuery(jobQuery(id))
  const { events, connection } = useJobEvents(id)
  const now = useNow(job !== undefined && !hasEnded(job))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (job === undefined) return <Bones what="the audit" />
  const story = storyOf(job.workflow, events)
  const current = currentOf(story)
  const created = auditOutcomeOf(job)?.created ?? null
  return (
    <>
      <div className="spread wrap">
        <h2>{hasEnded(job) ? `${job.repo_name} is audited` : `Auditing ${job.repo_name}`}</h2>
        <ConnectionState connection={connection} />
      </div>
      <JobFailure job={job} story={story} />
      <Stages stages={story.stages} now={now} />
      {created === 0 ? (
        <p className="prose">The audit found nothing. New observations appear after the next one.</p>
      ) : null}
      <FoundByJob job={job} />
      {hasEnded(job) ? (
        <div className="line wrap">
          <Link to="/triage" className={lookOf({ look: "primary" })}>
            Triage what was found
          </Link>
          <Link to="/jobs/$id" params={{ id }}>
            The job in full
          </Link>
        </div>
      ) : (
        <p className="muted">Findings appear here when the stage Record ends. You may leave this page meanwhile.</p>
      )}
      <p className="muted">
        Later: <a href="/members">invite people</a>, <a href="/keys">create a key for an agent</a>,{" "}
        <a href="/settings/code-hosts">connect a code host</a>.
      </p>
      <LiveRegion
        text={
          hasEnded(job) ? `The audit ${job.status}.` : current === null ? "" : `${stageWords(current.name).name} runs.`
        }
      />
    </>
  )
}
