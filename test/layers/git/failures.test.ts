import { assert, describe, it } from "@effect/vitest"
import { fromGit } from "../../../src/layers/git/failures.ts"
import { GitFailure } from "../../../src/layers/git/run.ts"

const message = (stderr: string) =>
  fromGit("https://code.example/x")(new GitFailure({ reason: "exit", exitCode: 128, stderr })).message

describe("a failed git call", () => {
  it("with an untrusted certificate names the setting that git obeys", () => {
    for (const stderr of [
      "fatal: unable to access 'https://x/': server certificate verification failed. CAfile: none CRLfile: none",
      "fatal: unable to access 'https://x/': SSL certificate problem: self-signed certificate",
      "fatal: unable to access 'https://x/': SSL certificate problem: unable to get local issuer certificate"
    ])
      assert.include(message(stderr), "set ASSAY_EXTRA_CA")
    assert.notInclude(message("fatal: unable to access: Failed to connect to x port 443"), "ASSAY_EXTRA_CA")
  })
})
