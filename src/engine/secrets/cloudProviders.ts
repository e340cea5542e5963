import { fixed, near, type Provider } from "./Provider.ts"

/** Browser keys of Firebase name a project; what they may do is decided by rules on the server. */
const isFirebaseBrowserKey = (_value: string, text: string, start: number): boolean =>
  /authDomain|firebaseapp\.com|messagingSenderId|storageBucket|measurementId|firebase_url|mobilesdk_app_id/i.test(
    near(text, start, 600)
  )

/** Keys of the storage and database emulators, printed in their manuals. */
const isEmulatorKey = (value: string): boolean => value.startsWith("Eby8vdM02xNO") || value.startsWith("C2y6yDjf5/R+")

/** Clouds, their databases and secret stores, and hosted models. */
export const cloudProviders: ReadonlyArray<Provider> = [
  {
    id: "aws-access-key-id",
    noun: "an AWS access key id",
    hints: ["AKIA", "ASIA", "ABIA"],
    pattern: fixed("A[KSB]IA[A-Z2-7]{16}"),
    confidence: 0.95,
    bits: 2.9
  },
  {
    id: "aws-bedrock-key",
    noun: "an Amazon Bedrock API key",
    hints: ["ABSKQmVkcm9ja0FQSUtleS"],
    pattern: /ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/]{80,}={0,2}/y,
    confidence: 0.95
  },
  {
    id: "google-api-key",
    noun: "a Google API key",
    hints: ["AIza"],
    pattern: fixed("AIza[\\w-]{35}"),
    confidence: 0.85,
    harmless: isFirebaseBrowserKey
  },
  {
    id: "google-oauth-secret",
    noun: "a Google OAuth client secret",
    hints: ["GOCSPX-"],
    pattern: fixed("GOCSPX-[\\w-]{28}"),
    confidence: 0.95
  },
  {
    id: "google-oauth-token",
    noun: "a Google OAuth token",
    hints: ["ya29."],
    pattern: /ya29\.[\w-]{40,400}/y,
    confidence: 0.85
  },
  {
    id: "anthropic-key",
    noun: "an Anthropic API key",
    hints: ["sk-ant-"],
    pattern: /sk-ant-(?:[a-z]{3,6}\d\d-)?[\w-]{24,200}/y,
    confidence: 0.95
  },
  {
    id: "openai-key",
    noun: "an OpenAI-style API key",
    hints: ["sk-"],
    pattern:
      /sk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1)-(?=[\w-]{0,60}\d)[\w-]{32,220}|(?=[A-Za-z]{0,60}\d)(?:[A-Za-z0-9]{48,64}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[0-9a-f]{32}))(?![A-Za-z0-9_-])/y,
    confidence: 0.93
  },
  {
    id: "huggingface-token",
    noun: "a Hugging Face token",
    hints: ["hf_", "api_org_"],
    pattern: fixed("(?:hf_|api_org_)[A-Za-z0-9]{34}"),
    confidence: 0.93
  },
  {
    id: "replicate-token",
    noun: "a Replicate token",
    hints: ["r8_"],
    pattern: fixed("r8_[A-Za-z0-9]{37}"),
    confidence: 0.93
  },
  { id: "groq-key", noun: "a Groq API key", hints: ["gsk_"], pattern: fixed("gsk_[A-Za-z0-9]{52}"), confidence: 0.95 },
  {
    id: "xai-key",
    noun: "an xAI API key",
    hints: ["xai-"],
    pattern: fixed("xai-[A-Za-z0-9]{70,90}"),
    confidence: 0.95
  },
  {
    id: "azure-storage-key",
    noun: "an Azure storage account key",
    hints: ["AccountKey="],
    pattern: /AccountKey=([A-Za-z0-9+/]{86}==)/y,
    confidence: 0.96,
    anywhere: true,
    harmless: isEmulatorKey
  },
  {
    id: "azure-shared-access-key",
    noun: "an Azure shared access key",
    hints: ["SharedAccessKey="],
    pattern: /SharedAccessKey=([A-Za-z0-9+/]{43}=)/y,
    confidence: 0.95,
    anywhere: true
  },
  {
    id: "azure-client-secret",
    noun: "an Azure client secret",
    hints: ["8Q~", "7Q~", "6Q~"],
    back: /(?<![\w~.-])[\w~.-]{3}$/,
    pattern: /[678]Q~[\w~.-]{31,34}(?![\w~.-])/y,
    confidence: 0.93
  },
  {
    id: "azure-sas-signature",
    noun: "an Azure shared access signature",
    hints: ["&sig="],
    pattern: /&sig=([A-Za-z0-9%+/]{43,60}(?:%3D|=))/y,
    confidence: 0.85,
    anywhere: true,
    harmless: (_v, text, start) => !/[?&]s[veprt]=/.test(near(text, start, 300))
  },
  {
    id: "digitalocean-token",
    noun: "a DigitalOcean token",
    hints: ["dop_v1_", "doo_v1_", "dor_v1_"],
    pattern: fixed("do[opr]_v1_[0-9a-f]{64}"),
    confidence: 0.96
  },
  { id: "heroku-key", noun: "a Heroku API key", hints: ["HRKU-"], pattern: /HRKU-[\w-]{36,70}/y, confidence: 0.95 },
  {
    id: "flyio-token",
    noun: "a Fly.io token",
    hints: ["fm2_", "fo1_"],
    pattern: /(?:fm2_[A-Za-z0-9+/]{80,900}={0,3}|fo1_[\w-]{43})/y,
    confidence: 0.9
  },
  {
    id: "netlify-token",
    noun: "a Netlify token",
    hints: ["nfp_"],
    pattern: fixed("nfp_[A-Za-z0-9]{36}"),
    confidence: 0.93
  },
  {
    id: "supabase-token",
    noun: "a Supabase token",
    hints: ["sbp_", "sb_secret_"],
    pattern: /(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{30,80})(?![A-Za-z0-9])/y,
    confidence: 0.93
  },
  {
    id: "planetscale-credential",
    noun: "a PlanetScale credential",
    hints: ["pscale_"],
    pattern: /pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}/y,
    confidence: 0.95
  },
  {
    id: "databricks-token",
    noun: "a Databricks token",
    hints: ["dapi"],
    pattern: fixed("dapi[0-9a-f]{32}(?:-\\d)?"),
    confidence: 0.93,
    bits: 2.8
  },
  {
    id: "doppler-token",
    noun: "a Doppler token",
    hints: ["dp.pt.", "dp.st.", "dp.ct."],
    pattern: /dp\.(?:pt|ct|st\.[\w-]{1,35}|st)\.[A-Za-z0-9]{40,44}/y,
    confidence: 0.95
  },
  {
    id: "vault-token",
    noun: "a HashiCorp Vault token",
    hints: ["hvs.", "hvb.", "hvr."],
    pattern: /hv[sbr]\.[\w-]{24,300}/y,
    confidence: 0.92
  },
  {
    id: "terraform-cloud-token",
    noun: "a Terraform Cloud token",
    hints: [".atlasv1."],
    back: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}$/,
    pattern: /\.atlasv1\.[\w-]{60,70}/y,
    confidence: 0.96
  },
  {
    id: "pulumi-token",
    noun: "a Pulumi token",
    hints: ["pul-"],
    pattern: fixed("pul-[0-9a-f]{40}"),
    confidence: 0.95,
    bits: 2.8
  },
  {
    id: "age-secret-key",
    noun: "an age secret key",
    hints: ["AGE-SECRET-KEY-1"],
    pattern: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/y,
    confidence: 0.97
  },
  {
    id: "alibaba-access-key",
    noun: "an Alibaba Cloud access key id",
    hints: ["LTAI"],
    pattern: fixed("LTAI[A-Za-z0-9]{12,24}"),
    confidence: 0.85
  },
  {
    id: "tailscale-key",
    noun: "a Tailscale key",
    hints: ["tskey-"],
    pattern: /tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,80}/y,
    confidence: 0.95
  }
]
