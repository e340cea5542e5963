import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharpCalls, csharpPaths } from "../languages/csharpMoreSinks.ts"
import { rubyCalls, rubyPaths } from "../languages/rubyMoreSinks.ts"
import { RECEIVER, type SinkRule } from "../TaintLanguage.ts"
import { PATH } from "../values/Value.ts"

const label = "a file operation"
export const SERVED = "a file that is sent"
export const INCLUDED = "an include of PHP code"

const fs = "(?:fs|fs\\/promises|fs\\.promises|fs-extra|graceful-fs|original-fs|promises)"

const javascript: ReadonlyArray<SinkRule> = [
  {
    kind: PATH,
    label,
    path: new RegExp(
      `^${fs}(?:\\.default|\\.promises)?\\.(?:readFile|createReadStream|createWriteStream|writeFile|appendFile|unlink|rm|rmdir|readdir|opendir|open|truncate|chmod|chown|mkdir|mkdtemp|readJson|readJSON|writeJson|writeJSON|outputFile|outputJson|remove|emptyDir|ensureDir|ensureFile|createFile)(?:Sync)?$`
    ),
    args: [0]
  },
  {
    kind: PATH,
    label,
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
  {
    kind: PATH,
    label,
    path: /\.mv$/,
    args: [0],
    when: ({ receiver }) => /file|upload|image|photo|avatar|picture|document|attachment/i.test(receiver)
  },
  { kind: PATH, label, path: /^(?:Deno\.(?:read\w*|write\w*|open|remove)|Bun\.(?:file|write))(?:Sync)?$/, args: [0] }
]

const python: ReadonlyArray<SinkRule> = [
  {
    kind: PATH,
    label,
    path: /^(?:open|io\.open|codecs\.open|aiofiles\.open|builtins\.open|os\.(?:open|remove|unlink|rmdir|removedirs|listdir|scandir|makedirs|mkdir|chmod|walk)|shutil\.rmtree|zipfile\.ZipFile|tarfile\.open)$/,
    args: [0],
    named: ["file", "path"]
  },
  {
    kind: PATH,
    label,
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
    label,
    path: /\.(?:read_text|read_bytes|write_text|write_bytes|unlink|rmdir|iterdir)$/,
    args: [RECEIVER]
  },
  { kind: PATH, label, path: /^pathlib\.Path\.(?:open|mkdir|touch)$/, args: [RECEIVER] },
  { kind: PATH, label, path: /\.files\b.*\.save$|UploadedFile\.save$/, args: [0], named: ["dst"] }
]

const go: ReadonlyArray<SinkRule> = [
  {
    kind: PATH,
    label,
    path: /^(?:os\.(?:Open|OpenFile|Create|ReadFile|WriteFile|Remove|RemoveAll|Mkdir|MkdirAll|ReadDir|Truncate)|(?:io\/)?ioutil\.(?:ReadFile|WriteFile|ReadDir)|(?:html|text)\/template\.ParseFiles)$/,
    args: [0]
  },
  { kind: PATH, label, path: /^os\.(?:Rename|Symlink|Link)$/, args: [0, 1] },
  { kind: PATH, label: SERVED, path: /^net\/http\.ServeFile$/, args: [2] },
  {
    kind: PATH,
    label: SERVED,
    path: /^http:(?:gin\.(?:File|FileAttachment)|echo\.(?:File|Attachment|Inline)|fiber\.(?:SendFile|Download))$/,
    args: [0]
  },
  { kind: PATH, label, path: /^http:(?:gin\.SaveUploadedFile|fiber\.SaveFile)$/, args: [1] }
]

const java: ReadonlyArray<SinkRule> = [
  {
    kind: PATH,
    label,
    path: /^(?:(?:java\.io\.)?(?:FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|PrintWriter)|(?:java\.util\.zip\.)?ZipFile|(?:org\.springframework\.core\.io\.)?(?:FileSystemResource|PathResource))$/,
    args: [0]
  },
  {
    kind: PATH,
    label,
    path: /^(?:java\.nio\.file\.)?Files\.(?:read\w*|write\w*|delete\w*|new\w+|lines|list|walk\w*|create\w+)$/,
    args: [0]
  },
  { kind: PATH, label, path: /^(?:java\.nio\.file\.)?Files\.(?:copy|move)$/, args: [0, 1] },
  {
    kind: PATH,
    label,
    path: /(?:^|\.)FileUtils\.(?:read\w*|write\w*|copy\w*|move\w*|delete\w*|openInputStream|openOutputStream|forceDelete)$/,
    args: [0, 1]
  },
  { kind: PATH, label, path: /^(?:java\.io\.)?File\.(?:delete|mkdirs?|createNewFile|listFiles)$/, args: [RECEIVER] },
  { kind: PATH, label, path: /\.transferTo$/, args: [0] }
]

const php: ReadonlyArray<SinkRule> = [
  {
    kind: PATH,
    label,
    path: /^\\?(?:file_get_contents|readfile|fopen|file|unlink|file_put_contents|rmdir|opendir|scandir|show_source|highlight_file|parse_ini_file|SplFileObject|gzopen|readgzfile|fpassthru)$/,
    args: [0]
  },
  { kind: PATH, label, path: /^\\?(?:copy|rename|symlink|link)$/, args: [0, 1] },
  { kind: PATH, label: "the place an upload is stored", path: /^\\?move_uploaded_file$/, args: [1] },
  {
    kind: PATH,
    label: SERVED,
    path: /(?:^|\.)(?:download|file|BinaryFileResponse)$/,
    args: [0],
    when: ({ callee }) =>
      /^(?:\\?response\(\)->|Response::|new\b|\\?BinaryFileResponse|[\w\\]*BinaryFileResponse)/.test(callee)
  },
  { kind: PATH, label: INCLUDED, path: /^(?:include|require)(?:_once)?$/, args: [0] }
]

export const pathSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubyPaths,
  csharp: csharpPaths
}

/** How calls of these sinks are spelled, as parts of a pattern. */
export const pathCalls: Partial<Record<RuleLanguage, string>> = {
  javascript:
    "\\b(?:readFile|createReadStream|createWriteStream|writeFile|appendFile|unlink|rmdir|readdir|copyFile|rename|readJson|writeJson|outputFile|sendFile|sendfile)(?:Sync)?\\(|\\.(?:download|mv|rmSync|rm|openSync)\\(",
  python:
    "\\bopen\\(|\\b(?:send_file|FileResponse|rmtree|copyfile|copytree|listdir|unlink|rmdir|makedirs|ZipFile)\\(|\\bos\\.(?:remove|rename)\\(|\\.(?:read_text|read_bytes|write_text|write_bytes|save)\\(",
  go: "\\b(?:os|ioutil)\\.(?:Open|OpenFile|Create|ReadFile|WriteFile|Remove|RemoveAll|MkdirAll|ReadDir|Rename)\\(|\\bServeFile\\(|\\.(?:File|FileAttachment|SendFile|Attachment|SaveUploadedFile)\\(",
  java: "\\bnew (?:FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|FileSystemResource|PathResource|ZipFile)\\(|\\bFiles\\.\\w+\\(|\\bFileUtils\\.\\w+\\(|\\.transferTo\\(",
  php: "\\b(?:file_get_contents|readfile|fopen|file_put_contents|unlink|move_uploaded_file|scandir|opendir|show_source|highlight_file|SplFileObject)\\s*\\(|\\b(?:include|require)(?:_once)?\\b[ (]*[^'\";\\n]{0,80}\\$",
  ruby: rubyCalls,
  csharp: csharpCalls
}
