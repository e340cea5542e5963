import { defineConfig } from "vitest/config"
import { longTests } from "./test/support/kindsOfTests.ts"
import { withDatabase } from "./vitest.config.ts"

/** `npm run soak -- tests`: every case of the tests that have fewer in `npm test`. */
export default defineConfig({ test: { ...withDatabase, include: [...longTests()], provide: { isLongForm: true } } })
