export { redactCredentials, redactSecrets } from "./redact.ts"
export { type Secret, scanSecrets } from "./scanSecrets.ts"
