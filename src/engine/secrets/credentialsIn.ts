import type { SourceFile } from "../core/files/SourceFile.ts"
import type { Secret } from "./Secret.ts"
import { scanSecrets } from "./scanSecrets.ts"

const find = (file: SourceFile): ReadonlyArray<Secret> => scanSecrets(file.text)

/** What looks like a credential in code, once per file: rules ask for it, and so does all that shows the text of the file. */
export const credentialsIn = (file: SourceFile): ReadonlyArray<Secret> => file.memo(credentialsIn, find)
