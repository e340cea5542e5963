export { redactCredentials, redactSecrets } from "./redact.ts"
export { type RedactedFile, redactedFile } from "./redactedFile.ts"
export { type Secret, scanSecrets } from "./scanSecrets.ts"
