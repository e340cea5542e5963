import { LDAP, XPATH } from "../../values/Value.ts"
import { DIRECTORY_FILTER, XPATH_EXPRESSION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Queries of documents and directories: XPath and LDAP. */
export const queries: Model = {
  name: "queries",
  mentions: /\.search(?:_\w+)?\(|\.xpath\(|\bXPath\(|\bldap3?\b/,
  sinks: [
    {
      kind: XPATH,
      label: XPATH_EXPRESSION,
      path: /(?:^|\.)xpath$|^lxml\.etree\.(?:XPath|ETXPath)$/,
      args: [0],
      text: /[/[@(]/
    },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /^ldap\b.*\.(?:search|search_s|search_st|search_ext|search_ext_s)$|\.(?:search_s|search_st|search_ext|search_ext_s)$/,
      args: [2],
      named: ["filterstr"]
    },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /^ldap3\b.*\.(?:search|paged_search)$/,
      args: [1],
      named: ["search_filter"]
    },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /\.search$/,
      args: [1],
      named: ["search_filter"],
      text: /^\([&|!(]*\w+[~<>]?=/
    }
  ],
  sanitizers: [{ path: /(?:^|\.)(?:escape_filter_chars|escape_dn_chars)$|^ldap\.filter\.filter_format$/, kinds: LDAP }]
}
