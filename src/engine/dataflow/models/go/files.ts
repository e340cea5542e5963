import { PATH } from "../../values/Value.ts"
import { FILE, SERVED } from "../labels.ts"
import type { Model } from "../Model.ts"

export const files: Model = {
  name: "files",
  mentions:
    /\b(?:os|ioutil)\.(?:Open|OpenFile|Create|ReadFile|WriteFile|Remove|RemoveAll|MkdirAll|ReadDir|Rename|Stat|Lstat|Mkdir|DirFS|Chmod|Chown|Lchown|Chtimes|Symlink|Link)\(|\bfilepath\.(?:Glob|Walk|WalkDir)\(|\bServeFile\(|\.(?:File|FileAttachment|SendFile|Attachment|SaveUploadedFile)\(/,
  sinks: [
    {
      kind: PATH,
      label: FILE,
      path: /^(?:os\.(?:Open|OpenFile|Create|ReadFile|WriteFile|Remove|RemoveAll|Mkdir|MkdirAll|ReadDir|Truncate|Stat|Lstat|Readlink|Chmod|Chown|Lchown|Chtimes|Chdir|DirFS)|path\/filepath\.(?:Glob|Walk|WalkDir|EvalSymlinks)|(?:io\/)?ioutil\.(?:ReadFile|WriteFile|ReadDir)|(?:html|text)\/template\.ParseFiles)$/,
      args: [0]
    },
    { kind: PATH, label: FILE, path: /^os\.(?:Rename|Symlink|Link)$/, args: [0, 1] },
    { kind: PATH, label: SERVED, path: /^net\/http\.ServeFile$/, args: [2] },
    {
      kind: PATH,
      label: SERVED,
      path: /^http:(?:gin\.(?:File|FileAttachment)|echo\.(?:File|Attachment|Inline)|fiber\.(?:SendFile|Download))$/,
      args: [0]
    },
    { kind: PATH, label: FILE, path: /^http:(?:gin\.SaveUploadedFile|fiber\.SaveFile)$/, args: [1] }
  ]
}
