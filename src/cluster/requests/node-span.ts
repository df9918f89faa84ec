import type { Tracing } from '#kernel/telemetry'
import type { TokenCounts } from './token-counts.ts'
import type { RouteRequest } from './wire/node-route.ts'

/** The headers of a trace, as they arrived. */
export interface TraceHeaders {
  readonly traceparent: string | readonly string[] | undefined
  readonly tracestate: string | readonly string[] | undefined
}

/** The span of one request to one node. */
export interface NodeSpan {
  /** The request with the headers that let the node continue the trace. */
  readonly request: RouteRequest
  onTokens(counts: TokenCounts | undefined): void
  /** Ends the span, with the type of the error if there was one. */
  end(error: string | undefined): void
}

interface TracedWork extends RouteRequest {
  readonly requirements: { readonly model: string }
  readonly isFromGateway: boolean
  readonly trace?: TraceHeaders | undefined
}

/** The operations of the paths, with the names of the OpenTelemetry conventions for generative AI. */
const operations: Readonly<Record<string, string>> = {
  '/api/chat': 'chat',
  '/api/generate': 'text_completion',
  '/api/embed': 'embeddings',
  '/api/embeddings': 'embeddings',
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'text_completion',
  '/v1/embeddings': 'embeddings',
  '/v1/messages': 'chat',
  '/v1/responses': 'chat',
}

/** Starts the span of a request to a node; undefined without tracing. */
export function startNodeSpan(tracing: Tracing, work: TracedWork, nodeUrl: string): NodeSpan | undefined {
  if (!tracing.enabled) return undefined
  const { requirements, trace, isFromGateway } = work
  const path = work.path.replace(/\?.*$/, '')
  const operation = operations[path]
  const { hostname, port, protocol } = new URL(nodeUrl)
  const span = tracing.start(
    operation === undefined ? `POST ${path}` : `${operation} ${requirements.model}`,
    {
      kind: 'client',
      parentHeaders: { ...trace },
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': 'ollama',
        'gen_ai.request.model': requirements.model,
        'server.address': hostname,
        'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
        'url.path': path,
      },
    },
  )
  return {
    request: { path: work.path, headers: withTrace(work.headers, span.headers), body: work.body },
    onTokens(counts) {
      // The span of the gateway has the tokens of its calls: a sum over all spans counts them once.
      if (counts === undefined || isFromGateway) return
      span.setAttributes({
        'gen_ai.usage.input_tokens': counts.prompt,
        'gen_ai.usage.output_tokens': counts.completion,
      })
    },
    end(error) {
      if (error !== undefined) {
        span.setAttributes({ 'error.type': error })
        span.fail(error)
      }
      span.end()
    },
  }
}

/** The headers, as alternating names and values, with those of the trace replaced. */
function withTrace(headers: readonly string[], trace: Readonly<Record<string, string>>): readonly string[] {
  const kept: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const isReplaced = name.length <= 11 && /^trace(?:parent|state)$/i.test(name)
    if (!isReplaced) kept.push(name, headers[index + 1] ?? '')
  }
  for (const [name, value] of Object.entries(trace)) kept.push(name, value)
  return kept
}
