import { discover } from "../../discovery/discover.ts"
import { readHistory } from "../../discovery/profile/history.ts"
import { converse, reportStage, throttled, write } from "./conversation.ts"
import { decodeRequest } from "./requests/scanRequest.ts"

/** Entry of the process that looks at a repository for a discovery. */
converse(decodeRequest, (tree, { source, workers, cache }) =>
  discover(tree, {
    ...(workers === undefined ? {} : { workers }),
    ...(cache === undefined ? {} : { cache }),
    ...(source.kind === "git" ? { history: () => readHistory(source.gitDir, source.commit) } : {}),
    onStage: reportStage,
    onProgress: throttled((done, total) => void write({ type: "progress", done, total }))
  })
)
