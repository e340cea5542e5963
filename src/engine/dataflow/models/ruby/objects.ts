import { OBJECT } from "../../values/Value.ts"
import { OBJECTS, YAML } from "../labels.ts"
import type { Model } from "../Model.ts"

export const objects: Model = {
  name: "objects",
  sinks: [
    { kind: OBJECT, label: OBJECTS, path: /^Marshal\.(?:load|restore)$/, args: [0] },
    {
      kind: OBJECT,
      label: YAML,
      path: /^(?:YAML|Psych)\.(?:load|unsafe_load|load_stream)$/,
      args: [0],
      when: ({ option }) => option("permitted_classes") === null
    },
    {
      kind: OBJECT,
      label: OBJECTS,
      path: /^Oj\.(?:object_load|load)$/,
      args: [0],
      when: ({ callee, option }) => /object_load$/.test(callee) || option("mode") === ":object"
    }
  ]
}
