import { fixed, type Provider } from "./Provider.ts"

const payloadOf = (jwt: string): string => {
  const part = jwt.split(".")[1] ?? ""
  return /^[\w-]+$/.test(part) ? Buffer.from(part, "base64url").toString("latin1") : ""
}
const isServiceRole = (jwt: string): boolean => payloadOf(jwt).includes('"service_role"')

/** Code hosts, registries, messages, payments, monitoring and signed tokens. */
export const serviceProviders: ReadonlyArray<Provider> = [
  {
    id: "github-token",
    noun: "a GitHub token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /gh[pousr]_[A-Za-z0-9]{36,251}(?![A-Za-z0-9])/y,
    confidence: 0.96
  },
  {
    id: "github-fine-grained-token",
    noun: "a GitHub fine-grained token",
    hints: ["github_pat_"],
    pattern: /github_pat_[A-Za-z0-9]{20,24}_[A-Za-z0-9]{50,64}(?![A-Za-z0-9])/y,
    confidence: 0.96
  },
  {
    id: "gitlab-token",
    noun: "a GitLab token",
    hints: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glcbt-",
      "glptt-",
      "glft-",
      "glagent-",
      "gloas-",
      "glsoat-",
      "glimt-",
      "glffct-"
    ],
    pattern: /gl(?:pat|dt|rt|cbt|ptt|ft|agent|oas|soat|imt|ffct)-[\w.-]{20,300}/y,
    confidence: 0.95,
    bits: 3.2
  },
  {
    id: "slack-token",
    noun: "a Slack token",
    hints: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.", "xoxc-", "xoxd-", "xapp-"],
    pattern: /(?:xox[abprsoecd]|xoxe\.xox[bp]|xapp)-(?=[\w%-]{0,60}\d)[A-Za-z0-9%-]{18,300}/y,
    confidence: 0.95,
    bits: 2.8
  },
  {
    id: "slack-webhook",
    noun: "a Slack webhook address",
    hints: ["hooks.slack.com/"],
    pattern:
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9]{6,14}\/[A-Za-z0-9]{6,24}\/[A-Za-z0-9]{18,40}(?:\/[A-Za-z0-9]{10,30})?)/y,
    confidence: 0.92,
    anywhere: true
  },
  {
    id: "discord-webhook",
    noun: "a Discord webhook address",
    hints: ["/api/webhooks/"],
    pattern: /\/api\/webhooks\/\d{16,20}\/([\w-]{60,80})/y,
    confidence: 0.92,
    anywhere: true
  },
  {
    id: "teams-webhook",
    noun: "a Microsoft Teams webhook address",
    hints: [".webhook.office.com/webhookb2/"],
    pattern:
      /\.webhook\.office\.com\/webhookb2\/[0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/([0-9a-f]{32}\/[0-9a-f-]{36})/y,
    confidence: 0.92,
    anywhere: true
  },
  {
    id: "telegram-bot-token",
    noun: "a Telegram bot token",
    hints: [":AA"],
    back: /\d{8,10}$/,
    pattern: fixed(":AA[\\w-]{32,33}"),
    confidence: 0.9
  },
  {
    id: "stripe-live-key",
    noun: "a live Stripe key",
    hints: ["sk_live_", "rk_live_"],
    pattern: /[sr]k_live_[A-Za-z0-9]{16,247}/y,
    confidence: 0.97
  },
  {
    id: "stripe-test-key",
    noun: "a Stripe test key",
    hints: ["sk_test_", "rk_test_"],
    pattern: /[sr]k_test_[A-Za-z0-9]{16,247}/y,
    confidence: 0.5,
    harmless: () => true
  },
  {
    id: "stripe-webhook-secret",
    noun: "a Stripe webhook secret",
    hints: ["whsec_"],
    pattern: /whsec_[A-Za-z0-9+/]{32,64}={0,2}/y,
    confidence: 0.9
  },
  { id: "npm-token", noun: "an npm token", hints: ["npm_"], pattern: fixed("npm_[A-Za-z0-9]{36}"), confidence: 0.95 },
  { id: "pypi-token", noun: "a PyPI token", hints: ["pypi-AgE"], pattern: /pypi-AgE[\w-]{50,250}/y, confidence: 0.95 },
  {
    id: "rubygems-key",
    noun: "a RubyGems API key",
    hints: ["rubygems_"],
    pattern: fixed("rubygems_[0-9a-f]{48}"),
    confidence: 0.95
  },
  {
    id: "docker-hub-token",
    noun: "a Docker Hub token",
    hints: ["dckr_pat_", "dckr_oat_"],
    pattern: /dckr_[po]at_[\w-]{27,40}/y,
    confidence: 0.95
  },
  {
    id: "sendgrid-key",
    noun: "a SendGrid API key",
    hints: ["SG."],
    pattern: fixed("SG\\.[\\w-]{22}\\.[\\w-]{43}"),
    confidence: 0.96
  },
  {
    id: "mailchimp-key",
    noun: "a Mailchimp API key",
    hints: ["-us"],
    back: /(?<![0-9a-f])[0-9a-f]{32}$/,
    pattern: fixed("-us\\d{1,2}"),
    confidence: 0.9
  },
  {
    id: "mailgun-key",
    noun: "a Mailgun API key",
    hints: ["key-"],
    pattern: fixed("key-[0-9a-f]{32}"),
    confidence: 0.85,
    bits: 2.8
  },
  {
    id: "brevo-key",
    noun: "a Brevo API key",
    hints: ["xkeysib-"],
    pattern: fixed("xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    confidence: 0.95
  },
  {
    id: "twilio-api-key",
    noun: "a Twilio API key",
    hints: ["SK"],
    pattern: fixed("SK[0-9a-f]{32}"),
    confidence: 0.8,
    bits: 2.8
  },
  {
    id: "grafana-token",
    noun: "a Grafana token",
    hints: ["glsa_", "glc_"],
    pattern: /(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{32,400}={0,3})/y,
    confidence: 0.93
  },
  {
    id: "newrelic-key",
    noun: "a New Relic key",
    hints: ["NRAK-"],
    pattern: fixed("NRAK-[A-Z0-9]{27}"),
    confidence: 0.95
  },
  {
    id: "sentry-token",
    noun: "a Sentry token",
    hints: ["sntrys_", "sntryu_"],
    pattern: /(?:sntrys_eyJ[A-Za-z0-9+/=_]{60,600}|sntryu_[0-9a-f]{64})/y,
    confidence: 0.95
  },
  {
    id: "linear-key",
    noun: "a Linear API key",
    hints: ["lin_api_"],
    pattern: fixed("lin_api_[A-Za-z0-9]{40}"),
    confidence: 0.95
  },
  {
    id: "notion-token",
    noun: "a Notion token",
    hints: ["ntn_"],
    pattern: fixed("ntn_[A-Za-z0-9]{40,50}"),
    confidence: 0.93
  },
  { id: "figma-token", noun: "a Figma token", hints: ["figd_"], pattern: /figd_[\w-]{38,50}/y, confidence: 0.93 },
  {
    id: "airtable-token",
    noun: "an Airtable token",
    hints: ["pat"],
    pattern: fixed("pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
    confidence: 0.95
  },
  {
    id: "atlassian-token",
    noun: "an Atlassian token",
    hints: ["ATATT3", "ATCTT3"],
    pattern: /AT[AC]TT3[\w=-]{80,250}/y,
    confidence: 0.95
  },
  {
    id: "shopify-token",
    noun: "a Shopify token",
    hints: ["shpat_", "shpca_", "shppa_", "shpss_"],
    pattern: fixed("shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    confidence: 0.95,
    bits: 2.8
  },
  {
    id: "square-token",
    noun: "a Square token",
    hints: ["sq0atp-", "sq0csp-"],
    pattern: /sq0(?:atp|csp)-[\w-]{22,43}/y,
    confidence: 0.93
  },
  {
    id: "postman-key",
    noun: "a Postman API key",
    hints: ["PMAK-"],
    pattern: fixed("PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    confidence: 0.95
  },
  {
    id: "sonar-token",
    noun: "a SonarQube token",
    hints: ["squ_", "sqp_", "sqa_"],
    pattern: fixed("sq[upa]_[0-9a-f]{40}"),
    confidence: 0.93,
    bits: 2.8
  },
  {
    id: "buildkite-token",
    noun: "a Buildkite token",
    hints: ["bkua_"],
    pattern: fixed("bkua_[0-9a-f]{40}"),
    confidence: 0.93,
    bits: 2.8
  },
  {
    id: "circleci-token",
    noun: "a CircleCI token",
    hints: ["CCIPAT_"],
    pattern: /CCIPAT_[A-Za-z0-9]{20,24}_[0-9a-f]{40}/y,
    confidence: 0.95
  },
  {
    id: "dynatrace-token",
    noun: "a Dynatrace token",
    hints: ["dt0c01."],
    pattern: /dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}/y,
    confidence: 0.96
  },
  {
    id: "artifactory-key",
    noun: "an Artifactory API key",
    hints: ["AKCp"],
    pattern: fixed("AKCp[A-Za-z0-9]{69}"),
    confidence: 0.95
  },
  {
    id: "service-role-jwt",
    noun: "a service-role JSON Web Token",
    hints: ["eyJ"],
    pattern: /eyJ[\w-]{15,1500}\.eyJ[\w-]{15,4000}\.[\w-]{20,1500}/y,
    confidence: 0.92,
    harmless: (value) => !isServiceRole(value)
  },
  {
    id: "json-web-token",
    noun: "a JSON Web Token",
    hints: ["eyJ"],
    pattern: /eyJ[\w-]{15,1500}\.eyJ[\w-]{15,4000}\.[\w-]{20,1500}/y,
    confidence: 0.6,
    harmless: (value) =>
      isServiceRole(value) || payloadOf(value).includes('"John Doe"') || payloadOf(value).includes('"anon"')
  }
]
