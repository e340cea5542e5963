import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** What Kubernetes lets a workload and its accounts do. */
export const orchestrationRules = ruleSet({
  unconfined_profile: {
    languages: ["yaml"],
    title: "Container without a seccomp or AppArmor profile (Unconfined)",
    description:
      "`Unconfined` gives the container every system call of the node's kernel, also those through which " +
      "escapes were found. Use `RuntimeDefault`, or a profile of the workload's own.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: v1
kind: Pod
metadata: { name: api, namespace: shop }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      securityContext: { seccompProfile: { type: Unconfined } }
`,
      good: `apiVersion: v1
kind: Pod
metadata: { name: api, namespace: shop }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      securityContext: { seccompProfile: { type: RuntimeDefault } }
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  rbac_wildcard: {
    languages: ["yaml"],
    title: "Kubernetes role that allows every action on every resource",
    description:
      "Who gets hold of a token of this role owns the cluster, or the namespace: it reads all secrets and " +
      "starts any container. Name the verbs and the resources that are needed.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: api }
rules:
  - apiGroups: ['*']
    resources: ['*']
    verbs: ['*']
`,
      good: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: api }
rules:
  - apiGroups: ['']
    resources: [configmaps]
    verbs: [get]
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  cluster_admin_binding: {
    languages: ["yaml"],
    title: "Service account bound to cluster-admin",
    description:
      "A pod that is broken into hands over the whole cluster: its service account may read all secrets and " +
      "start any container. Bind a role with the verbs and resources that it needs.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: api }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects:
  - { kind: ServiceAccount, name: api, namespace: shop }
`,
      good: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: api }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects:
  - { kind: ServiceAccount, name: api, namespace: shop }
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  anonymous_binding: {
    languages: ["yaml"],
    title: "Kubernetes role bound to everyone (system:anonymous)",
    description:
      "Anyone who reaches the cluster's API has these rights, without a password or a certificate. Bind the " +
      "role to the users, groups or service accounts that need it.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: api }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit }
subjects:
  - { kind: User, name: 'system:anonymous' }
`,
      good: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: api }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit }
subjects:
  - { kind: User, name: ann }
`
    },
    cwe: [284],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  no_security_context: {
    languages: ["yaml"],
    title: "Pod without any hardening (runAsNonRoot, privilege escalation)",
    description:
      "Nothing keeps this container from running as root and from gaining rights: a break-in starts with all " +
      "that the image has. Set `runAsNonRoot: true`, `allowPrivilegeEscalation: false`, " +
      "`readOnlyRootFilesystem: true`, drop all capabilities and use the seccomp profile `RuntimeDefault`.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: v1
kind: Pod
metadata: { name: api, namespace: shop }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
`,
      good: `apiVersion: v1
kind: Pod
metadata: { name: api, namespace: shop }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false }
`
    },
    cwe: [250],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  host_port: {
    languages: ["yaml"],
    title: "Container port bound to the node (hostPort)",
    description:
      "The port is open on the node's own address, past services and often past network policies, and only one " +
      "pod of this kind fits on a node. Publish it with a Service or an Ingress.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: v1
kind: Pod
metadata: { name: api, namespace: shop }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      ports: [{ containerPort: 8080, hostPort: 8080 }]
      securityContext: { runAsNonRoot: true }
`,
      good: `apiVersion: v1
kind: Pod
metadata: { name: api, namespace: shop }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      ports: [{ containerPort: 8080 }]
      securityContext: { runAsNonRoot: true }
`
    },
    cwe: [668],
    confidence: 0.62,
    effort: "small",
    risk: "low",
    priority: "P3"
  }
})
