import { RECEIVER } from "../../TaintLanguage.ts"
import { PATH } from "../../values/Value.ts"
import { FILE, SERVED } from "../labels.ts"
import type { Model } from "../Model.ts"

const isText = /^[^|]*$/

export const files: Model = {
  name: "files",
  mentions:
    /\b(?:File|IO|FileUtils|Dir|Pathname|YAML|Psych|CSV|Marshal|Oj|Net::HTTP|HTTParty|Faraday|RestClient|Excon|HTTP|Typhoeus|URI|TCPSocket|ERB|Tilt|Haml|Slim)\b[\w:]*\.\w+|\b(?:send_file|render|redirect\w*|raw|eval|instance_eval|class_eval|send|public_send|const_get|constantize|safe_constantize|html_safe)\b/,
  sinks: [
    {
      kind: PATH,
      label: FILE,
      path: /^(?:File|IO|Pathname)\.(?:read|open|new|binread|readlines|write|binwrite|delete|unlink|foreach|truncate|chmod|mkfifo|exist\?|exists\?|file\?|directory\?|readable\?|size|size\?|stat|lstat|mtime|readlink|utime|realpath)$/,
      args: [0],
      when: ({ callee }) => !callee.startsWith("Pathname"),
      text: isText
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:File\.(?:rename|symlink|link)|FileUtils\.(?:mv|cp|cp_r|copy|move|ln|ln_s|install))$/,
      args: [0, 1]
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:FileUtils\.(?:rm|rm_f|rm_r|rm_rf|mkdir|mkdir_p|touch|remove_\w+|rmtree|chmod|rmdir)|Dir\.(?:glob|entries|children|mkdir|rmdir|delete|each_child|foreach|open|new)|YAML\.load_file|CSV\.(?:read|foreach|open|table)|JSON\.load_file)$/,
      args: [0]
    },
    { kind: PATH, label: FILE, path: /^(?:Kernel\.)?open$/, args: [0], text: isText },
    {
      kind: PATH,
      label: FILE,
      path: /^Pathname(?:\.new)?(?:\(\))?(?:\.join\(\))?\.(?:read|binread|write|binwrite|delete|unlink|open|readlines|children|rmtree)$/,
      args: [RECEIVER]
    },
    { kind: PATH, label: SERVED, path: /^send_file$/, args: [0] },
    { kind: PATH, label: SERVED, path: /^render$/, args: [], named: ["file"] }
  ]
}
