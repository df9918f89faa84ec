import type { ExecutionRecord } from '#engine'
import { units } from '#executions-api'
import type { EventMapper, EventMapperInput } from '../event-mapper.ts'

export const started: EventMapper = {
  name: 'flow.execution.started',
  of: ['execution_started'],
  estimates: true,
  describe: describeStart,
}

export function describeStart({ record, estimate }: EventMapperInput) {
  const { duration, cost } = estimate
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    initiated_by: record.accountId,
    estimated_duration: duration.value === null ? null : units.seconds(duration.value),
    estimated_cost: cost.value === null ? null : units.dollars(cost.value),
    priority: record.priority,
    context_summary: summarise(record.input),
  }
}

function summarise({ context, batch }: ExecutionRecord['input']) {
  const contents = batch?.items ?? ('content' in context ? [context['content']] : [])
  return {
    content_type: textAt(context['metadata'], 'content_type'),
    content_length:
      contents.length === 0 ? null : contents.reduce<number>((sum, it) => sum + lengthOf(it), 0),
    target_quality: textAt(context['processing_options'], 'quality_level'),
  }
}

/** Characters of the text, or of the JSON of another value. */
function lengthOf(content: unknown): number {
  return typeof content === 'string' ? content.length : (JSON.stringify(content) ?? '').length
}

function textAt(part: unknown, field: string): string | null {
  const value = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[field] : null
  return typeof value === 'string' ? value : null
}
