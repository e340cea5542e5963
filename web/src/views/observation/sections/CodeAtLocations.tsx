import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { codeQuery, firstContext, maxContext, moreContext, type ObservationDetail } from "../../../api/observation.ts"
import { Button } from "../../../parts/button/Button.tsx"
import { Code } from "../../../parts/code/Code.tsx"
import { Snippet } from "../../../parts/code/Snippet.tsx"
import { quotedIn } from "../../../parts/code/spans.ts"
import { Bones } from "../../../parts/feedback/Bones.tsx"
import { Problem } from "../../../parts/feedback/Problem.tsx"
import { Section } from "../../../parts/layout/Page.tsx"
import { CopyButton } from "../../../parts/text/CopyButton.tsx"

type Detail = Pick<ObservationDetail, "ref" | "locations" | "snippet" | "title" | "description">

const LocationCode = ({
  refName,
  index,
  spans
}: {
  readonly refName: string
  readonly index: number
  readonly spans: ReadonlyArray<string>
}) => {
  const [context, setContext] = useState(firstContext)
  const { data } = useQuery({ ...codeQuery(refName, context), placeholderData: keepPreviousData })
  const location = data?.locations[index]
  if (location === undefined || location.lines.length === 0) return null
  const { file_path, line_start, line_end, lines } = location
  return (
    <Code
      path={file_path}
      lines={lines}
      flagged={{ from: line_start, to: line_end }}
      spans={spans}
      actions={
        <>
          {context >= maxContext ? null : (
            <Button small look="ghost" onPress={() => setContext(moreContext(context))}>
              Show more lines
            </Button>
          )}
          <CopyButton text={lines.map(({ text }) => text).join("\n")} label={`Copy the lines of ${file_path}`} />
        </>
      }
    />
  )
}

/** Without a copy of the commit: the lines that the audit kept, or where they were. */
const Kept = ({ locations, snippet }: Detail) => (
  <div className="stack">
    <p className="muted">This server has no copy of the audited commit, so only what the audit kept is shown.</p>
    <ul>
      {locations.map(({ file_path, line_start }) => (
        <li key={`${file_path}:${line_start}`} className="mono">
          {file_path}:{line_start}
        </li>
      ))}
    </ul>
    {snippet === null ? null : (
      <Snippet language={locations[0]?.file_path ?? ""} text={snippet} label="Lines around the first location" />
    )}
  </div>
)

/** The code of each location as it was in the audited commit, with the flagged lines. */
export const CodeAtLocations = (detail: Detail) => {
  const { ref, description } = detail
  const { data, error, refetch } = useQuery(codeQuery(ref, firstContext))
  const spans = useMemo(() => quotedIn(description.split("\n\n", 1)[0] ?? ""), [description])
  const commit = data?.locations[0]?.commit ?? null
  const hasLines = data?.locations.some(({ lines }) => lines.length > 0) === true
  return (
    <Section
      title="Code"
      actions={
        commit === null ? null : (
          <span className="muted">
            at <code>{commit.slice(0, 7)}</code>
          </span>
        )
      }
    >
      {error === null ? null : <Problem error={error} onRetry={() => refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Bones rows={4} what="the code" />
        ) : null
      ) : hasLines ? (
        <div className="stack">
          {data.locations.map(({ file_path, line_start, line_end }, index) => (
            <LocationCode key={`${file_path}:${line_start}-${line_end}`} refName={ref} index={index} spans={spans} />
          ))}
          {data.truncated ? <p className="muted">Some locations or ends of lines are left out.</p> : null}
        </div>
      ) : (
        <Kept {...detail} />
      )}
    </Section>
  )
}
