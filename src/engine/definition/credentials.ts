import type { Problem } from '#kernel/errors'
import { isSecretName, redacted, redactText } from '#kernel/telemetry'
import type { FlowDefinition } from './flow.ts'
import type { ExternalApiStep } from './step-types.ts'

/**
 * Credentials that are written into HTTP steps: values of headers such as `Authorization`, and of query parameters such as `api_key`.
 * Every response shows them redacted, and saving a definition with the mark keeps the stored value:
 *
 * | a header or parameter that is saved          | then                                                             |
 * |----------------------------------------------|------------------------------------------------------------------|
 * | only placeholders, such as `Bearer {{token}}`| no credential: shown as it is                                    |
 * | a literal value                              | stored, with a warning; redacted in every response               |
 * | the mark, and the same origin had a value    | the stored value is kept                                         |
 * | the mark, and it had none                    | a problem: the credential must be entered again                  |
 *
 * A stored value is kept for the same origin only: an author who cannot read a credential cannot have it sent elsewhere either.
 */
type Call = ExternalApiStep['api']

/** A definition with a mark in place of each literal credential. */
export function redactCredentials(
  definition: FlowDefinition,
  /** Default: the same mark for all. */
  markOf: (credential: Credential) => string = () => redacted,
): FlowDefinition {
  if (!definition.steps.some(({ type }) => type === 'external_api')) return definition
  return {
    ...definition,
    steps: definition.steps.map((step) =>
      step.type === 'external_api'
        ? { ...step, api: mapCredentials(step.api, (found) => markOf({ ...found, stepId: step.id })) }
        : step,
    ),
  }
}

/** Redacts a URL: its user name and password, and parameters with credentials. */
export function redactAddress(url: string): string {
  return mapCredentials({ url }, () => redacted).url
}

/**
 * Redacts two definitions for a comparison: a credential that changed gets another mark.
 */
export function redactForComparison(
  older: FlowDefinition,
  newer: FlowDefinition,
): readonly [older: FlowDefinition, newer: FlowDefinition] {
  const before = new Map(credentialsIn(older).map((found) => [keyOf(found), found.value]))
  const markOf = (found: Credential) =>
    (before.get(keyOf(found)) ?? found.value) === found.value ? redacted : '[redacted, changed]'
  return [redactCredentials(older), redactCredentials(newer, markOf)]
}

/** One warning per literal credential: where it is, and how to avoid it. */
export function warnAboutCredentials(definition: FlowDefinition): Problem[] {
  return credentialsIn(definition).map((found) => ({
    path: pathOf(definition, found),
    message: `step "${found.stepId}" stores the credential in ${found.place} "${found.name}" as plain text in the database; responses show it redacted. Use a credential with few rights, or a placeholder such as {{token}} filled from the context.`,
    code: 'literal_credential',
  }))
}

/** Puts stored credentials where a definition has the mark. A mark without a stored value is a problem. */
export function keepCredentials(
  definition: FlowDefinition,
  stored: FlowDefinition | undefined,
): { readonly definition: FlowDefinition; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const steps = definition.steps.map((step) => {
    if (step.type !== 'external_api' || !JSON.stringify(step.api).includes(redacted)) return step
    const known = storedFor(step, stored)
    const api = mapCredentials(step.api, (found) => {
      if (found.value !== redacted) return found.value
      const kept = known.find((credential) => nameOf(credential) === nameOf(found))
      if (kept !== undefined) return kept.value
      problems.push({
        path: pathOf(definition, { ...found, stepId: step.id }),
        message: `has "${redacted}" in place of the credential in ${found.place} "${found.name}", and none is stored for ${originOf(step.api.url)}; write the credential, or a placeholder such as {{token}}`,
        code: 'credential_missing',
      })
      return found.value
    })
    return { ...step, api }
  })
  return { definition: { ...definition, steps }, problems }
}

interface FoundCredential {
  readonly place: 'header' | 'parameter'
  readonly name: string
  readonly value: string
}

interface Credential extends FoundCredential {
  readonly stepId: string
}

function keyOf(found: Credential): string {
  return `${found.stepId} ${nameOf(found)}`
}

/** Header names are case-insensitive; parameter names are not. */
function nameOf({ place, name }: FoundCredential): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`
}

function pathOf({ steps }: FlowDefinition, { stepId, place, name }: Credential): string {
  const api = `steps[${steps.findIndex(({ id }) => id === stepId)}].api`
  return place === 'header' ? `${api}.headers.${name}` : `${api}.url`
}

function credentialsIn({ steps }: Pick<FlowDefinition, 'steps'>): readonly Credential[] {
  const found: Credential[] = []
  for (const step of steps) {
    if (step.type !== 'external_api') continue
    mapCredentials(step.api, (credential) => {
      found.push({ ...credential, stepId: step.id })
      return credential.value
    })
  }
  return found
}

/** Credentials stored for the origin of a step: the step's own first, else the credentials of a step that was renamed or copied. */
function storedFor(step: ExternalApiStep, stored: FlowDefinition | undefined): readonly FoundCredential[] {
  const origin = originOf(step.api.url)
  const same = (stored?.steps ?? [])
    .filter((other) => other.type === 'external_api')
    .filter((other) => originOf(other.api.url) === origin)
  const own = same.filter(({ id }) => id === step.id)
  return [...own, ...same].flatMap((other) => credentialsIn({ steps: [other] }))
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

const userInfo = /^(https?:\/\/)[^/?#]*@/i
const parameter = /([?&])([^=&#]+)=([^&#]*)/g

/** Replaces each credential of a call. */
function mapCredentials<Given extends Pick<Call, 'url' | 'headers'>>(
  api: Given,
  replace: (found: FoundCredential) => string,
): Given {
  const url = api.url
    // Calls with a user name or password in the URL are never made, so none is stored.
    .replace(userInfo, `$1${redacted}@`)
    .replaceAll(parameter, (whole, sign: string, name: string, value: string) =>
      isSecretParameter(name) && isLiteral(value)
        ? `${sign}${name}=${replace({ place: 'parameter', name, value })}`
        : whole,
    )
  if (api.headers === undefined) return { ...api, url }
  const headers = Object.entries(api.headers).map(([name, value]) => [
    name,
    isLiteral(value) && (isSecretHeader(name) || value === redacted || redactText(value) !== value)
      ? replace({ place: 'header', name, value })
      : value,
  ])
  return { ...api, url, headers: Object.fromEntries(headers) as Record<string, string> }
}

function isSecretHeader(name: string): boolean {
  if (/^idempotency-key$/i.test(name)) return false
  return isSecretName(name) || /(?:^|[-_])(?:key|token|secret|auth|signature|session)$/i.test(name)
}

function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^(?:sig|signature)$/i.test(name)
}

const placeholder = /\{\{[^{}]*\}\}/g
const scheme = /^\s*(?:bearer|basic|digest|token|apikey)\b/i

/** Whether a value has a literal part besides placeholders and the name of its scheme. */
function isLiteral(value: string): boolean {
  return /[a-z0-9]/i.test(value.replaceAll(placeholder, '').replace(scheme, ''))
}
