const noReturn =
  /^(?:_?exit|_Exit|abort|quick_exit|die\w*|usage\w*|fatal\w*|panic\w*|errx?|verrx?|err_\w+|error_exit|bail\w*|oom\w*|out_of_memory|xalloc_die|longjmp|siglongjmp|BUG|__builtin_(?:unreachable|trap)|unreachable|terminate|rethrow_exception|\w*[dD]ie|\w*_?fatal|\w*(?:Fatal|Panic|Abort|FATAL|PANIC|ABORT)\w*|\w*_?exit|\w*Exit|bb_error_msg_and_die|bb_perror_msg_and_die|\w+_and_die)$/

/** `assert(0)`, `assert(!"never here")`: what follows is not meant to be reached. */
const neverHolds = /^(?:0|false|FALSE|!\s*"[^"]*"|false && "[^"]*")$/

/** Functions that by their name do not come back; `error` of the GNU library when its status is not 0. */
export const neverReturns = (name: string, firstArgument = ""): boolean =>
  noReturn.test(name) ||
  (/assert/i.test(name) && neverHolds.test(firstArgument)) ||
  (name === "error" && /^(?:[A-Z_]+|[1-9]\d*|-1)$/.test(firstArgument))
