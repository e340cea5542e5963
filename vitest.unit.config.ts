import { defineConfig } from "vitest/config"
import { unitTests } from "./test/support/kindsOfTests.ts"
import { shared } from "./vitest.config.ts"

/** `npm run test:unit`: what needs no database, in less than a minute. */
export default defineConfig({ test: { ...shared, include: [...unitTests()] } })
