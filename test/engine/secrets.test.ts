import { assert, describe, it } from "vitest"
import tool from "../../src/engine/rules/secret_detection/tool.ts"
import { providers } from "../../src/engine/secrets/providers.ts"
import { redactSecrets } from "../../src/engine/secrets/redact.ts"
import { scanSecrets } from "../../src/engine/secrets/scanSecrets.ts"
import { inspectText } from "../support/audit.ts"
import { madeUp, withMadeUp } from "../support/madeUp.ts"

const part = (payload: object): string => Buffer.from(JSON.stringify(payload)).toString("base64url")
const jwt = (payload: object): string =>
  `${part({ alg: "HS256", typ: "JWT" })}.${part(payload)}.${madeUp("alnum", 43, 7)}`

/** One value of each issuer, put together here so that none stands in the repository. */
const samples: Record<string, string> = {
  "aws-access-key-id": `AKIA${madeUp("base32", 16)}`,
  "aws-bedrock-key": `ABSKQmVkcm9ja0FQSUtleS${madeUp("base64", 110)}`,
  "github-token": `ghp_${madeUp("alnum", 36)}`,
  "github-fine-grained-token": `github_pat_${madeUp("alnum", 22)}_${madeUp("alnum", 59)}`,
  "gitlab-token": `glpat-${madeUp("alnum", 20)}`,
  "slack-token": `xoxb-${madeUp("digits", 12)}-${madeUp("digits", 13)}-${madeUp("alnum", 24)}`,
  "slack-webhook": `https://hooks.slack.com/services/T${madeUp("upper", 8)}/B${madeUp("upper", 10)}/${madeUp("alnum", 24)}`,
  "discord-webhook": `https://discord.com/api/webhooks/${madeUp("digits", 18)}/${madeUp("alnum", 68)}`,
  "teams-webhook": `https://a.webhook.office.com/webhookb2/3f2504e0-4f89-41d3-9a0c-0305e82c3301@3f2504e0-4f89-41d3-9a0c-0305e82c3302/IncomingWebhook/${madeUp("hex", 32)}/3f2504e0-4f89-41d3-9a0c-0305e82c3303`,
  "telegram-bot-token": `${madeUp("digits", 10)}:AA${madeUp("alnum", 33)}`,
  "stripe-live-key": `sk_live_${madeUp("alnum", 24)}`,
  "stripe-test-key": `sk_test_${madeUp("alnum", 24)}`,
  "stripe-webhook-secret": `whsec_${madeUp("alnum", 32)}`,
  "google-api-key": `AIza${madeUp("alnum", 35)}`,
  "google-oauth-secret": `GOCSPX-${madeUp("alnum", 28)}`,
  "google-oauth-token": `ya29.${madeUp("alnum", 80)}`,
  "anthropic-key": `sk-ant-api03-${madeUp("alnum", 93)}AA`,
  "openai-key": `sk-proj-${madeUp("alnum", 48)}`,
  "huggingface-token": `hf_${madeUp("alnum", 34)}`,
  "replicate-token": `r8_${madeUp("alnum", 37)}`,
  "groq-key": `gsk_${madeUp("alnum", 52)}`,
  "xai-key": `xai-${madeUp("alnum", 80)}`,
  "npm-token": `npm_${madeUp("alnum", 36)}`,
  "pypi-token": `pypi-AgEIcHlwaS5vcmc${madeUp("alnum", 80)}`,
  "rubygems-key": `rubygems_${madeUp("hex", 48)}`,
  "docker-hub-token": `dckr_pat_${madeUp("alnum", 27)}`,
  "sendgrid-key": `SG.${madeUp("alnum", 22)}.${madeUp("alnum", 43)}`,
  "mailchimp-key": `${madeUp("hex", 32)}-us12`,
  "mailgun-key": `key-${madeUp("hex", 32)}`,
  "brevo-key": `xkeysib-${madeUp("hex", 64)}-${madeUp("alnum", 16)}`,
  "twilio-api-key": `SK${madeUp("hex", 32)}`,
  "azure-storage-key": `AccountName=shop;AccountKey=${madeUp("base64", 86)}==;`,
  "azure-shared-access-key": `SharedAccessKey=${madeUp("base64", 43)}=`,
  "azure-client-secret": `${madeUp("alnum", 3)}8Q~${madeUp("alnum", 34)}`,
  "azure-sas-signature": `https://shop.blob.core.windows.net/c?sv=2022-11-02&ss=b&sig=${madeUp("alnum", 43)}%3D`,
  "digitalocean-token": `dop_v1_${madeUp("hex", 64)}`,
  "heroku-key": `HRKU-${madeUp("alnum", 60)}`,
  "flyio-token": `fm2_${madeUp("base64", 120)}`,
  "netlify-token": `nfp_${madeUp("alnum", 36)}`,
  "supabase-token": `sbp_${madeUp("hex", 40)}`,
  "planetscale-credential": `pscale_tkn_${madeUp("alnum", 43)}`,
  "databricks-token": `dapi${madeUp("hex", 32)}`,
  "doppler-token": `dp.pt.${madeUp("alnum", 43)}`,
  "grafana-token": `glsa_${madeUp("alnum", 32)}_${madeUp("hex", 8)}`,
  "newrelic-key": `NRAK-${madeUp("upper", 27)}`,
  "sentry-token": `sntryu_${madeUp("hex", 64)}`,
  "linear-key": `lin_api_${madeUp("alnum", 40)}`,
  "notion-token": `ntn_${madeUp("alnum", 46)}`,
  "figma-token": `figd_${madeUp("alnum", 40)}`,
  "airtable-token": `pat${madeUp("alnum", 14)}.${madeUp("hex", 64)}`,
  "atlassian-token": `ATATT3${madeUp("alnum", 186)}`,
  "shopify-token": `shpat_${madeUp("hex", 32)}`,
  "square-token": `sq0atp-${madeUp("alnum", 22)}`,
  "vault-token": `hvs.${madeUp("alnum", 28)}`,
  "terraform-cloud-token": `${madeUp("alnum", 14)}.atlasv1.${madeUp("alnum", 67)}`,
  "pulumi-token": `pul-${madeUp("hex", 40)}`,
  "age-secret-key": `AGE-SECRET-KEY-1${madeUp("bech32", 58)}`,
  "alibaba-access-key": `LTAI${madeUp("alnum", 20)}`,
  "postman-key": `PMAK-${madeUp("hex", 24)}-${madeUp("hex", 34)}`,
  "tailscale-key": `tskey-auth-${madeUp("alnum", 12)}-${madeUp("alnum", 32)}`,
  "sonar-token": `squ_${madeUp("hex", 40)}`,
  "buildkite-token": `bkua_${madeUp("hex", 40)}`,
  "circleci-token": `CCIPAT_${madeUp("alnum", 22)}_${madeUp("hex", 40)}`,
  "dynatrace-token": `dt0c01.${madeUp("upper", 24)}.${madeUp("upper", 64)}`,
  "artifactory-key": `AKCp${madeUp("alnum", 69)}`,
  "service-role-jwt": jwt({ role: "service_role", iss: "shop" }),
  "json-web-token": jwt({ sub: "4711", iss: "shop" })
}

