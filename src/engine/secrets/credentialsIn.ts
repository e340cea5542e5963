import type { SourceFile } from "../core/files/SourceFile.ts"
import type { Secret } from "./Secret.ts"
import { scanSecrets } from "./scanSecrets.ts"

const find = (file: SourceFile): ReadonlyArray<Secret> => scanSecrets(file.text)

/** What looks like a credential in code, once per file: it is asked for by rules and by whoever shows the file's text. */
export const credentialsIn = (file: SourceFile): ReadonlyArray<Secret> => file.memo(credentialsIn, find)
