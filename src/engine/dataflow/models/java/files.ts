import { RECEIVER } from "../../TaintLanguage.ts"
import { PATH } from "../../values/Value.ts"
import { FILE } from "../labels.ts"
import type { Model } from "../Model.ts"

export const files: Model = {
  name: "files",
  mentions:
    /\bnew (?:FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|FileSystemResource|PathResource|ZipFile)\(|\bFiles\.\w+\(|\bFileUtils\.\w+\(|\.transferTo\(|\b[Pp]art\w*\.write\(/,
  sinks: [
    {
      kind: PATH,
      label: FILE,
      path: /^(?:(?:java\.io\.)?(?:FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|PrintWriter)|(?:java\.util\.zip\.)?ZipFile|(?:org\.springframework\.core\.io\.)?(?:FileSystemResource|PathResource))$/,
      args: [0]
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:java\.nio\.file\.)?Files\.(?:read\w*|write\w*|delete\w*|new\w+|lines|list|walk\w*|create\w+|exists|notExists|isRegularFile|isDirectory|size|getLastModifiedTime|setPosixFilePermissions|probeContentType)$/,
      args: [0]
    },
    { kind: PATH, label: FILE, path: /^(?:java\.nio\.file\.)?Files\.(?:copy|move)$/, args: [0, 1] },
    {
      kind: PATH,
      label: FILE,
      path: /(?:^|\.)FileUtils\.(?:read\w*|write\w*|copy\w*|move\w*|delete\w*|openInputStream|openOutputStream|forceDelete)$/,
      args: [0, 1]
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:java\.io\.)?File\.(?:delete|deleteOnExit|mkdirs?|createNewFile|listFiles|list|exists|isFile|isDirectory|length|lastModified|renameTo|canRead|canWrite)$/,
      args: [RECEIVER]
    },
    { kind: PATH, label: FILE, path: /\.transferTo$/, args: [0] },
    // The file to which a part of a form is written.
    { kind: PATH, label: FILE, path: /^http:upload\.write$/, args: [0] }
  ]
}
