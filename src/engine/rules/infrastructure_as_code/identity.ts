import type { Block } from "../../languages/formats/terraform.ts"
import { type Check, inner, isTrue, nameOf, resolved, stringsOf, textOf, type Values } from "./Resource.ts"

const innermost = /\{[^{}]*\}/g
const anyAction = /["']?\bActions?["']?\s*[=:]\s*(?:\[\s*)?["']\*(?::\*)?["']\s*(?:\]|[,\n}]|$)/i
const anyResource = /["']?\bResources?["']?\s*[=:]\s*(?:\[\s*)?["']\*["']/i
const denies = /["']?\bEffect["']?\s*[=:]\s*["']Deny/i

const allowsAll = (text: string): boolean =>
  (text.match(innermost) ?? []).some((one) => anyAction.test(one) && anyResource.test(one) && !denies.test(one))

const statementAllowsAll = (statement: Block, values: Values): boolean =>
  stringsOf(statement, "actions", values).includes("*") &&
  stringsOf(statement, "resources", values).includes("*") &&
  (textOf(statement, "effect", values) ?? "Allow") === "Allow" &&
  inner(statement, "condition").length === 0

export const permissions: Check = (block, values, report) => {
  const type = block.labels[0] ?? ""
  const message = `${nameOf(block)} allows every action on everything.`
  if (type === "aws_iam_policy_document") {
    for (const statement of inner(block, "statement")) {
      if (statementAllowsAll(statement, values)) report({ rule: "wildcard_permissions", at: statement, message })
    }
  }
  const policy = block.attributes.policy ?? block.attributes.inline_policy
  if (/^aws_iam_(?:\w+_)?policy$/.test(type) && policy !== undefined && allowsAll(resolved(policy, values) ?? "")) {
    report({ rule: "wildcard_permissions", at: policy, message })
  }
  const role = block.attributes.role
  if (/^google_(?:project|organization|folder)_iam_(?:member|binding)$/.test(type) && role !== undefined) {
    const name = textOf(block, "role", values) ?? ""
    if (/^roles\/(?:owner|editor)$/.test(name)) {
      report({
        rule: "basic_role",
        at: role,
        message: `\`${name}\` may do nearly everything in the whole project.`
      })
    }
  }
}

export const machines: Check = (block, values, report) => {
  for (const options of inner(block, "metadata_options")) {
    if (
      textOf(options, "http_tokens", values) !== "optional" ||
      textOf(options, "http_endpoint", values) === "disabled"
    )
      continue
    const message = `${nameOf(block)} hands its role's credentials to anyone who makes it fetch one address.`
    report({ rule: "metadata_without_token", at: options.attributes.http_tokens!, message })
  }
}

const MAX_DEPTH = 8

const privileged = (block: Block, values: Values, depth = 0): Block | null => {
  if (block.type === "security_context" && isTrue(block, "privileged", values)) return block
  if (depth > MAX_DEPTH) return null
  for (const one of block.blocks) {
    const found = privileged(one, values, depth + 1)
    if (found !== null) return found
  }
  return null
}

export const pods: Check = (block, values, report) => {
  if (!block.labels[0]?.startsWith("kubernetes_")) return
  const found = privileged(block, values)
  if (found === null) return
  report({
    rule: "privileged_pod",
    at: found.attributes.privileged!,
    message: `A container of ${nameOf(block)} has the powers of its host.`
  })
}

const moving = /[?&]ref=(?:main|master|develop|dev|trunk|HEAD)(?:&|$)/

export const modules: Check = (block, values, report) => {
  if (block.type !== "module") return
  const source = textOf(block, "source", values)
  if (source === null || !/^(?:git::|git@|github\.com\/|bitbucket\.org\/)|\.git(?:\/\/|\?|$)/.test(source)) return
  if (/[?&]ref=/.test(source) && !moving.test(source)) return
  const message = `The module \`${block.labels[0] ?? ""}\` is whatever \`${source.slice(0, 80).replace(/`/g, "")}\` holds on the day it is applied.`
  report({ rule: "unpinned_module", at: block.attributes.source!, message })
}
