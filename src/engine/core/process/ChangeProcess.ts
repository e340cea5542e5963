import type { Effect } from "effect"
import { ChangeDescription } from "../../changes/ChangeDescription.ts"
import type { ChangeRequest } from "./requests/changeRequest.ts"
import { type InProcessOptions, inProcess, type ProcessEvent, type ScanError } from "./ScanProcess.ts"

/** What parsing both sides of a change shows, from a process of its own. */
export const describeChangeInProcess = (
  request: ChangeRequest,
  options: Pick<InProcessOptions<ProcessEvent, never>, "limits"> = {}
): Effect.Effect<ChangeDescription, ScanError> =>
  inProcess<ChangeDescription, typeof ChangeDescription.Encoded, never>(
    "change-process",
    request,
    ChangeDescription,
    options
  )
