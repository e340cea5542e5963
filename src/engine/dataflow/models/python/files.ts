import { RECEIVER } from "../../TaintLanguage.ts"
import { PATH } from "../../values/Value.ts"
import { FILE, SERVED } from "../labels.ts"
import type { Model } from "../Model.ts"

export const files: Model = {
  name: "files",
  mentions:
    /\bopen\(|\b(?:send_file|FileResponse|rmtree|copyfile|copytree|listdir|unlink|rmdir|makedirs|mkdir|ZipFile|isfile|isdir|i?glob|getsize|is_file|is_dir)\(|\bos\.(?:stat|access)\(|\bpath\.exists\(|\bos\.(?:remove|rename)\(|\.(?:read_text|read_bytes|write_text|write_bytes|save)\(/,
  sinks: [
    {
      kind: PATH,
      label: FILE,
      path: /^(?:open|io\.open|codecs\.open|aiofiles\.open|builtins\.open|os\.(?:open|remove|unlink|rmdir|removedirs|listdir|scandir|makedirs|mkdir|chmod|walk|stat|lstat|access|readlink|chown|utime|truncate|chdir|mkfifo|path\.(?:exists|isfile|isdir|getsize|getmtime|lexists|islink))|shutil\.(?:rmtree|make_archive)|glob\.i?glob|linecache\.getlines?|zipfile\.ZipFile|tarfile\.open)$/,
      args: [0],
      named: ["file", "path"]
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:shutil\.(?:copy|copy2|copyfile|copytree|move|unpack_archive)|os\.(?:rename|replace|link|symlink))$/,
      args: [0, 1]
    },
    {
      kind: PATH,
      label: SERVED,
      path: /^(?:(?:flask|quart)(?:\.helpers)?\.send_file|(?:fastapi|starlette)\.responses\.FileResponse|aiohttp\.web\.FileResponse|sanic\.response\.file|bottle\.static_file)$/,
      args: [0],
      named: ["path", "path_or_file", "filename_or_fp"],
      when: ({ callee, option }) => !callee.endsWith("static_file") || option("root") === null
    },
    {
      kind: PATH,
      label: FILE,
      path: /\.(?:read_text|read_bytes|write_text|write_bytes|unlink|rmdir|iterdir)$/,
      args: [RECEIVER]
    },
    {
      kind: PATH,
      label: FILE,
      path: /^pathlib\.Path\.(?:open|mkdir|touch|exists|is_file|is_dir|stat|glob|rglob|rename|replace|chmod)$/,
      args: [RECEIVER]
    },
    { kind: PATH, label: FILE, path: /\.files\b.*\.save$|UploadedFile\.save$/, args: [0], named: ["dst"] }
  ]
}
