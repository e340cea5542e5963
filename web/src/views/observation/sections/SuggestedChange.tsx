import { useQuery } from "@tanstack/react-query"
import { fixDiffQuery } from "../../../api/fixes.ts"
import type { ObservationDetail } from "../../../api/observation.ts"
import { Diff } from "../../../parts/diff/Diff.tsx"
import { Bones } from "../../../parts/feedback/Bones.tsx"
import { Problem } from "../../../parts/feedback/Problem.tsx"
import { Section } from "../../../parts/layout/Page.tsx"
import { Markdown } from "../../../parts/markdown/Markdown.tsx"
import { CopyButton } from "../../../parts/text/CopyButton.tsx"

/** What the rule's fixer would change, or what was proposed in words. */
export const SuggestedChange = ({
  suggested_diff,
  suggested_change
}: Pick<ObservationDetail, "suggested_diff" | "suggested_change">) => {
  const change = suggested_diff ?? suggested_change
  if (change === null) return null
  return (
    <Section title="Suggested change" actions={<CopyButton text={change} label="Copy the patch" words="Copy" />}>
      <Diff text={change} label="Suggested change" otherwise={<Markdown text={change} />} />
    </Section>
  )
}

/** What the newest fix with a change does. */
export const FixChange = ({ observation }: { readonly observation: string }) => {
  const { data, error, refetch } = useQuery(fixDiffQuery(observation))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones rows={4} what="the change" />
  return (
    <div className="stack">
      <Diff text={data.diff} label={`Fix of ${observation}`} />
      {data.truncated ? (
        <p className="muted">The change is longer than shown; the pull request has all of it.</p>
      ) : null}
    </div>
  )
}
