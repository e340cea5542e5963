import { OBJECT, XML } from "../../values/Value.ts"
import { DOCUMENT, OBJECTS, YAML } from "../labels.ts"
import type { Model } from "../Model.ts"

export const objects: Model = {
  name: "objects",
  mentions: /\b(?:unserialize|deserialize|deepDeserialize|parseXml\w*)\(|DEFAULT_FULL_SCHEMA/,
  sinks: [
    {
      kind: OBJECT,
      label: OBJECTS,
      path: /^(?:node-serialize|serialize-to-js|funcster|cryo)(?:\.default)?\.(?:unserialize|deserialize|deepDeserialize|parse)$/,
      args: [0]
    },
    { kind: OBJECT, label: OBJECTS, path: /^v8\.deserialize$/, args: [0] },
    {
      kind: OBJECT,
      label: YAML,
      path: /^(?:js-yaml|yaml)(?:\.default)?\.(?:load|loadAll)$/,
      args: [0],
      when: ({ argument }) => /DEFAULT_FULL_SCHEMA|js-yaml-js-types|jsTypes/.test(argument(1) + argument(2))
    },
    {
      kind: XML,
      label: DOCUMENT,
      path: /^(?:libxmljs2?|libxmljs-mt)(?:\.default)?\.(?:parseXml|parseXmlString|parseXmlAsync)$/,
      args: [0],
      when: ({ option }) => option("noent") === "true"
    }
  ]
}
