import type { SourceKind } from "../core/tool/SourceKind.ts"

/**
 * How often each rule was right on code that it was not written for, as docs/audit-precision.md reports: the one place
 * where measured confidence is kept. A rule that is missing here has not been measured.
 */
export interface Measured {
  readonly right: number
  readonly arguable: number
  readonly wrong: number
}

/**
 * How many readings the author's estimate counts for: a few findings alone say little about a rule, and estimates were
 * 8 points above what was right on average.
 */
const ESTIMATE_WEIGHT = 6

/**
 * By full rule id. A rule whose cause of wrong reports was removed after the reading is left out until it is read again:
 * the figures are of another rule.
 */
export const measured: Readonly<Record<string, Measured>> = {
  "accessibility.access_key": { right: 0, arguable: 1, wrong: 0 },
  "accessibility.anchor_without_target": { right: 3, arguable: 0, wrong: 0 },
  "accessibility.click_without_keyboard": { right: 3, arguable: 0, wrong: 0 },
  "accessibility.control_role_without_focus": { right: 1, arguable: 0, wrong: 0 },
  "accessibility.control_without_label": { right: 38, arguable: 4, wrong: 0 },
  "accessibility.duplicate_id": { right: 1, arguable: 0, wrong: 0 },
  "accessibility.empty_heading": { right: 1, arguable: 0, wrong: 0 },
  "accessibility.focusable_content": { right: 0, arguable: 1, wrong: 0 },
  "accessibility.frame_without_title": { right: 2, arguable: 1, wrong: 0 },
  "accessibility.hidden_focusable": { right: 5, arguable: 0, wrong: 0 },
  "accessibility.image_without_alternative": { right: 19, arguable: 1, wrong: 0 },
  "accessibility.invalid_aria": { right: 2, arguable: 0, wrong: 0 },
  "accessibility.mouse_without_keyboard": { right: 0, arguable: 2, wrong: 0 },
  "accessibility.nameless_control": { right: 23, arguable: 1, wrong: 0 },
  "accessibility.page_without_language": { right: 20, arguable: 5, wrong: 1 },
  "accessibility.positive_tabindex": { right: 3, arguable: 0, wrong: 0 },
  "accessibility.redundant_role": { right: 1, arguable: 5, wrong: 0 },
  "accessibility.zoom_disabled": { right: 6, arguable: 2, wrong: 5 },
  "api_contract.colliding_paths": { right: 0, arguable: 0, wrong: 2 },
  "async_concurrency.async_callback_unawaited": { right: 1, arguable: 1, wrong: 0 },
  "async_concurrency.async_executor": { right: 2, arguable: 0, wrong: 0 },
  "async_concurrency.blocking_in_async": { right: 0, arguable: 0, wrong: 1 },
  "async_concurrency.double_checked_locking": { right: 3, arguable: 0, wrong: 0 },
  "async_concurrency.floating_promise": { right: 4, arguable: 4, wrong: 5 },
  "async_concurrency.lock_guards_nothing": { right: 7, arguable: 2, wrong: 0 },
  "async_concurrency.lock_not_released": { right: 4, arguable: 1, wrong: 1 },
  "async_concurrency.shared_map_write": { right: 2, arguable: 0, wrong: 0 },
  "authentication_session.constant_credentials": { right: 0, arguable: 0, wrong: 1 },
  "authentication_session.cookie_without_flags": { right: 3, arguable: 5, wrong: 0 },
  "authentication_session.jwt_expiry_ignored": { right: 0, arguable: 0, wrong: 2 },
  "authentication_session.jwt_unverified": { right: 0, arguable: 0, wrong: 3 },
  "authentication_session.plain_password_compare": { right: 1, arguable: 0, wrong: 0 },
  "authentication_session.session_cookie_unencrypted": { right: 0, arguable: 2, wrong: 0 },
  "authentication_session.timing_unsafe_compare": { right: 6, arguable: 1, wrong: 0 },
  "ci_workflow_security.action_pinned_to_branch": { right: 4, arguable: 0, wrong: 0 },
  "ci_workflow_security.archived_action": { right: 2, arguable: 0, wrong: 0 },
  "ci_workflow_security.default_permissions": { right: 1, arguable: 0, wrong: 0 },
  "ci_workflow_security.deprecated_command": { right: 2, arguable: 0, wrong: 0 },
  "ci_workflow_security.input_in_script": { right: 0, arguable: 2, wrong: 0 },
  "ci_workflow_security.no_permissions": { right: 7, arguable: 0, wrong: 0 },
  "ci_workflow_security.remote_script": { right: 4, arguable: 1, wrong: 0 },
  "ci_workflow_security.retired_action_version": { right: 1, arguable: 0, wrong: 0 },
  "ci_workflow_security.retired_runner": { right: 1, arguable: 0, wrong: 0 },
  "ci_workflow_security.unpinned_action": { right: 19, arguable: 2, wrong: 0 },
  "ci_workflow_security.unpinned_job_image": { right: 3, arguable: 0, wrong: 0 },
  "code_duplication.exact_clone": { right: 25, arguable: 2, wrong: 3 },
  "code_duplication.renamed_clone": { right: 24, arguable: 5, wrong: 1 },
  "code_injection.untrusted_module": { right: 0, arguable: 0, wrong: 3 },
  "command_injection.built_command": { right: 1, arguable: 9, wrong: 2 },
  "command_injection.built_command_php": { right: 1, arguable: 1, wrong: 0 },
  "command_injection.untrusted_command": { right: 3, arguable: 0, wrong: 1 },
  "complexity.cognitive_complexity": { right: 54, arguable: 7, wrong: 1 },
  "complexity.cognitive_complexity_extreme": { right: 39, arguable: 1, wrong: 5 },
  "complexity.deep_nesting": { right: 1, arguable: 2, wrong: 2 },
  "complexity.long_function": { right: 4, arguable: 7, wrong: 0 },
  "complexity.too_many_parameters": { right: 8, arguable: 3, wrong: 0 },
  "container_configuration.default_password_in_image": { right: 0, arguable: 1, wrong: 0 },
  "container_configuration.host_access": { right: 1, arguable: 0, wrong: 0 },
  "container_configuration.no_limits": { right: 1, arguable: 3, wrong: 0 },
  "container_configuration.rbac_wildcard": { right: 0, arguable: 1, wrong: 0 },
  "container_configuration.remote_script": { right: 3, arguable: 0, wrong: 0 },
  "container_configuration.root_user": { right: 13, arguable: 2, wrong: 1 },
  "container_configuration.unpinned_image": { right: 9, arguable: 2, wrong: 0 },
  "container_configuration.update_without_install": { right: 3, arguable: 0, wrong: 0 },
  "container_configuration.world_writable": { right: 3, arguable: 2, wrong: 0 },
  "correctness_bugs.always_true_alternative": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.append_bound": { right: 2, arguable: 5, wrong: 1 },
  "correctness_bugs.assignment_in_condition": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.callback_without_result": { right: 0, arguable: 1, wrong: 0 },
  "correctness_bugs.check_then_use": { right: 0, arguable: 1, wrong: 1 },
  "correctness_bugs.comparison_bound": { right: 2, arguable: 2, wrong: 0 },
  "correctness_bugs.comparison_without_effect": { right: 3, arguable: 0, wrong: 0 },
  "correctness_bugs.contradictory_condition": { right: 2, arguable: 0, wrong: 0 },
  "correctness_bugs.copy_of_parameter": { right: 1, arguable: 0, wrong: 1 },
  "correctness_bugs.defer_in_loop": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.destructor_not_virtual": { right: 0, arguable: 1, wrong: 0 },
  "correctness_bugs.duplicate_case": { right: 4, arguable: 0, wrong: 0 },
  "correctness_bugs.duplicate_key": { right: 12, arguable: 0, wrong: 0 },
  "correctness_bugs.duplicate_key_same_value": { right: 3, arguable: 0, wrong: 0 },
  "correctness_bugs.equals_without_hash_code": { right: 0, arguable: 0, wrong: 1 },
  "correctness_bugs.format_mismatch": { right: 1, arguable: 1, wrong: 3 },
  "correctness_bugs.format_string": { right: 0, arguable: 1, wrong: 0 },
  "correctness_bugs.formatted_length": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.identical_branches": { right: 10, arguable: 3, wrong: 0 },
  "correctness_bugs.identical_operands": { right: 6, arguable: 0, wrong: 0 },
  "correctness_bugs.index_as_boolean": { right: 2, arguable: 0, wrong: 0 },
  "correctness_bugs.invalid_typeof": { right: 2, arguable: 0, wrong: 0 },
  "correctness_bugs.loop_never_ends": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.lost_reallocation": { right: 5, arguable: 4, wrong: 0 },
  "correctness_bugs.misplaced_negation": { right: 5, arguable: 0, wrong: 0 },
  "correctness_bugs.missing_await": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.missing_break": { right: 4, arguable: 0, wrong: 0 },
  "correctness_bugs.missing_terminator": { right: 4, arguable: 0, wrong: 2 },
  "correctness_bugs.mutable_default": { right: 0, arguable: 0, wrong: 2 },
  "correctness_bugs.null_dereference": { right: 2, arguable: 0, wrong: 1 },
  "correctness_bugs.null_optional": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.position_as_boolean": { right: 3, arguable: 1, wrong: 0 },
  "correctness_bugs.repeated_condition": { right: 2, arguable: 0, wrong: 0 },
  "correctness_bugs.result_ignored": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.self_assignment": { right: 1, arguable: 1, wrong: 0 },
  "correctness_bugs.self_comparison": { right: 2, arguable: 0, wrong: 0 },
  "correctness_bugs.shared_inner_list": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.string_identity": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.strip_of_text": { right: 2, arguable: 0, wrong: 0 },
  "correctness_bugs.terminator_out_of_bounds": { right: 4, arguable: 1, wrong: 0 },
  "correctness_bugs.unbounded_copy": { right: 2, arguable: 1, wrong: 0 },
  "correctness_bugs.unbounded_input": { right: 0, arguable: 1, wrong: 0 },
  "correctness_bugs.unbounded_scan_of_text": { right: 2, arguable: 1, wrong: 1 },
  "correctness_bugs.unchecked_allocation": { right: 10, arguable: 1, wrong: 2 },
  "correctness_bugs.unchecked_privilege_drop": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.undefined_name": { right: 5, arguable: 0, wrong: 6 },
  "correctness_bugs.unreachable_code": { right: 1, arguable: 1, wrong: 0 },
  "correctness_bugs.unreachable_handler": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.unsigned_comparison_with_zero": { right: 1, arguable: 0, wrong: 0 },
  "correctness_bugs.use_after_free": { right: 0, arguable: 0, wrong: 1 },
  "correctness_bugs.useless_catch": { right: 1, arguable: 1, wrong: 0 },
  "cross_site_scripting.autoescape_off": { right: 0, arguable: 0, wrong: 1 },
  "cross_site_scripting.dom_injection": { right: 0, arguable: 1, wrong: 2 },
  "cross_site_scripting.raw_template_output": { right: 0, arguable: 1, wrong: 1 },
  "cross_site_scripting.untrusted_html": { right: 4, arguable: 2, wrong: 3 },
  "cross_site_scripting.untrusted_markup": { right: 0, arguable: 0, wrong: 1 },
  "database_schema.changes_type": { right: 0, arguable: 2, wrong: 0 },
  "database_schema.drops_data": { right: 0, arguable: 7, wrong: 0 },
  "database_schema.float_for_money": { right: 0, arguable: 3, wrong: 0 },
  "dead_code.commented_out_code": { right: 9, arguable: 1, wrong: 1 },
  "dead_code.unreferenced_private": { right: 8, arguable: 1, wrong: 3 },
  "dead_code.unused_import": { right: 10, arguable: 0, wrong: 1 },
  "dependency_structure.hub_module": { right: 0, arguable: 4, wrong: 0 },
  "dependency_structure.import_cycle": { right: 23, arguable: 3, wrong: 3 },
  "dependency_structure.import_cycle_at_load": { right: 8, arguable: 5, wrong: 2 },
  "dependency_structure.package_cycle": { right: 1, arguable: 1, wrong: 0 },
  "dependency_structure.undeclared_dependency": { right: 6, arguable: 1, wrong: 2 },
  "dependency_structure.undeclared_distribution": { right: 0, arguable: 0, wrong: 2 },
  "dependency_vulnerabilities.end_of_life_runtime": { right: 6, arguable: 0, wrong: 0 },
  "dependency_vulnerabilities.vulnerable_version": { right: 19, arguable: 0, wrong: 0 },
  "dependency_vulnerabilities.vulnerable_version_critical": { right: 5, arguable: 0, wrong: 0 },
  "dependency_vulnerabilities.vulnerable_version_low": { right: 0, arguable: 1, wrong: 0 },
  "dependency_vulnerabilities.vulnerable_version_moderate": { right: 10, arguable: 0, wrong: 0 },
  "error_handling.catches_everything": { right: 19, arguable: 0, wrong: 1 },
  "error_handling.cause_lost": { right: 6, arguable: 2, wrong: 0 },
  "error_handling.discarded_error": { right: 1, arguable: 0, wrong: 0 },
  "error_handling.empty_handler": { right: 1, arguable: 5, wrong: 0 },
  "error_handling.empty_handler_low_impact": { right: 2, arguable: 8, wrong: 0 },
  "error_handling.ignored_error": { right: 2, arguable: 2, wrong: 0 },
  "error_handling.interrupt_swallowed": { right: 7, arguable: 0, wrong: 1 },
  "error_handling.overriding_finally": { right: 5, arguable: 0, wrong: 0 },
  "error_handling.printed_only": { right: 4, arguable: 0, wrong: 0 },
  "error_handling.thrown_text": { right: 14, arguable: 8, wrong: 0 },
  "error_handling.unwrap_in_library": { right: 1, arguable: 1, wrong: 1 },
  "frontend_quality.conditional_hook": { right: 1, arguable: 0, wrong: 2 },
  "frontend_quality.focus_not_shown": { right: 5, arguable: 1, wrong: 0 },
  "frontend_quality.index_as_key": { right: 1, arguable: 1, wrong: 0 },
  "frontend_quality.missing_dependency": { right: 1, arguable: 2, wrong: 0 },
  "frontend_quality.missing_key": { right: 3, arguable: 0, wrong: 0 },
  "frontend_quality.response_not_checked": { right: 7, arguable: 1, wrong: 2 },
  "frontend_quality.script_in_address": { right: 8, arguable: 2, wrong: 0 },
  "frontend_quality.state_mutated": { right: 0, arguable: 1, wrong: 0 },
  "frontend_quality.vue_condition_on_loop": { right: 1, arguable: 0, wrong: 0 },
  "infrastructure_as_code.open_to_the_world": { right: 1, arguable: 0, wrong: 0 },
  "insecure_deserialization.external_entities": { right: 0, arguable: 1, wrong: 0 },
  "insecure_deserialization.external_entities_by_default": { right: 2, arguable: 1, wrong: 0 },
  "insecure_deserialization.unsafe_yaml_load": { right: 1, arguable: 1, wrong: 0 },
  "path_traversal.untrusted_path": { right: 4, arguable: 6, wrong: 6 },
  "performance_antipatterns.copied_accumulator": { right: 0, arguable: 3, wrong: 2 },
  "performance_antipatterns.filtered_to_find_one": { right: 6, arguable: 1, wrong: 0 },
  "performance_antipatterns.list_head_in_loop": { right: 0, arguable: 2, wrong: 1 },
  "performance_antipatterns.map_searched_by_key": { right: 4, arguable: 2, wrong: 0 },
  "performance_antipatterns.regex_in_loop": { right: 2, arguable: 0, wrong: 0 },
  "performance_antipatterns.string_built_in_loop": { right: 0, arguable: 2, wrong: 2 },
  "query_efficiency.query_in_loop": { right: 0, arguable: 5, wrong: 8 },
  "regex_dos.polynomial_regex": { right: 6, arguable: 2, wrong: 0 },
  "regex_dos.regex_from_input": { right: 1, arguable: 0, wrong: 2 },
  "resource_management.leak_on_return": { right: 2, arguable: 3, wrong: 1 },
  "resource_management.request_without_timeout": { right: 13, arguable: 4, wrong: 1 },
  "resource_management.server_without_timeouts": { right: 2, arguable: 0, wrong: 2 },
  "resource_management.unbounded_cache": { right: 0, arguable: 1, wrong: 0 },
  "resource_management.unclosed_file": { right: 4, arguable: 3, wrong: 1 },
  "resource_management.unclosed_file_read": { right: 19, arguable: 2, wrong: 0 },
  "resource_management.unclosed_response": { right: 1, arguable: 0, wrong: 0 },
  "secret_detection.example_credential": { right: 0, arguable: 2, wrong: 1 },
  "secret_detection.hardcoded_password": { right: 0, arguable: 1, wrong: 2 },
  "secret_detection.hardcoded_secret": { right: 2, arguable: 6, wrong: 1 },
  "secret_detection.private_key": { right: 0, arguable: 0, wrong: 1 },
  "secret_detection.provider_token": { right: 0, arguable: 2, wrong: 1 },
  "security_misconfiguration.any_host_allowed": { right: 0, arguable: 0, wrong: 1 },
  "security_misconfiguration.cors_with_credentials": { right: 1, arguable: 2, wrong: 0 },
  "security_misconfiguration.csrf_switched_off": { right: 0, arguable: 0, wrong: 1 },
  "security_misconfiguration.debug_mode": { right: 0, arguable: 0, wrong: 1 },
  "security_misconfiguration.directory_listing": { right: 1, arguable: 0, wrong: 1 },
  "security_misconfiguration.flask_debugger_in_main": { right: 2, arguable: 0, wrong: 0 },
  "security_misconfiguration.open_redirect": { right: 4, arguable: 1, wrong: 6 },
  "security_misconfiguration.predictable_temporary_file": { right: 0, arguable: 1, wrong: 1 },
  "security_misconfiguration.world_writable": { right: 8, arguable: 0, wrong: 1 },
  "sensitive_data_exposure.api_key_in_url": { right: 2, arguable: 3, wrong: 1 },
  "sensitive_data_exposure.exception_text_to_client": { right: 4, arguable: 5, wrong: 1 },
  "sensitive_data_exposure.request_in_log": { right: 0, arguable: 2, wrong: 0 },
  "sensitive_data_exposure.secret_in_log": { right: 12, arguable: 2, wrong: 4 },
  "sensitive_data_exposure.secret_in_url": { right: 1, arguable: 2, wrong: 0 },
  "sensitive_data_exposure.stack_to_client": { right: 4, arguable: 1, wrong: 0 },
  "server_side_request_forgery.untrusted_url": { right: 0, arguable: 2, wrong: 1 },
  "shell_script_safety.eval_of_arguments": { right: 0, arguable: 2, wrong: 1 },
  "shell_script_safety.predictable_temp_file": { right: 0, arguable: 3, wrong: 0 },
  "shell_script_safety.remote_script": { right: 1, arguable: 0, wrong: 0 },
  "shell_script_safety.removal_of_unquoted_argument": { right: 0, arguable: 2, wrong: 0 },
  "sql_injection.built_sql": { right: 3, arguable: 6, wrong: 0 },
  "sql_injection.built_sql_php": { right: 0, arguable: 0, wrong: 4 },
  "sql_injection.built_sql_unquoted": { right: 0, arguable: 0, wrong: 2 },
  "sql_injection.untrusted_ldap": { right: 1, arguable: 0, wrong: 0 },
  "sql_injection.untrusted_sql_php": { right: 0, arguable: 2, wrong: 2 },
  "supply_chain.insecure_source": { right: 2, arguable: 0, wrong: 0 },
  "supply_chain.no_lockfile": { right: 1, arguable: 0, wrong: 0 },
  "test_gaps.untested_complex_file": { right: 6, arguable: 0, wrong: 8 },
  "test_gaps.untested_sensitive_module": { right: 1, arguable: 1, wrong: 2 },
  "test_quality.assertion_cannot_fail": { right: 3, arguable: 0, wrong: 0 },
  "test_quality.assertion_not_awaited": { right: 0, arguable: 0, wrong: 1 },
  "test_quality.assertion_not_called": { right: 3, arguable: 0, wrong: 1 },
  "test_quality.assertion_only_in_handler": { right: 9, arguable: 0, wrong: 1 },
  "test_quality.assertion_swallowed": { right: 2, arguable: 0, wrong: 3 },
  "test_quality.broad_exception": { right: 3, arguable: 0, wrong: 1 },
  "test_quality.fatal_in_goroutine": { right: 3, arguable: 0, wrong: 0 },
  "test_quality.no_assertion": { right: 2, arguable: 4, wrong: 4 },
  "test_quality.sleep_in_test": { right: 14, arguable: 3, wrong: 1 },
  "weak_cryptography.cheap_key_derivation": { right: 0, arguable: 0, wrong: 1 },
  "weak_cryptography.clearing_left_out": { right: 1, arguable: 0, wrong: 0 },
  "weak_cryptography.hardcoded_key": { right: 1, arguable: 0, wrong: 0 },
  "weak_cryptography.outdated_tls": { right: 0, arguable: 3, wrong: 0 },
  "weak_cryptography.predictable_random": { right: 1, arguable: 3, wrong: 1 },
  "weak_cryptography.ssh_host_key_unchecked": { right: 2, arguable: 0, wrong: 0 },
  "weak_cryptography.static_iv": { right: 0, arguable: 0, wrong: 1 },
  "weak_cryptography.tls_verification_disabled": { right: 5, arguable: 2, wrong: 5 },
  "weak_cryptography.weak_cipher": { right: 1, arguable: 1, wrong: 2 },
  "weak_cryptography.weak_hash": { right: 1, arguable: 1, wrong: 3 },
  "weak_cryptography.weak_hash_use": { right: 0, arguable: 1, wrong: 6 },
  "weak_cryptography.weak_random_use": { right: 1, arguable: 1, wrong: 1 }
}

