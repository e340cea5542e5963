import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** Whether this is the run of `npm run soak -- tests`. */
    readonly isLongForm: boolean
  }
}

/** What a test takes in `npm test`, and in its long form, which `npm run soak -- tests` and CI run. */
export const inForm = <A>({ short, long }: { readonly short: A; readonly long: A }): A =>
  inject("isLongForm") ? long : short
