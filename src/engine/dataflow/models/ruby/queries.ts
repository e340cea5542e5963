import { LDAP, XPATH } from "../../values/Value.ts"
import { DIRECTORY_FILTER, XPATH_EXPRESSION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Queries of documents and directories: XPath and LDAP. */
export const queries: Model = {
  name: "queries",
  mentions: /\bLDAP\b|\.(?:at_)?xpath\b|\bREXML\b/,
  sinks: [
    { kind: XPATH, label: XPATH_EXPRESSION, path: /(?:^|\.)(?:at_xpath|xpath)$/, args: [0], text: /[/[@(]/ },
    { kind: XPATH, label: XPATH_EXPRESSION, path: /^REXML::XPath\.(?:first|each|match)$/, args: [1] },
    { kind: LDAP, label: DIRECTORY_FILTER, path: /^Net::LDAP::Filter\.(?:construct|from_rfc2254)$/, args: [0] }
  ],
  sanitizers: [{ path: /^Net::LDAP::Filter\.escape$/, kinds: LDAP }]
}
