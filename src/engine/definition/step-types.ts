import type { Static, TSchema } from 'typebox'
import { generatedKinds, stepKinds } from './kinds/index.ts'
import type { StepKind } from './kinds/step-kind.ts'

export type { AgentStep } from './kinds/agent.ts'
export type { AgentFlowCallStep, AgentToolCallStep, AgentTurnStep } from './kinds/agent-steps.ts'
export type { AiPromptStep } from './kinds/ai-prompt.ts'
export type { ConditionalStep } from './kinds/conditional.ts'
export { calculationMethods, type DataTransformStep, type mergeStrategies } from './kinds/data-transform.ts'
export type { ExternalApiStep } from './kinds/external-api.ts'
export type { ForEachStep } from './kinds/for-each.ts'
export type { HumanStep } from './kinds/human.ts'
export type { RepeatUntilStep } from './kinds/repeat-until.ts'
export type { SubFlowStep } from './kinds/sub-flow.ts'
export type { ToolAgentStep } from './kinds/tool-agent.ts'
export type { WaitStep } from './kinds/wait.ts'
export type { WaitForEventStep } from './kinds/wait-for-event.ts'

type Kind = (typeof stepKinds)[number]

type StepOf<Some> = Some extends { readonly schema: infer Schema extends TSchema } ? Static<Schema> : never

export type Step = StepOf<Kind>

export type StepType = Kind['type']

/** A step that a container adds to its scopes. Flows cannot have such steps. */
export type GeneratedStep = StepOf<(typeof generatedKinds)[number]>

export const stepTypes: readonly StepType[] = stepKinds.map(({ type }) => type)

type SchemasOf<Some extends readonly { readonly schema: TSchema }[]> = {
  -readonly [Index in keyof Some]: Some[Index]['schema']
}

/** The schemas of all kinds, in their order. */
export const stepSchemas = stepKinds.map(({ schema }) => schema) as unknown as SchemasOf<typeof stepKinds>

const byType = Object.fromEntries(
  [...stepKinds, ...generatedKinds].map((kind) => [kind.type, kind]),
) as unknown as Readonly<Record<StepType, StepKind<Step>>>

/** The kind of a step. Never throws. */
export function kindOf({ type }: Pick<Step, 'type'>): StepKind<Step> {
  return byType[type]
}

/** The types of the kinds that have a trait. */
type TypeWith<Trait extends string> = Extract<
  Kind,
  { readonly traits: Readonly<Record<Trait, true>> }
>['type']

/** Whether a step calls models: with its own prompt, or through an agent. Never throws. */
export function callsModels<Some extends Pick<Step, 'type'>>(
  step: Some,
): step is Extract<Some, { readonly type: TypeWith<'callsModels'> }> {
  return kindOf(step).traits.callsModels
}

/** Whether a step calls a model with its own prompt. Never throws. */
export function sendsPrompt<Some extends Pick<Step, 'type'>>(
  step: Some,
): step is Extract<Some, { readonly type: TypeWith<'sendsPrompt'> }> {
  return kindOf(step).traits.sendsPrompt
}

/** Whether a step is pure: it has no effects outside, and the same inputs always give the same output. Never throws. */
export function isPure(step: Pick<Step, 'type'>): boolean {
  return kindOf(step).traits.pure
}

/** The types of containers, whose work is other steps. */
export type ContainerType = Extract<Kind, { readonly container: object }>['type']

export type ContainerStep = Extract<Step, { readonly type: ContainerType }>

/** Whether the work of a step is other steps. Never throws. */
export function isContainer<Some extends Pick<Step, 'type'>>(
  step: Some,
): step is Extract<Some, { readonly type: ContainerType }> {
  return kindOf(step).container !== undefined
}

/** The steps inside a container; none for other steps. Never throws for a valid step. */
export function childrenOf(step: Step): readonly Step[] {
  // The schema of a container leaves its steps open, because schemas do not refer to each other; `checkFlow` checks each against its kind.
  return (kindOf(step).container?.stepsOf(step) ?? []) as readonly Step[]
}
