/** What the command may start before its own libraries are loaded: this file imports next to nothing. */
export { startAhead } from "./core/process/childProcess.ts"
export type { SourceRequest } from "./core/process/requests/scanRequest.ts"
