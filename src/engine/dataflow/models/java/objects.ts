import { RECEIVER } from "../../TaintLanguage.ts"
import { OBJECT } from "../../values/Value.ts"
import { OBJECTS, YAML } from "../labels.ts"
import type { Model } from "../Model.ts"

export const objects: Model = {
  name: "objects",
  mentions:
    /\bObjectInputStream\(|\b(?:fromXML|readObject|loadAs|loadAll|XMLDecoder)\b|\bYaml\(|\bDocumentBuilder|\bSAX\w+|\bXMLInputFactory/,
  sinks: [
    { kind: OBJECT, label: OBJECTS, path: /^(?:java\.io\.)?ObjectInputStream$/, args: [0] },
    {
      kind: OBJECT,
      label: OBJECTS,
      path: /(?:^|\.)(?:XStream|Kryo|Hessian2?Input|XMLDecoder)(?:\(\))?(?:\.(?:fromXML|readObject|readClassAndObject))?$|SerializationUtils\.deserialize$/,
      args: [0, RECEIVER]
    },
    {
      kind: OBJECT,
      label: YAML,
      path: /^(?:org\.yaml\.snakeyaml\.)?Yaml(?:\(\))?\.(?:load|loadAll|loadAs)$/,
      args: [0]
    }
  ]
}
