import { syntaxFaults } from "../scan/syntaxFaults.ts"
import { gitObjects } from "../source/gitObjects.ts"
import { converse } from "./conversation.ts"
import { decodeSyntaxRequest } from "./requests/syntaxRequest.ts"

/** Entry of the process that parses the changed files of a commit. */
converse(decodeSyntaxRequest, async (source, request) => {
  const { base, paths } = request
  const previous = gitObjects(request.source.gitDir, base)
  try {
    return { faults: await syntaxFaults(previous, source, paths) }
  } finally {
    await previous.close()
  }
})
