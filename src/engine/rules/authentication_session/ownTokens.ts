import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import { around } from "./surroundings.ts"

/** Calls that make a token, or bring one from its issuer. */
const issues = /^\s*(?:await\s+)?[\w.]*(?:create|issue|generate|sign|login|exchange|fetch|request_?token|mint)\w*\s*\(/i
/** Places where a client keeps the token that it sends. */
const keeps =
  /^[\w.]*(?:config|cfg|conf|credentials?|creds|stored|saved|keyring|cached?)\b[\w.[\]"']*token["'\]]*$|\.AuthToken$/i
/** A command's function, which serves the person who started it. */
const commandLine = /\bcobra\.Command\b|\bcli\.Context\b|\bos\.Args\b|\bclick\.(?:echo|command)\b|\bargparse\./

/** What a Go file names that reads requests. */
const serves =
  /"net\/http"|gin-gonic\/gin"|labstack\/echo|gofiber\/fiber|go-chi\/chi|google\.golang\.org\/grpc|valyala\/fasthttp|connectrpc\.com/

const MAX_NAME = 80

const isAssigned = (before: string, token: string): boolean => {
  const assignment = new RegExp(`(?<![\\w.])${escapeRegExp(token)}\\b[ \\t]*(?:,[ \\t\\w,]{1,60})?(?::=|=(?!=))`, "g")
  const last = [...before.matchAll(assignment)].at(-1)
  return last !== undefined && issues.test(before.slice(last.index + last[0].length, last.index + last[0].length + 120))
}

/**
 * Whether nothing hangs on the claims that a call reads without a key: the program reads a token that it made, was given by
 * its issuer or keeps for itself, or it verifies the same token afterwards.
 */
export const isOwnOrVerifiedLater = (file: SourceFile, call: Call): boolean => {
  const argument = call.args[0]
  if (argument === undefined) return false
  if (file.language === "go" && !serves.test(file.text)) return true
  const token = file.tree!.textOf(argument).slice(0, MAX_NAME)
  const text = around(file, call.node)
  if (keeps.test(token) || commandLine.test(text)) return true
  const written = file.tree!.textOf(call.node)
  const at = Math.max(text.indexOf(written), 0)
  const verifies = new RegExp(
    `(?:verif|validat|authenticat|\\.parse\\b|parse_?with|parse_?claims)\\w*\\([^()]{0,80}(?<![\\w.])${escapeRegExp(token)}\\b`,
    "i"
  )
  return isAssigned(text.slice(0, at), token) || verifies.test(text.slice(at + written.length))
}
