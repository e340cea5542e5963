import { RECEIVER } from "../../TaintLanguage.ts"
import { OBJECT } from "../../values/Value.ts"
import { DIRECTORY, OBJECTS, YAML } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Of SnakeYAML: it knows maps, lists and plain values only. */
const makesPlainData = /\bnew\s+(?:\w+\.)*SafeConstructor\(/

export const objects: Model = {
  name: "objects",
  mentions:
    /\bObjectInputStream\(|\b(?:fromXML|readObject|loadAs|loadAll|XMLDecoder)\b|\bYaml\(|\bDocumentBuilder|\bSAX\w+|\bXMLInputFactory|\.(?:lookup|lookupLink|doLookup)\(/,
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
      args: [0],
      when: ({ around, file }) => !makesPlainData.test(/\bnew\s+(?:\w+\.)*Yaml\(/.test(around()) ? around() : file())
    },
    {
      kind: OBJECT,
      label: DIRECTORY,
      path: /^(?:javax\.naming\.(?:directory\.|ldap\.)?)?Initial(?:Dir|Ldap)?Context(?:\(\))?\.(?:lookup|lookupLink|doLookup)$|^javax\.naming\.(?:directory\.|ldap\.)?(?:Context|DirContext|LdapContext)\.(?:lookup|lookupLink)$|(?:^|\.)JndiTemplate(?:\(\))?\.lookup$/,
      args: [0],
      // What is below a name of the container's own stays there.
      text: /^(?!java:)/
    }
  ]
}
