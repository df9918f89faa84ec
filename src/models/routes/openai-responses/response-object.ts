import type { ResponseMetadata } from '../../gateway/contract.ts'
import type { FinishReason, TokenUsage } from '../../providers/provider.ts'
import type { Item } from '../../stored-responses/stored-responses.ts'
import type { ResponsesRequestBody } from './request.ts'

/** A response object, as it is sent and stored. */
export type ResponseObject = Readonly<Record<string, unknown>> & { readonly output: readonly Item[] }

/** The fields of a response that this platform decides, whichever provider generated it. */
export function ownFields(body: ResponsesRequestBody, callId: string, isStored: boolean) {
  const { metadata = {}, previous_response_id: previous = null, safety_identifier: endUser, user } = body
  return {
    id: `resp_${callId}`,
    previous_response_id: previous,
    store: isStored,
    metadata,
    ...(user !== undefined && { user }),
    ...(endUser !== undefined && { safety_identifier: endUser }),
  }
}

/** A response that has just started. */
export function startedResponse(
  body: ResponsesRequestBody,
  { callId, model }: ResponseMetadata,
  isStored: boolean,
): ResponseObject {
  const { reasoning = {}, text = {} } = body
  return {
    object: 'response',
    created_at: nowInSeconds(),
    status: 'in_progress',
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    service_tier: 'default',
    temperature: body.temperature ?? 1,
    text: { format: text.format ?? { type: 'text' }, verbosity: text.verbosity ?? 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    ...ownFields(body, callId, isStored),
  }
}

/** The reason of an incomplete response; undefined for a complete one. */
const incompleteReasons: Readonly<Record<FinishReason, string | undefined>> = {
  stop: undefined,
  tool_calls: undefined,
  other: undefined,
  length: 'max_output_tokens',
  content_filter: 'content_filter',
}

/** Whether a response with this end is complete. */
export function isComplete(finish: FinishReason): boolean {
  return incompleteReasons[finish] === undefined
}

export function endedResponse(
  started: ResponseObject,
  output: readonly Item[],
  { finish, usage }: { readonly finish: FinishReason; readonly usage: TokenUsage },
): ResponseObject {
  const reason = incompleteReasons[finish]
  return {
    ...started,
    status: reason === undefined ? 'completed' : 'incomplete',
    completed_at: reason === undefined ? nowInSeconds() : null,
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: usageOf(usage),
  }
}

/** Null when the provider reported no usage. */
function usageOf({ inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens }: TokenUsage) {
  if (inputTokens === null || outputTokens === null) return null
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedInputTokens ?? 0,
      cache_write_tokens: cacheWriteTokens ?? 0,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
