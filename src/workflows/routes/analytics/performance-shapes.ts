import { Type } from 'typebox'
import {
  change,
  confidence,
  count,
  dollars,
  durations,
  optional,
  optionalText,
  quality,
  successRate,
} from './field-shapes.ts'

const StepNamed = Type.Object({ step_id: Type.String(), step_type: Type.String(), value: Type.Number() })
const optionalStep = (description: string) => Type.Union([StepNamed, Type.Null()], { description })

export const FlowPerformance = Type.Object({
  label: optionalText('What people call it; null when the flow is gone.'),
  executions: count(),
  completed: count(),
  failed: count(),
  cancelled: count(),
  success_rate: successRate,
  ...durations,
  average_queue_time: optional('Seconds; null when none began.'),
  total_cost: dollars(),
  average_cost: optional('Dollars for each execution; null when none ended.'),
  tokens_used: count(),
  average_cpu_time: optional('Seconds computed here for each execution; null when none ended.'),
  average_peak_memory: optional('Bytes; null when none ended.'),
  quality_score: quality,
  average_confidence: confidence,
  trend: change,
  slowest_step: optionalStep('The step with the longest average, in seconds; null without steps.'),
  most_failing_step: optionalStep('The step that failed most often, as a count; null when none failed.'),
})

export const StepTypeAnalysis = Type.Object({
  steps_executed: count('Completed or failed.'),
  completed: count(),
  failed: count(),
  skipped: count('Left out by conditions, routing or failures before them.'),
  success_rate: successRate,
  ...durations,
  retries: count('Tries after the first.'),
  total_cost: dollars(),
  tokens_used: count(),
  ai_calls: count(),
  network_requests: count(),
  quality_score: quality,
  average_confidence: confidence,
})

const answering = {
  steps: count('Steps it answered or failed.'),
  completed: count(),
  failed: count(),
  success_rate: successRate,
  calls: count('Calls, those for decisions and further tries too.'),
  cache_hits: count('Of these, answered from memory.'),
  input_tokens: count(),
  output_tokens: count(),
  average_response_time: optional('Seconds for a call; null when there was none.'),
  median_response_time: optional(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  p95_response_time: optional(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  total_cost: dollars(),
  quality_score: quality,
}

export const ProviderAnalysis = Type.Object({
  ...answering,
  call_share: optional('Percent of all calls; null when there were none.'),
  models: Type.Record(Type.String(), Type.Object(answering), { description: 'By the name of the model.' }),
})
