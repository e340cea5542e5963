export { roleOf } from "./FileRole.ts"
export { languageOf } from "./Language.ts"
