import { LDAP, XPATH } from "../../values/Value.ts"
import { DIRECTORY_FILTER, XPATH_EXPRESSION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Queries of documents and directories: XPath and LDAP. */
export const queries: Model = {
  name: "queries",
  mentions: /\b(?:SelectNodes|SelectSingleNode|XPath\w+|DirectorySearcher|SearchRequest)\b/,
  sinks: [
    {
      kind: XPATH,
      label: XPATH_EXPRESSION,
      path: /(?:^|\.)(?:SelectNodes|SelectSingleNode|XPathSelectElements?|XPathEvaluate)$/,
      args: [0]
    },
    {
      kind: XPATH,
      label: XPATH_EXPRESSION,
      path: /(?:^|\.)(?:XPathNavigator|CreateNavigator\(\))\.(?:Select|Evaluate|Compile)$|(?:^|\.)XPathExpression\.Compile$/,
      args: [0]
    },
    { kind: LDAP, label: DIRECTORY_FILTER, path: /(?:^|\.)DirectorySearcher$/, args: [0, 1], text: /^\(/ },
    { kind: LDAP, label: DIRECTORY_FILTER, path: /(?:^|\.)DirectorySearcher(?:\(\))?\.Filter=$/, args: [0] },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /^(?:System\.DirectoryServices\.Protocols\.)?SearchRequest$/,
      args: [1],
      text: /^\(/
    }
  ],
  sanitizers: [{ path: /(?:^|\.)Encoder\.LdapFilterEncode$/, kinds: LDAP }]
}
