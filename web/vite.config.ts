import { defineConfig, type Plugin } from "vite"

const service = process.env.ASSAY_WEB_PROXY ?? "http://127.0.0.1:4000"

/** The app speaks English: the words that React Aria has for other languages are those it has for English. */
const english: Plugin = {
  name: "english",
  enforce: "pre",
  load: (id) =>
    /\/react-aria(?:-components)?\/dist\/.*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/.test(id)
      ? 'export { default } from "./en-US.mjs"'
      : undefined
}

/** The service sends `default-src 'self'`: nothing is inlined, and every file of the app is loaded from its own address. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [english],
  build: {
    target: "es2022",
    outDir: "../dist/web",
    emptyOutDir: true,
    // Which file imports which, for the test of what the first view loads.
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      // Libraries mark what runs in browsers only; all of this does.
      onwarn: (warning, warn) => (warning.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : warn(warning))
    }
  },
  server: { proxy: { "/api": service, "/mcp": service } }
})
