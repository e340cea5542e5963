import type { Fixer } from "../core/fix/Fixer.ts"

type Load = () => Promise<{ readonly default: Fixer }>

/**
 * Every fixer by the full id of its rule, a line each, in order. The code of one is loaded when its rule matches
 * something; a new fixer is a file, a line here and a folder of fixtures.
 */
export const fixers: Readonly<Record<string, Load>> = {
  "accessibility.control_without_label": () => import("./accessibility/fixers/control_without_label.ts"),
  "accessibility.image_without_alternative": () => import("./accessibility/fixers/image_without_alternative.ts"),
  "accessibility.invalid_aria": () => import("./accessibility/fixers/invalid_aria.ts"),
  "accessibility.page_without_language": () => import("./accessibility/fixers/page_without_language.ts"),
  "accessibility.positive_tabindex": () => import("./accessibility/fixers/positive_tabindex.ts"),
  "accessibility.zoom_disabled": () => import("./accessibility/fixers/zoom_disabled.ts"),
  "async_concurrency.blocking_in_async": () => import("./async_concurrency/fixers/blocking_in_async.ts"),
  "async_concurrency.coroutine_never_awaited": () => import("./async_concurrency/fixers/coroutine_never_awaited.ts"),
  "async_concurrency.double_checked_locking": () => import("./async_concurrency/fixers/double_checked_locking.ts"),
  "async_concurrency.thread_run_directly": () => import("./async_concurrency/fixers/thread_run_directly.ts"),
  "async_concurrency.wait_group_race": () => import("./async_concurrency/fixers/wait_group_race.ts"),
  "authentication_session.jwt_expiry_ignored": () => import("./authentication_session/fixers/jwt_expiry_ignored.ts"),
  "authentication_session.session_cookie_readable": () =>
    import("./authentication_session/fixers/session_cookie_readable.ts"),
  "authentication_session.session_cookie_unencrypted": () =>
    import("./authentication_session/fixers/session_cookie_unencrypted.ts"),
  "authentication_session.timing_unsafe_compare": () =>
    import("./authentication_session/fixers/timing_unsafe_compare.ts"),
  "container_configuration.privilege_escalation": () =>
    import("./container_configuration/fixers/privilege_escalation.ts"),
  "container_configuration.root_user": () => import("./container_configuration/fixers/root_user.ts"),
  "container_configuration.world_writable": () => import("./container_configuration/fixers/world_writable.ts"),
  "correctness_bugs.always_true_alternative": () => import("./correctness_bugs/fixers/always_true_alternative.ts"),
  "correctness_bugs.assert_on_tuple": () => import("./correctness_bugs/fixers/assert_on_tuple.ts"),
  "correctness_bugs.assignment_in_condition": () => import("./correctness_bugs/fixers/assignment_in_condition.ts"),
  "correctness_bugs.duplicate_key_same_value": () => import("./correctness_bugs/fixers/duplicate_key_same_value.ts"),
  "correctness_bugs.except_with_operator": () => import("./correctness_bugs/fixers/except_with_operator.ts"),
  "correctness_bugs.exception_not_thrown": () => import("./correctness_bugs/fixers/exception_not_thrown.ts"),
  "correctness_bugs.format_mismatch": () => import("./correctness_bugs/fixers/format_mismatch.ts"),
  "correctness_bugs.identity_with_literal": () => import("./correctness_bugs/fixers/identity_with_literal.ts"),
  "correctness_bugs.index_as_boolean": () => import("./correctness_bugs/fixers/index_as_boolean.ts"),
  "correctness_bugs.invalid_typeof": () => import("./correctness_bugs/fixers/invalid_typeof.ts"),
  "correctness_bugs.loop_past_end": () => import("./correctness_bugs/fixers/loop_past_end.ts"),
  "correctness_bugs.loop_variable_capture": () => import("./correctness_bugs/fixers/loop_variable_capture.ts"),
  "correctness_bugs.method_not_called": () => import("./correctness_bugs/fixers/method_not_called.ts"),
  "correctness_bugs.misplaced_negation": () => import("./correctness_bugs/fixers/misplaced_negation.ts"),
  "correctness_bugs.missing_await": () => import("./correctness_bugs/fixers/missing_await.ts"),
  "correctness_bugs.missing_break": () => import("./correctness_bugs/fixers/missing_break.ts"),
  "correctness_bugs.mutable_default": () => import("./correctness_bugs/fixers/mutable_default.ts"),
  "correctness_bugs.nil_map_write": () => import("./correctness_bugs/fixers/nil_map_write.ts"),
  "correctness_bugs.raises_no_exception": () => import("./correctness_bugs/fixers/raises_no_exception.ts"),
  "correctness_bugs.result_ignored": () => import("./correctness_bugs/fixers/result_ignored.ts"),
  "correctness_bugs.return_value_on_next_line": () => import("./correctness_bugs/fixers/return_value_on_next_line.ts"),
  "correctness_bugs.self_assignment": () => import("./correctness_bugs/fixers/self_assignment.ts"),
  "correctness_bugs.string_identity": () => import("./correctness_bugs/fixers/string_identity.ts"),
  "correctness_bugs.string_index_arithmetic": () => import("./correctness_bugs/fixers/string_index_arithmetic.ts"),
  "database_schema.index_locks_table": () => import("./database_schema/fixers/index_locks_table.ts"),
  "dependency_vulnerabilities.vulnerable_version": () =>
    import("./dependency_vulnerabilities/fixers/vulnerable_version.ts"),
  "dependency_vulnerabilities.vulnerable_version_critical": () =>
    import("./dependency_vulnerabilities/fixers/vulnerable_version_critical.ts"),
  "dependency_vulnerabilities.vulnerable_version_low": () =>
    import("./dependency_vulnerabilities/fixers/vulnerable_version_low.ts"),
  "dependency_vulnerabilities.vulnerable_version_moderate": () =>
    import("./dependency_vulnerabilities/fixers/vulnerable_version_moderate.ts"),
  "error_handling.catches_everything": () => import("./error_handling/fixers/catches_everything.ts"),
  "error_handling.cause_lost": () => import("./error_handling/fixers/cause_lost.ts"),
  "error_handling.interrupt_swallowed": () => import("./error_handling/fixers/interrupt_swallowed.ts"),
  "error_handling.stack_trace_lost": () => import("./error_handling/fixers/stack_trace_lost.ts"),
  "error_handling.thrown_text": () => import("./error_handling/fixers/thrown_text.ts"),
  "frontend_quality.index_as_key": () => import("./frontend_quality/fixers/index_as_key.ts"),
  "frontend_quality.missing_dependency": () => import("./frontend_quality/fixers/missing_dependency.ts"),
  "frontend_quality.missing_key": () => import("./frontend_quality/fixers/missing_key.ts"),
  "frontend_quality.opener_exposed": () => import("./frontend_quality/fixers/opener_exposed.ts"),
  "frontend_quality.vue_loop_without_key": () => import("./frontend_quality/fixers/vue_loop_without_key.ts"),
  "infrastructure_as_code.metadata_without_token": () =>
    import("./infrastructure_as_code/fixers/metadata_without_token.ts"),
  "infrastructure_as_code.no_backups": () => import("./infrastructure_as_code/fixers/no_backups.ts"),
  "infrastructure_as_code.outdated_tls": () => import("./infrastructure_as_code/fixers/outdated_tls.ts"),
  "infrastructure_as_code.plaintext_listener": () => import("./infrastructure_as_code/fixers/plaintext_listener.ts"),
  "infrastructure_as_code.public_database": () => import("./infrastructure_as_code/fixers/public_database.ts"),
  "infrastructure_as_code.public_storage": () => import("./infrastructure_as_code/fixers/public_storage.ts"),
  "infrastructure_as_code.unencrypted_storage": () => import("./infrastructure_as_code/fixers/unencrypted_storage.ts"),
  "insecure_deserialization.external_entities": () => import("./insecure_deserialization/fixers/external_entities.ts"),
  "insecure_deserialization.unsafe_yaml_load": () => import("./insecure_deserialization/fixers/unsafe_yaml_load.ts"),
  "resource_management.effect_never_cleaned": () => import("./resource_management/fixers/effect_never_cleaned.ts"),
  "resource_management.request_without_timeout": () =>
    import("./resource_management/fixers/request_without_timeout.ts"),
  "resource_management.unclosed_connection": () => import("./resource_management/fixers/unclosed_connection.ts"),
  "resource_management.unclosed_file": () => import("./resource_management/fixers/unclosed_file.ts"),
  "resource_management.unclosed_file_read": () => import("./resource_management/fixers/unclosed_file_read.ts"),
  "resource_management.unclosed_response": () => import("./resource_management/fixers/unclosed_response.ts"),
  "security_misconfiguration.flask_debugger": () => import("./security_misconfiguration/fixers/flask_debugger.ts"),
  "sensitive_data_exposure.secret_in_log": () => import("./sensitive_data_exposure/fixers/secret_in_log.ts"),
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
  "shell_script_safety.writable_by_everybody": () => import("./shell_script_safety/fixers/writable_by_everybody.ts"),
  "sql_injection.built_sql": () => import("./sql_injection/fixers/built_sql.ts"),
  "sql_injection.built_sql_text": () => import("./sql_injection/fixers/built_sql_text.ts"),
  "sql_injection.built_sql_unquoted": () => import("./sql_injection/fixers/built_sql_unquoted.ts"),
  "sql_injection.untrusted_sql": () => import("./sql_injection/fixers/untrusted_sql.ts"),
  "test_quality.assertion_not_awaited": () => import("./test_quality/fixers/assertion_not_awaited.ts"),
  "test_quality.assertion_not_called": () => import("./test_quality/fixers/assertion_not_called.ts"),
  "test_quality.async_test_not_run": () => import("./test_quality/fixers/async_test_not_run.ts"),
  "test_quality.fatal_in_goroutine": () => import("./test_quality/fixers/fatal_in_goroutine.ts"),
  "test_quality.focused_test": () => import("./test_quality/fixers/focused_test.ts"),
  "weak_cryptography.outdated_tls": () => import("./weak_cryptography/fixers/outdated_tls.ts"),
  "weak_cryptography.predictable_random": () => import("./weak_cryptography/fixers/predictable_random.ts"),
  "weak_cryptography.small_key": () => import("./weak_cryptography/fixers/small_key.ts"),
  "weak_cryptography.tls_verification_disabled": () => import("./weak_cryptography/fixers/tls_verification_disabled.ts")
}

/** Full ids of the rules that have a fixer; no fixer's code is loaded for it. */
export const fixableRules: ReadonlySet<string> = new Set(Object.keys(fixers))

const loaded = new Map<string, Promise<Fixer>>()

/** The fixer of a rule; null for a rule that has none. */
export const loadFixer = async (ruleId: string): Promise<Fixer | null> => {
  if (!Object.hasOwn(fixers, ruleId)) return null
  const pending = loaded.get(ruleId) ?? fixers[ruleId]!().then((module) => module.default)
  loaded.set(ruleId, pending)
  return pending
}
