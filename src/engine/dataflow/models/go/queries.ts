import { LDAP, XPATH } from "../../values/Value.ts"
import { DIRECTORY_FILTER, XPATH_EXPRESSION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Queries of documents and directories: XPath and LDAP. */
export const queries: Model = {
  name: "queries",
  mentions: /\bNewSearchRequest\(|\b(?:xmlquery|htmlquery|xpath)\./,
  sinks: [
    {
      kind: XPATH,
      label: XPATH_EXPRESSION,
      path: /^github\.com\/antchfx\/(?:xmlquery|htmlquery|jsonquery)\.(?:Find|FindOne|Query|QueryAll)$/,
      args: [1]
    },
    { kind: XPATH, label: XPATH_EXPRESSION, path: /^github\.com\/antchfx\/xpath\.(?:Compile|MustCompile)$/, args: [0] },
    { kind: LDAP, label: DIRECTORY_FILTER, path: /(?:^|[/.])ldap(?:\.v\d|\/v\d)?\.NewSearchRequest$/, args: [6] }
  ],
  sanitizers: [{ path: /(?:^|[/.])ldap(?:\.v\d|\/v\d)?\.EscapeFilter$/, kinds: LDAP }]
}
