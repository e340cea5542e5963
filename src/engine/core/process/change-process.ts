import { describeChange } from "../../changes/describeChange.ts"
import { gitObjects } from "../source/gitObjects.ts"
import { converse } from "./conversation.ts"
import { decodeChangeRequest } from "./requests/changeRequest.ts"

/** Entry of the process that parses both sides of a change. */
converse(decodeChangeRequest, async (head, request) => {
  const base = gitObjects(request.source.gitDir, request.base)
  try {
    return await describeChange(base, head, request.changes)
  } finally {
    await base.close()
  }
})
