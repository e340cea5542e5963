import { Schema } from "effect"
import { ChangeCheck, type ChangeReviewCheck } from "../../schema/ChangeReview.ts"

const decode = Schema.decodeUnknownSync(ChangeCheck)

/** The check with the fields of its kind only. The wire's schema has made sure that it is one. */
export const domainCheck = (check: ChangeReviewCheck): ChangeCheck => decode(check)
