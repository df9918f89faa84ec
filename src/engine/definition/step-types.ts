import type { Static } from 'typebox'
import { AgentSchema } from './agent-step.ts'
import { AiPromptSchema } from './ai-prompt-step.ts'
import { ConditionalSchema } from './conditional-step.ts'
import { DataTransformSchema } from './data-transform-step.ts'
import { ExternalApiSchema } from './external-api-step.ts'

export const stepTypes = ['ai_prompt', 'conditional', 'external_api', 'data_transform', 'agent'] as const
export type StepType = (typeof stepTypes)[number]

/** The schema of each type. A step is checked against its own type only, so that error messages fit it. */
export const stepSchemas = {
  ai_prompt: AiPromptSchema,
  conditional: ConditionalSchema,
  external_api: ExternalApiSchema,
  data_transform: DataTransformSchema,
  agent: AgentSchema,
} as const satisfies Record<StepType, unknown>

export type AiPromptStep = Static<typeof AiPromptSchema>
export type ConditionalStep = Static<typeof ConditionalSchema>
export type ExternalApiStep = Static<typeof ExternalApiSchema>
export type DataTransformStep = Static<typeof DataTransformSchema>
export type AgentStep = Static<typeof AgentSchema>
export type Step = AiPromptStep | ConditionalStep | ExternalApiStep | DataTransformStep | AgentStep

/** Whether a step calls models: with its own prompt, or through an agent. */
export function callsModels<Some extends Pick<Step, 'type'>>(
  step: Some,
): step is Extract<Some, { readonly type: 'ai_prompt' | 'agent' }> {
  return step.type === 'ai_prompt' || step.type === 'agent'
}

/** Whether a step is pure: it has no effects outside, and the same inputs always give the same output. */
export function isPure({ type }: Pick<Step, 'type'>): boolean {
  return type === 'conditional' || type === 'data_transform'
}