describe("credentials are recognized by their format", () => {
  for (const provider of providers) {
    it(provider.id, () => {
      const sample = samples[provider.id]!
      const text = `const a = "${sample}"\n`
      const found = scanSecrets(text, { harmless: true }).find(({ rule }) => rule === provider.id)
      assert.isDefined(found, "found")
      const value = text.slice(found!.start, found!.end)
      assert.isAtLeast(value.length, 16)
      assert.include(sample, value)
      assert.strictEqual(found!.harmless, provider.id === "stripe-test-key")
      assert.notInclude(redactSecrets(text), value)
      assert.notInclude(redactSecrets(`ERROR 401 for ${sample} at line 3`), value)
    })
  }

  it("takes the secret half next to an AWS key id, whatever it is called", () => {
    const secret = madeUp("base64", 40, 3)
    const text = `key: ${samples["aws-access-key-id"]}\nother: ${secret}\n`
    assert.deepStrictEqual(
      scanSecrets(text).map(({ rule, start, end }) => [rule, text.slice(start, end)]),
      [
        ["aws-access-key-id", samples["aws-access-key-id"]],
        ["aws-secret-access-key", secret]
      ]
    )
  })

  it("says nothing of manuals, templates, hashes and names", () => {
    const innocent = [
      "AKIAIOSFODNN7EXAMPLE",
      `ghp_${"x".repeat(36)}`,
      'password = "changeme"',
      'api_key = "your-api-key-here-1"',
      'token: "3f2504e0-4f89-41d3-9a0c-0305e82c3301"',
      `passwordHash = "$2b$10$${madeUp("alnum", 53)}"`,
      "postgres://user:password@localhost/app",
      "https://github.com/a/b@v1",
      `sha512-${madeUp("base64", 86)}==`,
      'secret: "oauth2ClientSecretBasic1"',
      "password: z.string().min(8)",
      // Only the name stands on the line: what follows is another assignment.
      `PASSWORD=\nREPOSITORY_${madeUp("alnum", 12)}=yes`
    ]
    assert.deepStrictEqual(
      innocent.map((text) => scanSecrets(text, { unquoted: true }).length),
      innocent.map(() => 0)
    )
  })

  it("distinguishes a labelled key from a long random value, when asked for both", () => {
    const key = madeUp("alnum", 40)
    const kinds = (text: string) => scanSecrets(text, { unquoted: true, highEntropy: true }).map(({ rule }) => rule)
    assert.deepStrictEqual(kinds(`api_key: ${key}`), ["generic-api-key"])
    assert.deepStrictEqual(kinds(`the value is ${key} here`), ["high-entropy-string"])
    assert.deepStrictEqual(kinds("nothing but words and src/services/audit/analysis/secrets/redact.ts"), [])
  })

  it("stays linear on text made to be slow", () => {
    const hostile = [
      "eyJ",
      "-eyJ.",
      "password=",
      'secret:"',
      "://a:",
      "sk-",
      "xoxb-",
      "-----BEGIN PRIVATE KEY-----",
      "Password=x;",
      "AKIA",
      "a.",
      "\n value:",
      "key: : :",
      "glpat-."
    ]
    for (const seed of hostile) {
      const text = seed.repeat(Math.ceil(200_000 / seed.length))
      const started = process.cpuUsage().user
      redactSecrets(text)
      assert.isBelow((process.cpuUsage().user - started) / 1e6, 5, JSON.stringify(seed))
    }
  })
})