/**
 * The same of flows that start where strangers have no say of their own, by rule and kind of source: they say nothing
 * of the rule's flows from outside.
 */
export const measuredFrom: Readonly<Record<string, Measured>> = {
  "access_control.prototype_pollution_merge parameter": { right: 1, arguable: 1, wrong: 2 },
  "access_control.prototype_pollution_path parameter": { right: 2, arguable: 0, wrong: 2 },
  "code_injection.exported_code parameter": { right: 1, arguable: 0, wrong: 9 },
  "code_injection.untrusted_code environment": { right: 0, arguable: 0, wrong: 1 },
  "code_injection.untrusted_module environment": { right: 0, arguable: 0, wrong: 1 },
  "code_injection.untrusted_template stdin": { right: 0, arguable: 0, wrong: 1 },
  "command_injection.argument_injection parameter": { right: 2, arguable: 0, wrong: 1 },
  "command_injection.untrusted_command arguments": { right: 0, arguable: 3, wrong: 0 },
  "command_injection.untrusted_command environment": { right: 0, arguable: 3, wrong: 0 },
  "cross_site_scripting.markup_from_caller parameter": { right: 2, arguable: 3, wrong: 3 },
  "insecure_deserialization.exported_object parameter": { right: 2, arguable: 2, wrong: 3 },
  "path_traversal.untrusted_path arguments": { right: 0, arguable: 0, wrong: 1 },
  "path_traversal.untrusted_path environment": { right: 0, arguable: 1, wrong: 3 },
  "path_traversal.zip_slip file": { right: 0, arguable: 0, wrong: 1 },
  "regex_dos.exponential_regex parameter": { right: 1, arguable: 0, wrong: 0 },
  "regex_dos.polynomial_regex_in_library parameter": { right: 3, arguable: 5, wrong: 2 },
  "server_side_request_forgery.exported_url parameter": { right: 0, arguable: 0, wrong: 2 },
  "sql_injection.built_ldap parameter": { right: 1, arguable: 0, wrong: 0 },
  "sql_injection.built_xpath parameter": { right: 0, arguable: 2, wrong: 0 }
}

