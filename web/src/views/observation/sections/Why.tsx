import { useQuery } from "@tanstack/react-query"
import { explanationQuery } from "../../../api/observation.ts"
import { Snippet } from "../../../parts/code/Snippet.tsx"
import { Bones } from "../../../parts/feedback/Bones.tsx"
import { Problem } from "../../../parts/feedback/Problem.tsx"
import { Section } from "../../../parts/layout/Page.tsx"
import { Markdown } from "../../../parts/markdown/Markdown.tsx"

/** What is wrong in this code. */
export const What = ({ observation }: { readonly observation: string }) => {
  const { data, error, refetch } = useQuery(explanationQuery(observation))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones rows={3} what="the explanation" />
  return <Markdown text={data.what} />
}

/** Why it matters and how to fix it, with the rule's own example. */
export const Why = ({ observation }: { readonly observation: string }) => {
  const { data } = useQuery(explanationQuery(observation))
  if (data === undefined || (data.why_and_how_to_fix === null && data.example === null)) return null
  const { why_and_how_to_fix: why, example } = data
  return (
    <Section title="Why it matters and how to fix it">
      <div className="stack">
        {why === null ? null : <Markdown text={why} />}
        {example === null ? null : (
          <>
            <h3>Example of the rule</h3>
            <p className="muted">Reported:</p>
            <Snippet language={example.path} text={example.bad} label="Example that the rule reports" />
            <p className="muted">Corrected:</p>
            <Snippet language={example.path} text={example.good} label="The same example, corrected" />
          </>
        )}
      </div>
    </Section>
  )
}
