import { filled, type WorstCase } from "../../support/worstCase.ts"

const all = [
  "open_to_the_world",
  "public_storage",
  "public_database",
  "unencrypted_storage",
  "wildcard_permissions",
  "basic_role",
  "no_backups",
  "plaintext_listener",
  "outdated_tls",
  "metadata_without_token",
  "unpinned_module",
  "privileged_pod",
  "public_cluster_api",
  "legacy_cluster_access",
  "plaintext_transport",
  "audit_log_off",
  "password_login",
  "open_network_default",
  "open_function_url",
  "key_rotation_off",
  "mutable_image_tags"
]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: all, path: "a.tf", text: (size) => filled(size, 'resource "aws_instance" "a" {\n  a = var.b\n}\n') },
  { rules: all, path: "b.tf", text: (size) => filled(size, "a {\n", ['resource "aws_instance" "a" {\n', ""]) },
  {
    rules: ["wildcard_permissions"],
    path: "c.tf",
    text: (size) => filled(size, "{ a = [", ['resource "aws_iam_policy" "a" {\n policy = ', ""])
  },
  {
    rules: ["open_to_the_world"],
    path: "d.tf",
    text: (size) =>
      filled(size, '"0.0.0.0/0", ', ['resource "aws_security_group_rule" "a" {\n cidr_blocks = [', "]\n}\n"])
  },
  {
    rules: ["public_resource_policy"],
    path: "e.tf",
    text: (size) => filled(size, '{ Principal = "*" [{', ['resource "aws_sqs_queue" "a" {\n policy = ', ""])
  },
  {
    rules: ["service_wide_permissions"],
    path: "f.tf",
    text: (size) =>
      filled(size, '"iam:*", ', ['data "aws_iam_policy_document" "a" {\n statement {\n actions = [', "]\n}\n}\n"])
  },
  {
    rules: ["secret_default", "secret_in_resource"],
    path: "g.tf",
    text: (size) => filled(size, 'variable "password" {\n  default = "Tr4verse-Hill9"\n}\n')
  }
]