/**
 * Stays reported as an advisory where less than half of it was right: a few dozen readings on mature code say little
 * about code that no one guards, and there a missed injection or credential costs more than a wrong one. A workspace may
 * switch it off.
 */
const keptOn: ReadonlySet<string> = new Set([
  "access_control.prototype_pollution_merge",
  "access_control.prototype_pollution_path",
  "command_injection.built_command",
  "command_injection.untrusted_command",
  "cross_site_scripting.markup_from_caller",
  "insecure_deserialization.exported_object",
  "path_traversal.untrusted_path",
  "secret_detection.hardcoded_password",
  "secret_detection.hardcoded_secret",
  "server_side_request_forgery.exported_url",
  "sql_injection.built_sql_php",
  "sql_injection.built_sql_unquoted",
  "sql_injection.untrusted_sql_php"
])
const LEAST_KEPT_ON = 0.5

const known = (table: Readonly<Record<string, Measured>>, key: string): Measured | null =>
  Object.hasOwn(table, key) ? table[key]! : null

/** The estimate until enough was read, then more and more the share of what was right; 0..1. */
const shareOf = (found: Measured | null, estimate: number, isKeptOn: boolean): number => {
  if (found === null) return estimate
  const { right, arguable, wrong } = found
  const share = (right + ESTIMATE_WEIGHT * estimate) / (right + arguable + wrong + ESTIMATE_WEIGHT)
  return Math.max(Math.round(share * 100) / 100, isKeptOn ? LEAST_KEPT_ON : 0)
}

/** The share of a rule's matches that are right, 0..1. */
export const confidenceOf = (ruleId: string, estimate: number): number =>
  shareOf(known(measured, ruleId), estimate, keptOn.has(ruleId))

/** The same of its flows from one kind of source that strangers do not control by themselves. */
export const confidenceFrom = (ruleId: string, source: SourceKind, estimate: number): number =>
  shareOf(known(measuredFrom, `${ruleId} ${source}`), estimate, source === "parameter" && keptOn.has(ruleId))

/** What was read of a rule; null for one that was not measured. */
export const measuredOf = (ruleId: string): Measured | null => known(measured, ruleId)
