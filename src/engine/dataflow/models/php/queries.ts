import { LDAP, XPATH } from "../../values/Value.ts"
import { DIRECTORY_FILTER, XPATH_EXPRESSION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Queries of documents and directories: XPath and LDAP. */
export const queries: Model = {
  name: "queries",
  mentions: /\bldap_(?:search|list|read)\s*\(|->(?:xpath|query|evaluate)\(/,
  sinks: [
    { kind: XPATH, label: XPATH_EXPRESSION, path: /^\\?DOMXPath(?:\(\))?\.(?:query|evaluate)$/, args: [0] },
    { kind: XPATH, label: XPATH_EXPRESSION, path: /(?:^|\.)xpath$/, args: [0], text: /[/[@(]/ },
    { kind: LDAP, label: DIRECTORY_FILTER, path: /^\\?ldap_(?:search|list|read)$/, args: [2] }
  ],
  sanitizers: [{ path: /^\\?ldap_escape$/, kinds: LDAP }]
}
