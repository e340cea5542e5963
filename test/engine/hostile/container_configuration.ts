import { filled, type WorstCase } from "../../support/worstCase.ts"

const docker =
  (unit: string, before = "FROM node:20\n", after = "") =>
  (size: number) =>
    filled(size, unit, [before, after])
const services = (unit: string) => (size: number) =>
  filled(size, unit, ["services:\n  web:\n    image: a/b:latest\n", ""])
const pod =
  (unit: string, before = "  containers:\n") =>
  (size: number) =>
    filled(size, unit, [`apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n${before}`, ""])

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: ["root_user", "unpinned_image"], path: "Dockerfile", text: docker("FROM node\nUSER root\n") },
  {
    rules: ["root_user"],
    path: "stages/Dockerfile",
    text: (size) =>
      `FROM node AS s0\n${Array.from({ length: Math.floor(size / 24) }, (_, i) => `FROM s${i} AS s${i + 1}\n`).join("")}CMD a\n`
  },
  { rules: ["root_server"], path: "master/Dockerfile", text: docker("FROM nginx\n") },
  {
    rules: ["default_password_in_image", "secret_build_argument", "secret_file_in_image"],
    path: "secrets/Dockerfile",
    text: docker("ENV PASSWORD=admin\nARG TOKEN\nCOPY .env /\n", "FROM node:20\n")
  },
  { rules: ["secret_in_image"], path: "env/Dockerfile", text: docker("ENV PASSWORD=aB3dE5gH7jK9\n") },
  { rules: ["secret_in_image"], path: "pairs/Dockerfile", text: docker("A_TOKEN=x9Yz8 ", "FROM node:20\nENV ") },
  { rules: ["secret_in_image"], path: "copy/Dockerfile", text: docker("--a=b ", "FROM node:20\nCOPY ", ".env /\n") },
  {
    rules: ["secret_in_image", "world_writable"],
    path: "list/Dockerfile",
    text: docker('"a", ', "FROM node:20\nCOPY [", '".env"]\n')
  },
  { rules: ["remote_add"], path: "add/Dockerfile", text: docker("ADD https://a.b/c /\n") },
  { rules: ["remote_add"], path: "long/Dockerfile", text: docker("https://", "FROM node:20\nADD ", " /\n") },
  {
    rules: ["remote_script", "world_writable", "sudo", "apt_leftovers"],
    path: "run/Dockerfile",
    text: docker("RUN apt-get install a && curl b | sh && sudo c && chmod 777 d\n")
  },
  { rules: ["remote_script_over_http"], path: "http/Dockerfile", text: docker("RUN curl http://a.b/c | sh\n") },
  { rules: ["remote_script"], path: "curl/Dockerfile", text: docker("curl a ", "FROM node:20\nRUN ") },
  { rules: ["world_writable"], path: "chmod/Dockerfile", text: docker("chmod -R ", "FROM node:20\nRUN ") },
  { rules: ["apt_leftovers"], path: "apt/Dockerfile", text: docker("apt-get install ", "FROM node:20\nRUN ") },
  { rules: ["sudo"], path: "sudo/Dockerfile", text: docker("sudo a && \\\n", "FROM node:20\nRUN ") },
  { rules: ["sudo"], path: "lines/Dockerfile", text: docker("\\\n", "FROM node:20\nRUN a ") },
  {
    rules: ["privileged", "host_access", "host_namespace", "hardcoded_credential", "unpinned_image"],
    path: "compose.yaml",
    text: (size) =>
      `services:\n${Array.from(
        { length: Math.floor(size / 130) },
        (_, i) =>
          `  s${i}:\n    image: a\n    privileged: true\n    network_mode: host\n    volumes: [/:/a]\n    environment: { DB_PASSWORD: x9Yz8wV7u }\n`
      ).join("")}`
  },
  {
    rules: ["hardcoded_credential"],
    path: "docker-compose.yml",
    text: services("    environment: [DB_PASSWORD=x9Yz8wV7u]\n")
  },
  { rules: ["host_access"], path: "volumes/compose.yaml", text: services("    volumes: [/:/a]\n") },
  {
    rules: ["privilege_escalation", "no_limits", "privileged", "unpinned_image", "hardcoded_credential"],
    path: "k8s/pod.yaml",
    text: pod(
      "    - name: a\n      image: a\n      securityContext: { privileged: true, allowPrivilegeEscalation: true, capabilities: { add: [ALL] } }\n      env: [{ name: DB_PASSWORD, value: x9Yz8wV7u }]\n"
    )
  },
  {
    rules: ["host_access"],
    path: "k8s/volumes.yaml",
    text: pod("    - { name: a, hostPath: { path: / } }\n", "  volumes:\n")
  },
  {
    rules: ["no_limits"],
    path: "k8s/documents.yaml",
    text: (size) => filled(size, "---\napiVersion: v1\nkind: Pod\nspec: { containers: [{ name: a, image: b }] }\n")
  },
  {
    rules: ["host_access_agent", "root_user_agent", "privileged_agent", "privilege_escalation_agent"],
    path: "k8s/agents.yaml",
    text: (size) =>
      filled(
        size,
        "---\napiVersion: v1\nkind: DaemonSet\nspec: { template: { spec: { hostPID: true, containers: [{ name: a, image: b, securityContext: { runAsUser: 0, privileged: true, allowPrivilegeEscalation: true } }] } } }\n"
      )
  },
  {
    rules: ["root_user_allowed"],
    path: "k8s/users.yaml",
    text: pod("    - { name: a, image: b, securityContext: { runAsNonRoot: false } }\n")
  },
  {
    rules: ["rbac_wildcard"],
    path: "k8s/roles.yaml",
    text: (size) =>
      filled(size, "  - { verbs: ['*'], resources: ['*'] }\n", [
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules:\n",
        ""
      ])
  },
  {
    rules: ["cluster_admin_binding", "anonymous_binding"],
    path: "k8s/bindings.yaml",
    text: (size) =>
      filled(
        size,
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nroleRef: { name: cluster-admin }\nsubjects: [{ kind: ServiceAccount, name: a }, { kind: User, name: 'system:anonymous' }]\n"
      )
  },
  {
    rules: ["unconfined_profile", "host_port", "no_security_context"],
    path: "k8s/profiles.yaml",
    text: pod(
      "    - { name: a, image: b, ports: [{ hostPort: 1 }], securityContext: { seccompProfile: { type: Unconfined } } }\n"
    )
  },
  {
    rules: ["no_copy_source", "duplicate_stage", "overridden_start", "malformed_exec_form"],
    path: "stages2/Dockerfile",
    text: docker("FROM node:20 AS a\nCOPY --from=9 /a /b\nCMD ['a']\nCMD ['b']\n")
  },
  { rules: ["no_copy_source"], path: "from/Dockerfile", text: docker("--a=b ", "FROM node:20\nCOPY ", " /a /b\n") },
  {
    rules: ["invalid_port", "interactive_install", "lost_directory", "update_without_install", "deprecated_maintainer"],
    path: "runs/Dockerfile",
    text: docker("EXPOSE 99999\nRUN cd /a\nRUN apt-get update\nRUN apt-get install a\nMAINTAINER a\n")
  },
  { rules: ["interactive_install"], path: "ports/Dockerfile", text: docker("apt install -y ", "FROM node:20\nRUN ") },
  { rules: ["invalid_port"], path: "expose/Dockerfile", text: docker("99999 ", "FROM node:20\nEXPOSE ") },
  { rules: ["no_limits"], path: "k8s/deep.yaml", text: pod("{ a: ", "  containers: ") },
  {
    rules: ["unverified_download", "account_password_in_image", "ssh_in_container", "pipe_hides_failure"],
    path: "downloads/Dockerfile",
    text: docker("RUN curl -k https://a.b/c | tar x\nRUN echo a:b | chpasswd\nEXPOSE 22\n")
  },
  {
    rules: ["unpinned_package", "package_cache_in_image", "recommended_packages", "add_for_files", "relative_workdir"],
    path: "packages/Dockerfile",
    text: docker("RUN pip install a\nRUN apt-get install -y b\nADD a b\nWORKDIR a\n")
  },
  { rules: ["pipe_hides_failure"], path: "pipe/Dockerfile", text: docker("curl a ", "FROM node:20\nRUN ") },
  { rules: ["account_password_in_image"], path: "echo/Dockerfile", text: docker("echo a:b ", "FROM node:20\nRUN ") },
  {
    rules: ["removed_api_version", "service_account_token", "writable_root_filesystem"],
    path: "k8s/objects.yaml",
    text: (size) =>
      filled(
        size,
        "---\napiVersion: extensions/v1beta1\nkind: Deployment\nspec: { template: { spec: { containers: [{ name: a, image: b, securityContext: {} }] } } }\n"
      )
  },
  {
    rules: ["selector_mismatch"],
    path: "k8s/selectors.yaml",
    text: (size) =>
      `apiVersion: apps/v1\nkind: Deployment\nspec:\n  template: { metadata: { labels: { z: z } }, spec: { containers: [] } }\n  selector:\n    matchLabels:\n${Array.from({ length: Math.floor(size / 16) }, (_, i) => `      a${i}: b\n`).join("")}`
  },
  {
    rules: ["duplicate_variable"],
    path: "k8s/variables.yaml",
    text: pod("        - { name: A, value: b }\n", "  containers:\n    - name: a\n      image: b\n      env:\n")
  },
  {
    rules: ["privileged"],
    path: "chart/templates/conditions.yaml",
    text: (size) => filled(size, "{{ if .Values.a }}\n", ["kind: Pod\n", ""])
  },
  {
    rules: ["privileged"],
    path: "chart/templates/line.yaml",
    text: (size) => filled(size, "{{ .Values.a }}", ["kind: Pod\na: ", "\n"])
  },
  {
    rules: ["chart_default_privileges"],
    path: "chart/values.yaml",
    text: (size) => Array.from({ length: Math.floor(size / 26) }, (_, i) => `a${i}: { privileged: true }\n`).join("")
  },
  {
    rules: ["published_database_port"],
    path: "ports/compose.yaml",
    text: (size) => filled(size, '      - "1:5432"\n', ["services:\n  db:\n    image: postgres:16\n    ports:\n", ""])
  }
]
