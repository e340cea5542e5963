import type { AuditTool } from "../AuditTool.ts"
import access_control from "./access_control/index.ts"
import accessibility from "./accessibility/index.ts"
import api_contract from "./api_contract/index.ts"
import async_concurrency from "./async_concurrency/index.ts"
import authentication_session from "./authentication_session/index.ts"
import ci_workflow_security from "./ci_workflow_security/index.ts"
import code_duplication from "./code_duplication/index.ts"
import code_hotspots from "./code_hotspots/index.ts"
import code_injection from "./code_injection.ts"
import command_injection from "./command_injection.ts"
import complexity from "./complexity.ts"
import configuration_management from "./configuration_management/index.ts"
import container_configuration from "./container_configuration/index.ts"
import correctness_bugs from "./correctness_bugs/index.ts"
import cross_site_scripting from "./cross_site_scripting/index.ts"
import database_schema from "./database_schema/index.ts"
import dead_code from "./dead_code/index.ts"
import dependency_structure from "./dependency_structure/index.ts"
import dependency_vulnerabilities from "./dependency_vulnerabilities/index.ts"
import error_handling from "./error_handling/index.ts"
import frontend_quality from "./frontend_quality/index.ts"
import infrastructure_as_code from "./infrastructure_as_code/index.ts"
import insecure_deserialization from "./insecure_deserialization/index.ts"
import observability from "./observability/index.ts"
import path_traversal from "./path_traversal.ts"
import performance_antipatterns from "./performance_antipatterns/index.ts"
import query_efficiency from "./query_efficiency/index.ts"
import regex_dos from "./regex_dos/index.ts"
import resource_management from "./resource_management/index.ts"
import secret_detection from "./secret_detection.ts"
import security_misconfiguration from "./security_misconfiguration/index.ts"
import sensitive_data_exposure from "./sensitive_data_exposure/index.ts"
import server_side_request_forgery from "./server_side_request_forgery.ts"
import shell_script_safety from "./shell_script_safety/index.ts"
import sql_injection from "./sql_injection.ts"
import supply_chain from "./supply_chain/index.ts"
import test_gaps from "./test_gaps/index.ts"
import test_quality from "./test_quality/index.ts"
import weak_cryptography from "./weak_cryptography/index.ts"

/** Every tool of the engine, by id. A new tool is a file beside this one, a line here and a folder of fixtures. */
export const tools: ReadonlyArray<AuditTool> = [
  error_handling,
  access_control,
  accessibility,
  api_contract,
  async_concurrency,
  authentication_session,
  ci_workflow_security,
  code_duplication,
  code_hotspots,
  code_injection,
  command_injection,
  complexity,
  configuration_management,
  container_configuration,
  correctness_bugs,
  cross_site_scripting,
  database_schema,
  dead_code,
  dependency_structure,
  dependency_vulnerabilities,
  frontend_quality,
  infrastructure_as_code,
  insecure_deserialization,
  observability,
  path_traversal,
  performance_antipatterns,
  query_efficiency,
  regex_dos,
  resource_management,
  secret_detection,
  security_misconfiguration,
  sensitive_data_exposure,
  server_side_request_forgery,
  shell_script_safety,
  sql_injection,
  supply_chain,
  test_gaps,
  test_quality,
  weak_cryptography
]
