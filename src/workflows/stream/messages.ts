import type { AgentDecision, ExecutionEvent, FollowedEvent } from '#engine'
import type { StreamMessage } from '#kernel/http'
import { costIn, epochSeconds, roundedShare } from '#runs'

const ends: ReadonlySet<string> = new Set(['execution_completed', 'execution_failed', 'execution_cancelled'])

/**
 * What happens in an execution as messages of a stream. Numbered events carry their number, so that whoever reconnects misses and
 * repeats nothing; pieces of text carry none, and neither do the gaps that stand for pieces that were left out.
 *
 * However an execution ended, the last message is `execution_completed`, and its `status` says how: a reader has one thing to wait
 * for. An end that was not the last, because it was recovered, is told by its own name.
 */
export async function* toMessages(
  executionId: string,
  happening: AsyncIterable<FollowedEvent>,
): AsyncGenerator<StreamMessage> {
  let end: ExecutionEvent | undefined
  for await (const event of happening) {
    // Text may come late, and still comes before the end.
    if (!isNumbered(event)) {
      const { type, stepId, item, ...rest } = event
      yield { event: type, data: { execution_id: executionId, step_id: stepId, item, ...rest } }
      continue
    }
    if (end !== undefined) yield tell(executionId, end, 'execution_ended')
    end = ends.has(event.type) ? event : undefined
    if (end === undefined) yield tell(executionId, event, event.type)
  }
  if (end !== undefined) yield tell(executionId, end, 'execution_completed')
}

function isNumbered(event: FollowedEvent): event is ExecutionEvent {
  return 'seq' in event
}

function tell(executionId: string, { seq, at, type, data }: ExecutionEvent, name: string): StreamMessage {
  const told =
    type === 'agent_decision' ? describeDecision(data) : { ...data, ...('cost' in data && costIn(data)) }
  return { id: seq, event: name, data: { execution_id: executionId, ...told, timestamp: epochSeconds(at) } }
}

function describeDecision(data: ExecutionEvent['data']) {
  const decision = data as unknown as AgentDecision & { readonly step_id: string; readonly item?: number }
  return {
    step_id: decision.step_id,
    ...(decision.item !== undefined && { item: decision.item }),
    agent: decision.agent,
    decision: decision.decision,
    confidence: roundedShare(decision.confidence),
    reasoning: decision.reasoning,
    context_used: decision.contextUsed,
    alternative_paths_considered: decision.alternatives,
    workflow_modifications: { steps_added: decision.stepsAdded },
  }
}
