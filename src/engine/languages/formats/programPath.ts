const script = /\.(?:sh|bash|zsh|ksh|py|pl|rb|awk)$/
const binary = /(?:^|\/)(?:bin|sbin)\/[\w.-]*[\w-]$/
const start = /(?:^|\/)(?:docker-)?entrypoint$/

/** A path, quoted or not, that names one program: it is run and not written to. */
export const isProgramPath = (path: string): boolean => {
  const plain = path.replace(/^(["'])(.*)\1$/s, "$2")
  return !/[\s*?]/.test(plain) && [script, binary, start].some((pattern) => pattern.test(plain))
}
