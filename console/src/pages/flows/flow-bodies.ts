import type { paths } from '../../api/schema.generated.ts'

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type FlowEntry = AnswerOf<'/ai-workflows/api/flows'>['flows'][number]
export type LatestRun = NonNullable<FlowEntry['last_runs']>[number]
export type WholeFlow = AnswerOf<'/ai-workflows/api/flows/{id}'>
export type FlowVersion = AnswerOf<'/ai-workflows/api/flows/{id}/versions'>['versions'][number]
export type FlowDiff = AnswerOf<'/ai-workflows/api/flows/{id}/diff'>

/** A step as far as every type of it is alike. */
export interface FlowStep {
  readonly id: string
  readonly type: string
  readonly label?: string
  readonly dependencies?: readonly string[]
}

/** The steps of a definition, which the interface describes as free in form. */
export function stepsOf({
  flow_definition: definition,
}: Pick<WholeFlow, 'flow_definition'>): readonly FlowStep[] {
  const { steps } = definition
  return Array.isArray(steps) ? (steps as readonly FlowStep[]) : []
}
