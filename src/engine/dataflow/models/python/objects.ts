import { OBJECT, XML } from "../../values/Value.ts"
import { DOCUMENT, OBJECTS, YAML } from "../labels.ts"
import type { Model } from "../Model.ts"

export const objects: Model = {
  name: "objects",
  mentions:
    /\b(?:pickle|cPickle|dill|cloudpickle|joblib|marshal|jsonpickle|yaml|etree|objectify)\.(?:loads?|decode|load_all|unsafe_load\w*|Unpickler|fromstring|parse|XML|iterparse)\(|\bread_pickle\(|\btorch\.load\(/,
  sinks: [
    {
      kind: OBJECT,
      label: OBJECTS,
      path: /^(?:c?[pP]ickle|_pickle|dill|cloudpickle|joblib|pickle5|marshal|jsonpickle)\.(?:loads?|decode|Unpickler|unpickle)$|^(?:shelve\.open|pandas\.read_pickle|torch\.load)$/,
      args: [0],
      // Classes are looked up by the program's own function.
      when: ({ callee, around }) => !/Unpickler$/.test(callee) || !/\.find_(?:global|class)\s*=/.test(around())
    },
    {
      kind: OBJECT,
      label: YAML,
      path: /^yaml\.(?:load|load_all|unsafe_load|unsafe_load_all|full_load)$/,
      args: [0],
      when: ({ callee, option, argument, count }) =>
        /unsafe/.test(callee) ||
        (/\.?load(?:_all)?$/.test(callee) &&
          !/full_load$/.test(callee) &&
          !/Safe|Base|Full/.test(`${option("Loader") ?? ""}${count > 1 ? argument(1) : ""}`))
    },
    {
      kind: XML,
      label: DOCUMENT,
      path: /^lxml\.(?:etree|objectify)\.(?:parse|fromstring|XML|iterparse)$/,
      args: [0],
      when: ({ count, option }) => count < 2 && option("parser") === null && option("resolve_entities") !== "False"
    }
  ]
}
