{{- define "tutti.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change, since selectors are immutable. Called with dict "root" and "component". */}}
{{- define "tutti.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "tutti.labels" -}}
{{ include "tutti.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "tutti.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "tutti.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "tutti.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end -}}

{{- define "tutti.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{ .Values.publicUrl }}
{{- else if and .Values.ingress.enabled .Values.ingress.hosts -}}
{{ ternary "https" "http" (gt (len .Values.ingress.tls) 0) }}://{{ (first .Values.ingress.hosts).host }}
{{- end -}}
{{- end -}}

{{/* An environment variable from a secret. Called with dict "root", "name", "from" (a value with existingSecret) and "given". */}}
{{- define "tutti.secretEnv" -}}
{{- if or .from.existingSecret .given }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ default (include "tutti.fullname" .root) .from.existingSecret }}
      key: {{ ternary .from.existingSecretKey .name (ne .from.existingSecret "") }}
{{- end }}
{{- end -}}

{{/* The environment of every component. */}}
{{- define "tutti.commonEnv" -}}
- name: NODE_ENV
  value: production
- name: METRICS_HOST
  value: 0.0.0.0
- name: METRICS_PORT
  value: "9090"
- name: CLOSE_GRACE
  value: {{ .Values.closeGraceSeconds }}s
- name: NODE_COMPILE_CACHE
  value: /tmp/node
{{- with .Values.trustedProxies }}
- name: TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* The environment of API and workers. */}}
{{- define "tutti.platformEnv" -}}
{{- include "tutti.commonEnv" . }}
- name: DATABASE_POOL_SIZE
  value: {{ .Values.database.poolSize | quote }}
- name: TUTTI_ADMIN_USERNAME
  value: {{ .Values.admin.username | quote }}
{{- with include "tutti.publicUrl" . }}
- name: TUTTI_PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
- name: RUNTIME_CLUSTER_SERVICE
  value: {{ include "tutti.fullname" . }}-cluster
- name: RELEASE_NAMESPACE
  value: {{ .Release.Namespace }}
{{- include "tutti.secretEnv" (dict "root" . "name" "DATABASE_URL" "from" .Values.database "given" .Values.database.url) }}
{{- include "tutti.secretEnv" (dict "root" . "name" "DATABASE_DIRECT_URL" "from" .Values.database.direct "given" .Values.database.direct.url) }}
{{- include "tutti.secretEnv" (dict "root" . "name" "TUTTI_SECRET" "from" .Values.encryption "given" .Values.encryption.secret) }}
{{- include "tutti.secretEnv" (dict "root" . "name" "TUTTI_ADMIN_PASSWORD" "from" .Values.admin "given" .Values.admin.password) }}
{{- if .Values.cluster.enabled }}
{{- include "tutti.secretEnv" (dict "root" . "name" "CLUSTER_API_KEY" "from" .Values.clusterKey "given" .Values.clusterKey.value) }}
{{- end }}
{{- end -}}

{{/*
A Deployment. Called with dict "root", "component", "values" (those of the component), "args", "env", "port" (of the health checks)
and "ports".
*/}}
{{- define "tutti.deployment" -}}
{{- $root := .root -}}
{{- $labels := dict "root" $root "component" .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "tutti.fullname" $root }}-{{ .component }}
  labels: {{- include "tutti.labels" $labels | nindent 4 }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels: {{- include "tutti.selectorLabels" $labels | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "tutti.labels" $labels | nindent 8 }}
        {{- with .values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        # A changed secret of the release restarts the pods.
        checksum/secret: {{ include (print $root.Template.BasePath "/secret.yaml") $root | sha256sum }}
        {{- with .values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "tutti.serviceAccountName" $root }}
      # Only the cluster service reads the Kubernetes API, to find model nodes.
      automountServiceAccountToken: {{ and (eq .component "cluster") $root.Values.cluster.discovery.enabled }}
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ add $root.Values.closeGraceSeconds $root.Values.preStopSeconds 15 }}
      securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 8 }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "tutti.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: {{ toJson .args }}
          securityContext: {{- toYaml $root.Values.securityContext | nindent 12 }}
          env: {{- .env | nindent 12 }}
          {{- if and $root.Values.envFromSecrets (ne .component "cluster") }}
          envFrom:
            {{- range $root.Values.envFromSecrets }}
            - secretRef: { name: {{ . }} }
            {{- end }}
          {{- end }}
          ports:
            {{- range .ports }}
            - { name: {{ .name }}, containerPort: {{ .number }}, protocol: TCP }
            {{- end }}
          # Migrations run before the port opens; on a large database they take a while.
          startupProbe:
            httpGet: { path: /healthz, port: {{ .port }} }
            periodSeconds: 2
            failureThreshold: 150
          livenessProbe:
            httpGet: { path: /healthz, port: {{ .port }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: {{ .port }} }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              exec: { command: [sleep, {{ $root.Values.preStopSeconds | quote }}] }
          resources: {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 1Gi }
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "tutti.selectorLabels" $labels | nindent 14 }}
        {{- end }}
      {{- with .values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
