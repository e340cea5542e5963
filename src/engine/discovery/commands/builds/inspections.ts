/** What is tried out or built every night is no version. */
export const isOfTrial = /nightly|snapshot|canary|(?:^|[:._-])(?:dry|dry-?run|rehearsal)(?:$|[:._-])/i

const inspects = /^(?:check|verify|validate|scan|inspect|audit|assert|ensure)[-_.:]/

/** `check-binaries` looks at what was built, generated, migrated or packed, and makes nothing of it unless its own lines do. */
export const inspectsResult = (purpose: string, name: string): boolean =>
  inspects.test(name) && /^(?:build|release|migrate|generate)$/.test(purpose)

/** The lines of a target without the targets that it needs. */
export const withoutNeeds = (text: string): string => text.replace(/^make [\w.-]+$/gm, "")
