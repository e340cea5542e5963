import { LDAP, XPATH } from "../../values/Value.ts"
import { DIRECTORY_FILTER, XPATH_EXPRESSION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Queries of documents and directories: XPath and LDAP. */
export const queries: Model = {
  name: "queries",
  mentions:
    /\b(?:selectNodes|selectSingleNode|XPath\w*|DirContext|InitialDirContext|LdapContext|InitialLdapContext|LdapTemplate|LdapConnection|LDAPConnection)\b/,
  sinks: [
    {
      kind: XPATH,
      label: XPATH_EXPRESSION,
      path: /(?:^|\.)(?:XPath|newXPath\(\))\.(?:compile|evaluate|evaluateExpression)$/,
      args: [0]
    },
    {
      kind: XPATH,
      label: XPATH_EXPRESSION,
      path: /(?:^|\.)(?:selectNodes|selectSingleNode)$/,
      args: [0],
      text: /[/[@(]/
    },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /(?:^|\.)(?:Initial)?(?:Dir|Ldap)Context(?:\(\))?\.search$/,
      args: [1]
    },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /(?:^|\.)LdapTemplate(?:\(\))?\.(?:search|searchForObject|searchForContext|authenticate)$/,
      args: [1]
    },
    {
      kind: LDAP,
      label: DIRECTORY_FILTER,
      path: /(?:^|\.)(?:LDAPConnection|LDAPConnectionPool|LdapConnection|LdapNetworkConnection)(?:\(\))?\.search(?:ForEntry)?$/,
      args: [1, 2],
      text: /^\(/
    }
  ],
  sanitizers: [
    {
      path: /(?:^|\.)(?:LdapEncoder|Encode|ESAPI\.encoder\(\)|Encoder)\.(?:filterEncode|forLdap|encodeForLDAP)$|(?:^|\.)Filter\.encodeValue$/,
      kinds: LDAP
    },
    { path: /(?:^|\.)(?:ESAPI\.encoder\(\)|Encoder)\.encodeForXPath$/, kinds: XPATH }
  ]
}
