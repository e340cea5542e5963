/** Tables that always stay small. */
export const smallTables =
  /countr|role|setting|config|categor|status|type|currenc|languag|locale|permission|plan|zone|tag|option|menu|feature|state|region|tracker|enumeration|priorit|field/i

/** Work done once per installation, where the number of queries does not matter. */
export const onceOnly =
  /(?:^|\/)(?:migrations?|migrate|seeds?|seeders?|fixtures|scripts?|bin|tools?|maintenance|upgrades?|installer?|tasks|commands?|cli|console)\/|(?:migrat|seed|install|upgrade)\w*\.\w+$/i
