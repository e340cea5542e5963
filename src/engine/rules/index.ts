import type { AuditTool } from "../core/tool/AuditTool.ts"
import access_control from "./access_control/tool.ts"
import accessibility from "./accessibility/tool.ts"
import api_contract from "./api_contract/tool.ts"
import async_concurrency from "./async_concurrency/tool.ts"
import authentication_session from "./authentication_session/tool.ts"
import ci_workflow_security from "./ci_workflow_security/tool.ts"
import code_duplication from "./code_duplication/tool.ts"
import code_hotspots from "./code_hotspots/tool.ts"
import code_injection from "./code_injection/tool.ts"
import command_injection from "./command_injection/tool.ts"
import complexity from "./complexity/tool.ts"
import configuration_management from "./configuration_management/tool.ts"
import container_configuration from "./container_configuration/tool.ts"
import correctness_bugs from "./correctness_bugs/tool.ts"
import cross_site_scripting from "./cross_site_scripting/tool.ts"
import database_schema from "./database_schema/tool.ts"
import dead_code from "./dead_code/tool.ts"
import dependency_structure from "./dependency_structure/tool.ts"
import dependency_vulnerabilities from "./dependency_vulnerabilities/tool.ts"
import error_handling from "./error_handling/tool.ts"
import frontend_quality from "./frontend_quality/tool.ts"
import infrastructure_as_code from "./infrastructure_as_code/tool.ts"
import insecure_deserialization from "./insecure_deserialization/tool.ts"
import observability from "./observability/tool.ts"
import path_traversal from "./path_traversal/tool.ts"
import performance_antipatterns from "./performance_antipatterns/tool.ts"
import query_efficiency from "./query_efficiency/tool.ts"
import regex_dos from "./regex_dos/tool.ts"
import resource_management from "./resource_management/tool.ts"
import secret_detection from "./secret_detection/tool.ts"
import security_misconfiguration from "./security_misconfiguration/tool.ts"
import sensitive_data_exposure from "./sensitive_data_exposure/tool.ts"
import server_side_request_forgery from "./server_side_request_forgery/tool.ts"
import shell_script_safety from "./shell_script_safety/tool.ts"
import sql_injection from "./sql_injection/tool.ts"
import supply_chain from "./supply_chain/tool.ts"
import test_gaps from "./test_gaps/tool.ts"
import test_quality from "./test_quality/tool.ts"
import weak_cryptography from "./weak_cryptography/tool.ts"

/** Every tool of the engine, by id. A new tool is a folder beside this file, a line here and a folder of fixtures. */
export const tools: ReadonlyArray<AuditTool> = [
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
  error_handling,
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
