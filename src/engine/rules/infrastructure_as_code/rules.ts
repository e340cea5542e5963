import { ruleSet } from "../../core/tool/AuditTool.ts"
import { protectionRules } from "./protectionRules.ts"

const terraform = { languages: ["terraform"], effort: "small", risk: "medium" } as const

export const rules = ruleSet({
  ...protectionRules,
  open_to_the_world: {
    title: "Unrestricted ingress (0.0.0.0/0) to a sensitive port",
    description:
      "Addresses of the internet are searched for open ports of this kind all day, and what answers is " +
      "tried with known passwords and known holes. Give the addresses that need it, a bastion or a VPN; for " +
      "administration use the provider's own session service, which needs no open port.",
    example: {
      path: "network.tf",
      bad: `resource "aws_security_group" "web" {
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
`,
      good: `resource "aws_security_group" "web" {
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/16"]
  }
}
`
    },
    cwe: [284],
    confidence: 0.9,
    priority: "P1",
    ...terraform
  },
  public_storage: {
    title: "Public storage bucket",
    description:
      "Anyone who knows or guesses an object's name can read it, and buckets are listed by search engines made " +
      "for that. Keep storage private and hand out signed addresses; where files are meant for everyone, " +
      "serve them through a distribution that alone may read the bucket.",
    example: {
      path: "storage.tf",
      bad: `resource "aws_s3_bucket_acl" "uploads" {
  bucket = "uploads"
  acl    = "public-read"
}
`,
      good: `resource "aws_s3_bucket_acl" "uploads" {
  bucket = "uploads"
  acl    = "private"
}
`
    },
    cwe: [732],
    confidence: 0.85,
    priority: "P1",
    ...terraform
  },
  public_database: {
    title: "Publicly accessible database",
    description:
      "Only a password stands between the internet and the data, and every hole of the database server is " +
      "open to everyone. Put it into private subnets and let the applications' security group in; people " +
      "reach it through a bastion or a VPN.",
    example: {
      path: "database.tf",
      bad: `resource "aws_db_instance" "main" {
  storage_encrypted   = true
  publicly_accessible = true
}
`,
      good: `resource "aws_db_instance" "main" {
  storage_encrypted   = true
  publicly_accessible = false
}
`
    },
    cwe: [284],
    confidence: 0.9,
    priority: "P1",
    ...terraform
  },
  unencrypted_storage: {
    title: "Missing encryption at rest",
    description:
      "Snapshots that are shared by mistake, discarded disks and copies in other accounts are readable as " +
      "they are. Encryption costs nothing here, but most services accept it only when the resource is " +
      "created: turn it on before there is data.",
    example: {
      path: "database.tf",
      bad: `resource "aws_db_instance" "main" {
  engine = "postgres"
}
`,
      good: `resource "aws_db_instance" "main" {
  engine            = "postgres"
  storage_encrypted = true
}
`
    },
    cwe: [311],
    confidence: 0.82,
    priority: "P2",
    ...terraform
  },
  wildcard_permissions: {
    title: "Wildcard IAM policy (excessive permissions)",
    description:
      "Anyone who gets hold of one credential of this kind has the whole account: data, logs, billing, other " +
      "users. List the actions and resources that are needed; the provider's access analyser derives the " +
      "list from what was used.",
    example: {
      path: "policy.tf",
      bad: `data "aws_iam_policy_document" "deploy" {
  statement {
    actions   = ["*"]
    resources = ["*"]
  }
}
`,
      good: `data "aws_iam_policy_document" "deploy" {
  statement {
    actions   = ["s3:PutObject"]
    resources = ["arn:aws:s3:::releases/*"]
  }
}
`
    },
    cwe: [732],
    confidence: 0.88,
    priority: "P1",
    ...terraform
  },
  basic_role: {
    title: "Basic IAM role (owner or editor) of a whole project",
    description:
      "Anyone who gets hold of one credential of this member may change nearly everything in the project: data, " +
      "machines and, as owner, other users. A basic role (`roles/owner`, `roles/editor`) holds thousands of " +
      "permissions. Grant predefined roles for the services that are used, on the resources that need them.",
    example: {
      path: "members.tf",
      bad: `resource "google_project_iam_member" "deploy" {
  project = "shop"
  role    = "roles/editor"
  member  = "serviceAccount:deploy@shop.iam.gserviceaccount.com"
}
`,
      good: `resource "google_project_iam_member" "deploy" {
  project = "shop"
  role    = "roles/run.developer"
  member  = "serviceAccount:deploy@shop.iam.gserviceaccount.com"
}
`
    },
    cwe: [250, 732],
    confidence: 0.88,
    priority: "P2",
    ...terraform
  },
  no_backups: {
    title: "Database backups disabled",
    description:
      "With a retention of 0 there is no automatic backup and no way back to a point in time: a wrong " +
      "statement or a failed migration is final. Keep backups for at least a week, and try restoring one.",
    example: {
      path: "database.tf",
      bad: `resource "aws_db_instance" "main" {
  storage_encrypted       = true
  backup_retention_period = 0
}
`,
      good: `resource "aws_db_instance" "main" {
  storage_encrypted       = true
  backup_retention_period = 7
}
`
    },
    cwe: [],
    confidence: 0.88,
    priority: "P2",
    ...terraform
  },
  plaintext_listener: {
    title: "Cleartext transmission: HTTP listener without TLS",
    description:
      "What comes over plain HTTP, sessions and passwords included, can be read and changed on the way. " +
      "Redirect to HTTPS, and forward from there.",
    example: {
      path: "listener.tf",
      bad: `resource "aws_lb_listener" "web" {
  port     = 80
  protocol = "HTTP"
  default_action {
    type = "forward"
  }
}
`,
      good: `resource "aws_lb_listener" "web" {
  port     = 80
  protocol = "HTTP"
  default_action {
    type = "redirect"
  }
}
`
    },
    cwe: [319],
    confidence: 0.75,
    priority: "P2",
    ...terraform
  },
  outdated_tls: {
    title: "Outdated TLS version accepted",
    description:
      "TLS 1.0 and 1.1 have been withdrawn for years: their ciphers and hashes are broken in parts, and " +
      "payment standards forbid them. Require TLS 1.2 at least.",
    example: {
      path: "listener.tf",
      bad: `resource "aws_lb_listener" "web" {
  port       = 443
  protocol   = "HTTPS"
  ssl_policy = "ELBSecurityPolicy-2016-08"
}
`,
      good: `resource "aws_lb_listener" "web" {
  port       = 443
  protocol   = "HTTPS"
  ssl_policy = "ELBSecurityPolicy-TLS13-1-2-2021-06"
}
`
    },
    cwe: [327],
    confidence: 0.88,
    priority: "P2",
    ...terraform
  },
  metadata_without_token: {
    title: "Instance metadata service without a session token (IMDSv1)",
    description:
      "Version 1 of the metadata service gives the machine's credentials to any request that comes from it, " +
      "so that one address fetched on behalf of a stranger (SSRF) is enough to steal them. Set `http_tokens " +
      '= "required"`.',
    example: {
      path: "machine.tf",
      bad: `resource "aws_instance" "worker" {
  metadata_options {
    http_tokens = "optional"
  }
}
`,
      good: `resource "aws_instance" "worker" {
  metadata_options {
    http_tokens = "required"
  }
}
`
    },
    cwe: [1188],
    confidence: 0.85,
    priority: "P2",
    ...terraform
  },
  unpinned_module: {
    title: "Unpinned module source",
    description:
      "The module is fetched again from a branch that anyone with access to it can change, and what it then " +
      "says is applied with this configuration's rights. Name a tag or, better, a commit with `?ref=`.",
    example: {
      path: "network.tf",
      bad: `module "network" {
  source = "git::https://example.com/network.git?ref=main"
}
`,
      good: `module "network" {
  source = "git::https://example.com/network.git?ref=v1.4.2"
}
`
    },
    cwe: [1357],
    confidence: 0.88,
    priority: "P2",
    ...terraform
  },
  privileged_pod: {
    title: "Privileged container",
    description:
      "A privileged container sees all devices and can load itself into the host: anyone who breaks into it " +
      "owns the node and, from there, the cluster. Drop `privileged`, and add the one capability that is " +
      "needed.",
    example: {
      path: "pod.tf",
      bad: `resource "kubernetes_pod" "agent" {
  spec {
    container {
      security_context {
        privileged = true
      }
    }
  }
}
`,
      good: `resource "kubernetes_pod" "agent" {
  spec {
    container {
      security_context {
        privileged = false
      }
    }
  }
}
`
    },
    cwe: [250],
    confidence: 0.9,
    priority: "P1",
    ...terraform
  }
})

export type RuleId = keyof typeof rules
