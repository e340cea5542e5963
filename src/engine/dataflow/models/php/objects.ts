import { OBJECT, XML } from "../../values/Value.ts"
import { DOCUMENT, OBJECTS, YAML } from "../labels.ts"
import type { Model } from "../Model.ts"

export const objects: Model = {
  name: "objects",
  mentions: /\b(?:unserialize|maybe_unserialize|yaml_parse)\s*\(|LIBXML_(?:NOENT|DTDLOAD)/,
  sinks: [
    {
      kind: OBJECT,
      label: OBJECTS,
      path: /^\\?(?:unserialize|maybe_unserialize|igbinary_unserialize)$/,
      args: [0],
      when: ({ option, argument }) => option("allowed_classes") === null && !/allowed_classes/.test(argument(1))
    },
    { kind: OBJECT, label: YAML, path: /^\\?yaml_parse$/, args: [0] },
    {
      kind: XML,
      label: DOCUMENT,
      path: /^\\?simplexml_load_(?:string|file)$/,
      args: [0],
      when: ({ argument }) => /LIBXML_(?:NOENT|DTDLOAD)/.test(argument(2))
    },
    {
      kind: XML,
      label: DOCUMENT,
      path: /^\\?(?:DOMDocument(?:\(\))?|\?)\.(?:loadXML|load)$/,
      args: [0],
      when: ({ argument }) => /LIBXML_(?:NOENT|DTDLOAD)/.test(argument(1))
    }
  ]
}
