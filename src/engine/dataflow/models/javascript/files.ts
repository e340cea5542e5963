import { PATH } from "../../values/Value.ts"
import { FILE, SERVED } from "../labels.ts"
import type { Model } from "../Model.ts"

const fs = "(?:fs|fs\\/promises|fs\\.promises|fs-extra|graceful-fs|original-fs|promises)"

export const files: Model = {
  name: "files",
  mentions:
    /\b(?:readFile|createReadStream|createWriteStream|writeFile|appendFile|unlink|rmdir|readdir|copyFile|rename|readJson|writeJson|outputFile|sendFile|sendfile|respondWithFile|exists|stat|lstat|access|realpath|mkdir|opendir)(?:Sync)?\(|\.(?:download|mv|rmSync|rm|openSync)\(/,
  sinks: [
    {
      kind: PATH,
      label: FILE,
      path: new RegExp(
        `^${fs}(?:\\.default|\\.promises)?\\.(?:readFile|createReadStream|createWriteStream|writeFile|appendFile|unlink|rm|rmdir|readdir|opendir|open|truncate|chmod|chown|mkdir|mkdtemp|readJson|readJSON|writeJson|writeJSON|outputFile|outputJson|remove|emptyDir|ensureDir|ensureFile|createFile|exists|stat|lstat|statfs|access|realpath|readlink|utimes|lutimes|watch|watchFile|pathExists|openAsBlob)(?:Sync)?$`
      ),
      args: [0]
    },
    {
      kind: PATH,
      label: FILE,
      path: new RegExp(`^${fs}(?:\\.default|\\.promises)?\\.(?:copyFile|rename|copy|move|link|symlink|cp)(?:Sync)?$`),
      args: [0, 1]
    },
    {
      kind: PATH,
      label: SERVED,
      path: /(?:^|\.)(?:sendFile|sendfile|download)$/,
      args: [0],
      when: ({ receiver, option }) => /^(?:res|response)(?:\.\w+\([^()]*\))*$/.test(receiver) && option("root") === null
    },
    { kind: PATH, label: FILE, path: /(?:^|\.)respondWithFile$/, args: [0] },
    {
      kind: PATH,
      label: FILE,
      path: /\.mv$/,
      args: [0],
      when: ({ receiver }) => /file|upload|image|photo|avatar|picture|document|attachment/i.test(receiver)
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:Deno\.(?:read\w*|write\w*|open|remove)|Bun\.(?:file|write))(?:Sync)?$/,
      args: [0]
    }
  ]
}
