/**
 * The audit engine: what it takes to scan a tree of files, and what it knows of findings. Other areas import this file and
 * nothing behind it; README.md beside it says what each folder is for.
 */

export type { ChangeDescription, LostName } from "./changes/ChangeDescription.ts"
export * as Files from "./core/files/index.ts"
export type { FindingReference, FixSettings, FixTarget } from "./core/fix/FixRequest.ts"
export { unifiedDiff } from "./core/fix/unifiedDiff.ts"
export type { Signatures } from "./core/identity/Fingerprint.ts"
export { matchFingerprints } from "./core/identity/matchFingerprints.ts"
export { describeChangeInProcess } from "./core/process/ChangeProcess.ts"
export { isDiskFull } from "./core/process/diskFull.ts"
export type { FixesInProcess, FixProposal, FixProposalRequest, ProposedFile } from "./core/process/FixProcess.ts"
export { fixAllInProcess, proposeFixInProcess } from "./core/process/FixProcess.ts"
export type { SourceRequest } from "./core/process/requests/scanRequest.ts"
export type { ProcessEvent, ProcessPaths, ScanError, ScanEvent, ScanLimits } from "./core/process/ScanProcess.ts"
export { discoverInProcess, scanInProcess } from "./core/process/ScanProcess.ts"
export { syntaxInProcess } from "./core/process/SyntaxProcess.ts"
export { Finding, ScanResult, type ToolOutcome } from "./core/scan/ScanResult.ts"
export type { ScanScope, Suite } from "./core/scan/ScanSettings.ts"
export * as Sources from "./core/source/index.ts"
export { type AuditTool, findRule, type Rule, type RuleExample } from "./core/tool/AuditTool.ts"
export { MIN_CONFIDENCE } from "./core/tool/assessment.ts"
export { exampleText } from "./core/tool/exampleText.ts"
export * as Trace from "./core/trace/trace.ts"
export * as Advisories from "./dependencies/advisories/index.ts"
export { DiscoveryResult } from "./discovery/DiscoveryResult.ts"
export { LinearPattern } from "./languages/regex/LinearPattern.ts"
export { confidenceOf, measuredOf } from "./rules/confidence.ts"
export { fixableRules } from "./rules/fixers.ts"
export * as Rules from "./rules/reportedAs.ts"
export * as Secrets from "./secrets/index.ts"

/** Every tool with its rules. Loaded on demand: it is most of the engine's code, and start-up does not need it. */
export const loadCatalogue = () => import("./rules/index.ts").then(({ tools }) => tools)
