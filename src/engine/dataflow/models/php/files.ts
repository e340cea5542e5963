import { PATH } from "../../values/Value.ts"
import { FILE, INCLUDED, SERVED } from "../labels.ts"
import type { Model } from "../Model.ts"

export const files: Model = {
  name: "files",
  mentions:
    /\b(?:file_get_contents|readfile|fopen|file_put_contents|unlink|move_uploaded_file|scandir|opendir|file_exists|is_file|is_dir|filesize|filemtime|mkdir|touch|glob|show_source|highlight_file|SplFileObject)\s*\(|->(?:move|storeAs|storePubliclyAs)\(|\b(?:include|require)(?:_once)?\b[ (]*[^'";\n]{0,80}\$/,
  sinks: [
    {
      kind: PATH,
      label: FILE,
      path: /^\\?(?:file_get_contents|readfile|fopen|file|unlink|file_put_contents|rmdir|opendir|scandir|show_source|highlight_file|parse_ini_file|SplFileObject|gzopen|readgzfile|fpassthru|file_exists|is_file|is_dir|is_readable|is_writable|filesize|filemtime|stat|lstat|touch|mkdir|chmod|glob|readlink|SplFileInfo)$/,
      args: [0]
    },
    { kind: PATH, label: FILE, path: /^\\?(?:copy|rename|symlink|link)$/, args: [0, 1] },
    { kind: PATH, label: "the place an upload is stored", path: /^\\?move_uploaded_file$/, args: [1] },
    {
      kind: PATH,
      label: SERVED,
      path: /(?:^|[.\\])(?:download|file|BinaryFileResponse)$/,
      args: [0],
      when: ({ callee }) =>
        /^(?:\\?response\(\)->|Response::|new\b|\\?BinaryFileResponse|[\w\\]*BinaryFileResponse)/.test(callee)
    },
    // Of an upload in Symfony and Laravel: a folder and a name.
    {
      kind: PATH,
      label: "the place an upload is stored",
      path: /\.(?:move|storeAs|storePubliclyAs)$/,
      args: [1],
      when: ({ count }) => count >= 2
    },
    { kind: PATH, label: INCLUDED, path: /^(?:include|require)(?:_once)?$/, args: [0] }
  ]
}
