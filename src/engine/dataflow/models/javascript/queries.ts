import { LDAP, XPATH } from "../../values/Value.ts"
import { DIRECTORY_FILTER, XPATH_EXPRESSION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Queries of documents and directories: XPath and LDAP. */
export const queries: Model = {
  name: "queries",
  mentions: /\.search\(|\bxpath\b|\bldap(?:js|ts)\b|["']ldap/,
  sinks: [
    {
      kind: XPATH,
      label: XPATH_EXPRESSION,
      path: /^xpath(?:\.default)?\.(?:select|select1|evaluate|parse|useNamespaces\(\))$/,
      args: [0]
    },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /^(?:ldapjs(?:\.default)?\.createClient\(\)|ldapts\.Client(?:\(\))?)\.search$/,
      args: [1],
      fields: ["filter"]
    },
    { kind: LDAP, label: DIRECTORY_FILTER, path: /^ldapjs(?:\.default)?\.parseFilter$/, args: [0] }
  ],
  sanitizers: [
    {
      path: /^ldap-escape(?:\.default)?\.(?:filter|dn)$|(?:^|\.)(?:escapeLdapFilter|escapeFilter|ldapEscape)$/,
      kinds: LDAP
    }
  ]
}
