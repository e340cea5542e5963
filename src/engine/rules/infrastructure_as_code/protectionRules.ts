import { ruleSet } from "../../core/tool/AuditTool.ts"

const terraform = { languages: ["terraform"], effort: "small", risk: "medium" } as const

/** Protections that are missing or switched off, and credentials. */
export const protectionRules = ruleSet({
  public_cluster_api: {
    title: "Cluster API open to every address",
    description:
      "Anyone on the internet can try stolen tokens and new holes against the cluster's API, which controls " +
      "everything that runs there. A list of allowed addresses that names all of them is no list. Give the " +
      "networks that need it, or a private endpoint.",
    example: {
      path: "main.tf",
      bad: `resource "aws_eks_cluster" "main" {
  vpc_config {
    public_access_cidrs = ["0.0.0.0/0"]
  }
}
`,
      good: `resource "aws_eks_cluster" "main" {
  vpc_config {
    public_access_cidrs = ["203.0.113.0/24"]
  }
}
`
    },
    cwe: [284],
    confidence: 0.85,
    priority: "P2",
    ...terraform
  },
  public_resource_policy: {
    title: "Resource policy open to everyone (wildcard principal)",
    description:
      "Any account of the provider can use the queue, key or bucket, without being known to its owner. The " +
      "policy names `*` as principal and sets no condition. Name the accounts or roles, or add a condition on " +
      "the organisation or the source.",
    example: {
      path: "main.tf",
      bad: `resource "aws_sqs_queue_policy" "jobs" {
  policy = jsonencode({
    Statement = [{
      Effect    = "Allow"
      Principal = "*"
      Action    = "sqs:*"
    }]
  })
}
`,
      good: `resource "aws_sqs_queue_policy" "jobs" {
  policy = jsonencode({
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::111122223333:root" }
      Action    = "sqs:SendMessage"
    }]
  })
}
`
    },
    cwe: [732],
    confidence: 0.85,
    priority: "P1",
    ...terraform
  },
  legacy_cluster_access: {
    title: "Kubernetes cluster with legacy access control",
    description:
      "An account that may do one thing in the cluster may do everything, or keeps a certificate that no one " +
      "can revoke. Role-based access control is off, or an old way in beside it is on. Leave the provider's " +
      "default.",
    example: {
      path: "main.tf",
      bad: `resource "google_container_cluster" "main" {
  enable_legacy_abac = true
}
`,
      good: `resource "google_container_cluster" "main" {
  enable_legacy_abac = false
}
`
    },
    cwe: [285],
    confidence: 0.9,
    priority: "P2",
    ...terraform
  },
  service_wide_permissions: {
    title: "IAM policy with all actions of a service on every resource",
    description:
      "Anyone who gets hold of one credential of this role has all of the service: for `iam:*` and " +
      "`iam:PassRole` that is the whole account. List the actions and the resources that are needed.",
    example: {
      path: "main.tf",
      bad: `data "aws_iam_policy_document" "deploy" {
  statement {
    actions   = ["iam:*"]
    resources = ["*"]
  }
}
`,
      good: `data "aws_iam_policy_document" "deploy" {
  statement {
    actions   = ["iam:GetRole"]
    resources = ["*"]
  }
}
`
    },
    cwe: [250],
    confidence: 0.65,
    priority: "P2",
    kind: "advisory",
    ...terraform
  },
  plaintext_transport: {
    title: "Encryption in transit switched off",
    description:
      "Anyone on the network between the two ends reads and changes what is sent, passwords included. The " +
      "resource accepts connections without TLS. Require TLS; clients of today all speak it.",
    example: {
      path: "main.tf",
      bad: `resource "aws_elasticache_replication_group" "cache" {
  at_rest_encryption_enabled = true
  transit_encryption_enabled = false
}
`,
      good: `resource "aws_elasticache_replication_group" "cache" {
  at_rest_encryption_enabled = true
  transit_encryption_enabled = true
}
`
    },
    cwe: [319],
    confidence: 0.82,
    priority: "P2",
    ...terraform
  },
  audit_log_off: {
    title: "Audit log switched off",
    description:
      "After a break-in no one can say who did what. The record of access, which is on by default, is switched " +
      "off here. Leave it on and keep it where the account itself cannot delete it.",
    example: {
      path: "main.tf",
      bad: `resource "aws_cloudtrail" "main" {
  name           = "main"
  enable_logging = false
}
`,
      good: `resource "aws_cloudtrail" "main" {
  name           = "main"
  enable_logging = true
}
`
    },
    cwe: [778],
    confidence: 0.85,
    priority: "P2",
    ...terraform
  },
  password_login: {
    title: "Virtual machine with password login over SSH",
    description:
      "Passwords of machines on the internet are guessed all day. Password authentication is switched on for " +
      "SSH. Use keys, or the provider's own sign-in.",
    example: {
      path: "main.tf",
      bad: `resource "azurerm_linux_virtual_machine" "web" {
  disable_password_authentication = false
}
`,
      good: `resource "azurerm_linux_virtual_machine" "web" {
  disable_password_authentication = true
}
`
    },
    cwe: [521],
    confidence: 0.85,
    priority: "P2",
    ...terraform
  },
  open_network_default: {
    title: "Network rules that allow by default",
    description:
      "Storage or a key vault is reachable from every network, and only its keys protect it. The default action " +
      "of its network rules is to allow, so the rules have no effect. Deny by default and name the networks.",
    example: {
      path: "main.tf",
      bad: `resource "azurerm_key_vault" "main" {
  network_acls {
    default_action = "Allow"
    bypass         = "AzureServices"
  }
}
`,
      good: `resource "azurerm_key_vault" "main" {
  network_acls {
    default_action = "Deny"
    bypass         = "AzureServices"
  }
}
`
    },
    cwe: [284],
    confidence: 0.75,
    priority: "P2",
    ...terraform
  },
  open_function_url: {
    title: "Function URL without authentication",
    description:
      "Anyone who learns the address runs the function, at the cost of its owner and with its role's rights. " +
      "The function's URL asks for no authentication. Require signed requests, or check callers in the " +
      "function.",
    example: {
      path: "main.tf",
      bad: `resource "aws_lambda_function_url" "hook" {
  authorization_type = "NONE"
}
`,
      good: `resource "aws_lambda_function_url" "hook" {
  authorization_type = "AWS_IAM"
}
`
    },
    cwe: [306],
    confidence: 0.6,
    priority: "P2",
    kind: "advisory",
    ...terraform
  },
  key_rotation_off: {
    title: "Key rotation switched off",
    description:
      "A key that leaked once opens all data until someone notices. The yearly rotation of the key is switched " +
      "off. Switch it on: old data stays readable, and callers notice nothing.",
    example: {
      path: "main.tf",
      bad: `resource "aws_kms_key" "data" {
  enable_key_rotation = false
}
`,
      good: `resource "aws_kms_key" "data" {
  enable_key_rotation = true
}
`
    },
    cwe: [324],
    confidence: 0.8,
    priority: "P3",
    ...terraform
  },
  mutable_image_tags: {
    title: "Container registry with mutable image tags",
    description:
      "Anyone who may push can replace an image that is in use under the same tag, and what was tested is not " +
      "what runs. Make tags immutable, or deploy by digest.",
    example: {
      path: "main.tf",
      bad: `resource "aws_ecr_repository" "api" {
  image_tag_mutability = "MUTABLE"
}
`,
      good: `resource "aws_ecr_repository" "api" {
  image_tag_mutability = "IMMUTABLE"
}
`
    },
    cwe: [494],
    confidence: 0.75,
    priority: "P3",
    kind: "suggestion",
    ...terraform
  },
  secret_default: {
    title: "Hard-coded credential in a variable's default",
    description:
      "Anyone who can read the repository has the credential, in every environment that does not set another. " +
      "It is the default of a variable. Remove the default, mark the variable `sensitive`, and hand the value " +
      "in from a secret store; replace the one that was committed.",
    example: {
      path: "main.tf",
      bad: `variable "db_password" {
  default = "Tr4verse-Hill9"
}
`,
      good: `variable "db_password" {
  type      = string
  sensitive = true
}
`
    },
    cwe: [798],
    confidence: 0.75,
    priority: "P2",
    ...terraform
  },
  secret_in_resource: {
    title: "Hard-coded credential of a resource",
    description:
      "Anyone who can read the repository can sign in to the resource. The password is written out in its " +
      "definition. Take it from a secret store or let the provider generate and keep it; replace the one that " +
      "was committed.",
    example: {
      path: "main.tf",
      bad: `resource "aws_redshift_cluster" "main" {
  master_password = "Tr4verse-Hill9"
}
`,
      good: `resource "aws_redshift_cluster" "main" {
  master_password = var.master_password
}
`
    },
    cwe: [798],
    confidence: 0.8,
    priority: "P1",
    ...terraform
  }
})
