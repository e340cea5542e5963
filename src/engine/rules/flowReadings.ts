import type { Measured } from "./readings.ts"

/**
 * How often flows were right that start where strangers have no say of their own, by rule and kind of source: they say nothing
 * of the rule's flows from outside.
 */
export const measuredFrom: Readonly<Record<string, Measured>> = {
  "access_control.prototype_pollution_merge parameter": { right: 1, arguable: 3, wrong: 7 },
  "access_control.prototype_pollution_path parameter": { right: 2, arguable: 2, wrong: 6 },
  "code_injection.exported_code parameter": { right: 2, arguable: 3, wrong: 10 },
  "code_injection.untrusted_code arguments": { right: 0, arguable: 1, wrong: 2 },
  "code_injection.untrusted_code database": { right: 0, arguable: 1, wrong: 2 },
  "code_injection.untrusted_code environment": { right: 0, arguable: 0, wrong: 1 },
  "code_injection.untrusted_code stdin": { right: 0, arguable: 0, wrong: 1 },
  "code_injection.untrusted_module arguments": { right: 0, arguable: 0, wrong: 3 },
  "code_injection.untrusted_module environment": { right: 0, arguable: 0, wrong: 1 },
  "code_injection.untrusted_template stdin": { right: 0, arguable: 0, wrong: 1 },
  "command_injection.argument_injection parameter": { right: 2, arguable: 0, wrong: 3 },
  "command_injection.built_command parameter": { right: 2, arguable: 9, wrong: 4 },
  "command_injection.untrusted_command arguments": { right: 0, arguable: 3, wrong: 0 },
  "command_injection.untrusted_command database": { right: 0, arguable: 1, wrong: 0 },
  "command_injection.untrusted_command environment": { right: 0, arguable: 3, wrong: 0 },
  "command_injection.untrusted_command file": { right: 0, arguable: 0, wrong: 1 },
  "command_injection.untrusted_command stdin": { right: 0, arguable: 1, wrong: 1 },
  "cross_site_scripting.markup_from_caller parameter": { right: 2, arguable: 5, wrong: 5 },
  "insecure_deserialization.exported_object parameter": { right: 2, arguable: 6, wrong: 5 },
  "insecure_deserialization.untrusted_object stdin": { right: 0, arguable: 0, wrong: 1 },
  "path_traversal.untrusted_include database": { right: 0, arguable: 3, wrong: 0 },
  "path_traversal.untrusted_path arguments": { right: 0, arguable: 0, wrong: 1 },
  "path_traversal.untrusted_path database": { right: 0, arguable: 0, wrong: 3 },
  "path_traversal.untrusted_path environment": { right: 0, arguable: 1, wrong: 3 },
  "path_traversal.untrusted_path file": { right: 0, arguable: 0, wrong: 1 },
  "path_traversal.zip_slip file": { right: 1, arguable: 0, wrong: 1 },
  "regex_dos.exponential_regex parameter": { right: 3, arguable: 0, wrong: 0 },
  "regex_dos.polynomial_regex_in_library parameter": { right: 8, arguable: 11, wrong: 5 },
  "server_side_request_forgery.exported_url parameter": { right: 0, arguable: 3, wrong: 5 },
  "server_side_request_forgery.untrusted_url arguments": { right: 0, arguable: 0, wrong: 1 },
  "sql_injection.built_ldap parameter": { right: 2, arguable: 0, wrong: 0 },
  "sql_injection.built_xpath parameter": { right: 0, arguable: 2, wrong: 0 },
  "sql_injection.untrusted_sql arguments": { right: 0, arguable: 0, wrong: 4 },
  "sql_injection.untrusted_sql database": { right: 1, arguable: 1, wrong: 3 },
  "sql_injection.untrusted_sql_php arguments": { right: 0, arguable: 0, wrong: 2 },
  "sql_injection.untrusted_sql_php database": { right: 1, arguable: 3, wrong: 0 }
}

/**
 * The same of direct flows: what a request sends reaches an interpreter in the same file, in four steps at most. They are
 * counted in `measured`, too. Of paths and addresses none was counted then; those of files that were chosen are in `chosenDirect`.
 */
export const measuredDirect: Readonly<Record<string, Measured>> = {
  "code_injection.untrusted_code": { right: 0, arguable: 1, wrong: 0 },
  "command_injection.untrusted_command": { right: 4, arguable: 0, wrong: 0 },
  "cross_site_scripting.untrusted_html": { right: 29, arguable: 7, wrong: 2 },
  "insecure_deserialization.untrusted_object": { right: 3, arguable: 0, wrong: 0 },
  "sql_injection.untrusted_ldap": { right: 1, arguable: 0, wrong: 0 },
  "sql_injection.untrusted_sql": { right: 1, arguable: 0, wrong: 0 },
  "sql_injection.untrusted_sql_php": { right: 4, arguable: 0, wrong: 0 }
}
