import { SESSION } from "../../values/Value.ts"
import { SESSION_ATTRIBUTE } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Sessions, which other code trusts. */
export const records: Model = {
  name: "records",
  sinks: [{ kind: SESSION, label: SESSION_ATTRIBUTE, path: /(?:^|\.)Session\.SetString$/, args: [1] }]
}
