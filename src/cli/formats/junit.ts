import type { Finding, ScanResult } from "../../engine/index.ts"
import { placeOf, reasonOf } from "../findingText.ts"

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Text of an element or attribute; XML has no way to write most control characters. */
const xml = (text: string): string =>
  text
    .replace(/[&<>"]/g, (character) => escapes[character]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)

const testCase = (finding: Finding): string => {
  const name = `${placeOf(finding)} ${finding.title}`
  const body = `${reasonOf(finding)}\n${finding.snippet}`
  return [
    `    <testcase classname="${xml(finding.rule_id)}" name="${xml(name)}" file="${xml(finding.locations[0].file_path)}" line="${finding.locations[0].line_start}">`,
    `      <failure type="${finding.priority}" message="${xml(finding.title)}">${xml(body)}</failure>`,
    "    </testcase>"
  ].join("\n")
}

/**
 * JUnit's XML, as most build servers take it: a suite for each tool that ran, a failed test for each finding. Advisories
 * and suggestions are less sure and fail nothing, so they are left out.
 */
export const toJunit = ({ findings, tools }: Pick<ScanResult, "findings" | "tools">): string => {
  const sure = findings.filter(({ kind }) => kind === "finding")
  const suites = tools.map(({ id }) => {
    const own = sure.filter(({ tool }) => tool === id)
    // A tool without findings is a test that passed: without one, some servers report that nothing ran.
    const cases = own.length === 0 ? [`    <testcase classname="${id}" name="${id}"/>`] : own.map(testCase)
    return [
      `  <testsuite name="${id}" tests="${cases.length}" failures="${own.length}" errors="0" skipped="0">`,
      ...cases,
      "  </testsuite>"
    ].join("\n")
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="assay" failures="${sure.length}">`,
    ...suites,
    "</testsuites>",
    ""
  ].join("\n")
}
