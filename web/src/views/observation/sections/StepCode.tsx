import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { firstContext, maxContext, moreContext, stepCodeQuery } from "../../../api/observation.ts"
import { Button } from "../../../parts/button/Button.tsx"
import { Code } from "../../../parts/code/Code.tsx"
import { Bones } from "../../../parts/feedback/Bones.tsx"
import { Problem } from "../../../parts/feedback/Problem.tsx"
import { CopyButton } from "../../../parts/text/CopyButton.tsx"

interface StepCodeProps {
  readonly refName: string
  readonly step: number
  readonly role: string
}

/** The line of one step in the audited commit, with five lines around it, and more when they are asked for. */
export const StepCode = ({ refName, step, role }: StepCodeProps) => {
  const [context, setContext] = useState(firstContext)
  const { data, error, refetch } = useQuery({
    ...stepCodeQuery(refName, step, context),
    placeholderData: keepPreviousData
  })
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones rows={4} what="the code" />
  const [location] = data.locations
  if (location === undefined || location.lines.length === 0)
    return <p className="muted">This server has no copy of the file in the audited commit.</p>
  const { file_path, commit, line_start, line_end, lines } = location
  return (
    <Code
      path={file_path}
      lines={lines}
      flagged={{ from: line_start, to: line_end }}
      role={`${role}, step ${step + 1}`}
      actions={
        <>
          {commit === null ? null : (
            <span className="muted only-wide">
              at <code>{commit.slice(0, 7)}</code>
            </span>
          )}
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
