/** The tool that looks for credentials. A repository cannot switch it off. */
export const CREDENTIALS = "secret_detection"

/** Whether a name means this rule: a tool, a full rule id, or the part of it after the tool. */
export const meansRule = (name: string, ruleId: string): boolean =>
  name === ruleId || ruleId.startsWith(`${name}.`) || ruleId.endsWith(`.${name}`)

export const isCredentialRule = (ruleId: string): boolean => ruleId.startsWith(`${CREDENTIALS}.`)

/** The form of a name of a rule or tool; whether there is one of that name, the catalogue knows. */
export const isRuleName = (name: string): boolean => /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?$/.test(name)
