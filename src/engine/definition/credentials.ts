import type { Problem } from '#kernel/errors'
import { redacted } from '#kernel/telemetry'
import type { FlowDefinition } from './flow.ts'
import type { FoundCredential } from './kinds/call-credentials.ts'
import { allSteps, mapSteps, placedSteps } from './nested-steps.ts'
import { kindOf, type Step } from './step-types.ts'

/**
 * Credentials that are written into HTTP steps: values of headers such as `Authorization`, of query parameters such as `api_key`, and of
 * fields of the body such as `client_secret`.
 * Every response shows them redacted, and saving a definition with the mark keeps the stored value:
 *
 * | a header, parameter or field that is saved   | then                                                             |
 * |----------------------------------------------|------------------------------------------------------------------|
 * | only placeholders: `Bearer {{secrets.token}}`| no credential: shown as it is                                    |
 * | a literal value                              | stored, with a warning; redacted in every response               |
 * | the mark, and the same origin had a value    | the stored value is kept                                         |
 * | the mark, and it had none                    | a problem: the credential must be entered again                  |
 *
 * A stored value is kept for the same origin only: an author who cannot read a credential cannot have it sent elsewhere either.
 */
interface Credential extends FoundCredential {
  readonly stepId: string
}

/** A definition with a mark in place of each literal credential. */
export function redactCredentials(
  definition: FlowDefinition,
  /** Default: the same mark for all. */
  markOf: (credential: Credential) => string = () => redacted,
): FlowDefinition {
  if (!allSteps(definition.steps).some((step) => kindOf(step).mapCredentials !== undefined)) return definition
  return { ...definition, steps: mapSteps(definition.steps, (step) => mapCredentials(step, markOf)) }
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
    message: `step "${found.stepId}" stores the credential in ${found.place} "${found.name}" as plain text in the database. Use a secret instead: store the value as a secret and write {{secrets.name}}, or choose a connection.`,
    code: 'literal_credential',
  }))
}

/** Puts stored credentials where a definition has the mark. A mark without a stored value is a problem. */
export function keepCredentials(
  definition: FlowDefinition,
  stored: FlowDefinition | undefined,
): { readonly definition: FlowDefinition; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const findStored = createFindStored(stored)
  const steps = mapSteps(definition.steps, (step) => {
    if (!JSON.stringify(step).includes(redacted)) return step
    return mapCredentials(step, (found) => {
      if (found.value !== redacted) return found.value
      const kept = findStored(found)
      if (kept !== undefined) return kept.value
      problems.push({
        path: pathOf(definition, found),
        message: `has "${redacted}" in place of the credential in ${found.place} "${found.name}", and none is stored for ${found.origin}; use a secret such as {{secrets.name}}, or write the credential again`,
        code: 'credential_missing',
      })
      return found.value
    })
  })
  return { definition: { ...definition, steps }, problems }
}

function keyOf(found: Credential): string {
  return `${found.stepId} ${nameOf(found)}`
}

/** Header names are case-insensitive; parameter names are not. */
function nameOf({ place, name }: FoundCredential): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`
}

function pathOf({ steps }: FlowDefinition, { stepId, path }: Credential): string {
  return `${placedSteps(steps).find(({ step }) => step.id === stepId)?.path}.${path}`
}

function credentialsIn({ steps }: Pick<FlowDefinition, 'steps'>): readonly Credential[] {
  const found: Credential[] = []
  for (const step of allSteps(steps)) {
    mapCredentials(step, (credential) => {
      found.push(credential)
      return credential.value
    })
  }
  return found
}

/** Finds the credential stored for the same origin: the step's own, else that of a step that was renamed or copied. */
function createFindStored(
  stored: FlowDefinition | undefined,
): (wanted: Credential) => FoundCredential | undefined {
  const own = new Map<string, FoundCredential>()
  const ofAnyStep = new Map<string, FoundCredential>()
  // The first of several credentials with the same key counts.
  for (const found of credentialsIn({ steps: stored?.steps ?? [] }).toReversed()) {
    own.set(ownKeyAt(found), found)
    ofAnyStep.set(keyAt(found), found)
  }
  return (wanted) => own.get(ownKeyAt(wanted)) ?? ofAnyStep.get(keyAt(wanted))
}

function ownKeyAt(found: Credential): string {
  return `${found.stepId} ${keyAt(found)}`
}

/** The name of a credential at its origin. */
function keyAt(found: FoundCredential): string {
  return `${found.origin} ${nameOf(found)}`
}

function mapCredentials(step: Step, replace: (found: Credential) => Credential['value']): Step {
  return kindOf(step).mapCredentials?.(step, (found) => replace({ ...found, stepId: step.id })) ?? step
}
