import type { Fixer } from "../core/fix/Fixer.ts"

type Load = () => Promise<{ readonly default: Fixer }>

/**
 * Every fixer by the full id of its rule, a line each, in order. The code of one is loaded when its rule matches
 * something; a new fixer is a file, a line here and a folder of fixtures.
 */
export const fixers: Readonly<Record<string, Load>> = {
  "container_configuration.privilege_escalation": () =>
    import("./container_configuration/fixers/privilege_escalation.ts"),
  "container_configuration.world_writable": () => import("./container_configuration/fixers/world_writable.ts"),
  "frontend_quality.opener_exposed": () => import("./frontend_quality/fixers/opener_exposed.ts"),
  "infrastructure_as_code.metadata_without_token": () =>
    import("./infrastructure_as_code/fixers/metadata_without_token.ts"),
  "infrastructure_as_code.no_backups": () => import("./infrastructure_as_code/fixers/no_backups.ts"),
  "infrastructure_as_code.outdated_tls": () => import("./infrastructure_as_code/fixers/outdated_tls.ts"),
  "infrastructure_as_code.plaintext_listener": () => import("./infrastructure_as_code/fixers/plaintext_listener.ts"),
  "infrastructure_as_code.public_database": () => import("./infrastructure_as_code/fixers/public_database.ts"),
  "infrastructure_as_code.public_storage": () => import("./infrastructure_as_code/fixers/public_storage.ts"),
  "infrastructure_as_code.unencrypted_storage": () => import("./infrastructure_as_code/fixers/unencrypted_storage.ts"),
  "shell_script_safety.host_key_not_checked": () => import("./shell_script_safety/fixers/host_key_not_checked.ts"),
  "shell_script_safety.password_on_command_line": () =>
    import("./shell_script_safety/fixers/password_on_command_line.ts"),
  "shell_script_safety.predictable_temp_file": () => import("./shell_script_safety/fixers/predictable_temp_file.ts"),
  "shell_script_safety.removal_after_unchecked_cd": () =>
    import("./shell_script_safety/fixers/removal_after_unchecked_cd.ts"),
  "shell_script_safety.removal_of_unquoted_argument": () =>
    import("./shell_script_safety/fixers/removal_of_unquoted_argument.ts"),
  "shell_script_safety.removal_with_unset_variable": () =>
    import("./shell_script_safety/fixers/removal_with_unset_variable.ts"),
  "shell_script_safety.writable_by_everybody": () => import("./shell_script_safety/fixers/writable_by_everybody.ts")
}

const loaded = new Map<string, Promise<Fixer>>()

/** The fixer of a rule; null for a rule that has none. */
export const loadFixer = async (ruleId: string): Promise<Fixer | null> => {
  if (!Object.hasOwn(fixers, ruleId)) return null
  const pending = loaded.get(ruleId) ?? fixers[ruleId]!().then((module) => module.default)
  loaded.set(ruleId, pending)
  return pending
}
