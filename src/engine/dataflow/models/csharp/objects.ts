import type { SinkCall } from "../../TaintLanguage.ts"
import { OBJECT } from "../../values/Value.ts"
import { OBJECTS } from "../labels.ts"
import type { Model } from "../Model.ts"

const formatters = "(?:BinaryFormatter|NetDataContractSerializer|LosFormatter|SoapFormatter|ObjectStateFormatter)"
const namesTypes = /\bTypeNameHandling\.(?:All|Auto|Objects|Arrays)\b/

/** Settings as the call is given them, or as the function around it makes them. */
const readsTypeNames = ({ argument, around, count }: SinkCall): boolean =>
  namesTypes.test(argument(1)) || (count > 1 && /^\w+$/.test(argument(1)) && namesTypes.test(around()))

/** Types that the program lists itself. */
const isUnbound = ({ file }: SinkCall): boolean => !/SerializationBinder|\bBinder\s*=/.test(file())

/** Deserializers that make the objects which the data names. */
export const objects: Model = {
  name: "objects",
  mentions: /\b(?:Unsafe)?Deserialize\w*(?:<[^<>()]{0,80}>)?\(|\bXamlReader\.|\bReadObject\(/,
  sinks: [
    {
      kind: OBJECT,
      label: OBJECTS,
      path: new RegExp(`(?:^|\\.)${formatters}(?:\\(\\))?\\.(?:Unsafe)?(?:Deserialize\\w*|ReadObject)$`),
      args: [0],
      when: isUnbound
    },
    { kind: OBJECT, label: OBJECTS, path: /(?:^|\.)XamlReader\.(?:Parse|Load)$/, args: [0] },
    {
      kind: OBJECT,
      label: OBJECTS,
      path: /^(?:Newtonsoft\.Json\.)?JsonConvert\.DeserializeObject$/,
      args: [0],
      when: (call) => isUnbound(call) && readsTypeNames(call)
    }
  ]
}
