import type { paths } from '../../api/schema.generated.ts'

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

type ExecutionList = AnswerOf<'/ai-workflows/api/executions'>

export type ExecutionEntry = ExecutionList['executions'][number]
export type Trace = AnswerOf<'/ai-workflows/api/executions/{execution_id}/trace'>
export type TracedStep = Trace['steps'][number]
export type StepDetail = AnswerOf<'/ai-workflows/api/executions/{execution_id}/steps/{step_id}'>
export type ExecutionStatus = AnswerOf<'/ai-workflows/api/execution-status/{execution_id}'>