describe("redaction", () => {
  const password = `Winter-Gate!${madeUp("digits", 4)}`
  const texts: Record<string, readonly [text: string, hidden: string]> = {
    "an assignment": [`db.connect({ password: "${password}" })`, password],
    "a weak password": ['password = "hunter"', "hunter"],
    "a URL": [`could not connect to postgres://shop:${password}@localhost/app`, password],
    "a connection string": [`Server=db;User Id=shop;Password=b7Kestrel903;`, "b7Kestrel903"],
    "a header": [`Authorization: Bearer ${madeUp("alnum", 30)}`, madeUp("alnum", 30)],
    "a query": [`GET /x?access_token=${madeUp("hex", 20)}&a=1`, madeUp("hex", 20)],
    "a log line": [`token=${madeUp("alnum", 20)}`, madeUp("alnum", 20)],
    "a key without a label": [`createHmac("sha256", "${madeUp("alnum", 40)}")`, madeUp("alnum", 40)],
    "a private key": [withMadeUp("{{made-up pem EC}}"), madeUp("base64", 640).slice(0, 64)],
    "half a private key": [withMadeUp("{{made-up pem EC}}").slice(0, 300), madeUp("base64", 640).slice(64, 128)]
  }
  for (const [name, [text, hidden]] of Object.entries(texts)) {
    it(`hides ${name}, and once is enough`, () => {
      assert.include(text, hidden)
      const once = redactSecrets(text)
      assert.notInclude(once, hidden)
      assert.include(once, "[redacted]")
      assert.strictEqual(redactSecrets(once), once)
    })
  }

  it("leaves ordinary text as it is", () => {
    const text = "Could not parse src/services/audit/Engine.ts: unexpected token at line 3 (password is required)."
    assert.strictEqual(redactSecrets(text), text)
  })

  it("covers every match of the tool, whose words never hold the value", async () => {
    const text = Object.values(samples)
      .map((sample, i) => `const v${i} = "${sample}"`)
      .join("\n")
    const matches = await inspectText(tool, "src/config.ts", text)
    assert.isAtLeast(matches.length, 40)
    for (const match of matches) {
      const value = text.slice(match.start, match.end)
      assert.isTrue(match.redact!.some(([start, end]) => start <= match.start && end >= match.end))
      for (let i = 0; i + 8 <= value.length; i++) assert.notInclude(match.message + match.title, value.slice(i, i + 8))
    }
  })
})
