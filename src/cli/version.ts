import { version } from "../layers/version.ts"

export const writeVersion = () => process.stdout.write(`${version}\n`)
