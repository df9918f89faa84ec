import { createTraceState, type SpanContext } from '@opentelemetry/api'
import type { SpanOptions } from './tracing.ts'

// version, trace id, span id, flags; later versions may add parts, version 00 may not.
const traceParent =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const longestTraceState = 512

/** Reads the W3C trace context of a request. Anything malformed counts as none. */
export function readTraceContext(
  headers: NonNullable<SpanOptions['parentHeaders']>,
): SpanContext | undefined {
  const parent = headers.traceparent
  const match = typeof parent === 'string' ? traceParent.exec(parent.trim()) : null
  if (match === null) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = match
  if (version === '00' && more !== undefined) return undefined
  const state = headers.tracestate
  const stateText = typeof state === 'string' ? state : (state?.join(',') ?? '')
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(stateText !== '' &&
      stateText.length <= longestTraceState && { traceState: createTraceState(stateText) }),
  }
}

/** Writes a trace context the way it travels in headers. */
export function writeTraceContext(context: SpanContext): Record<string, string> {
  const flags = context.traceFlags.toString(16).padStart(2, '0')
  const state = context.traceState?.serialize() ?? ''
  return {
    traceparent: `00-${context.traceId}-${context.spanId}-${flags}`,
    ...(state !== '' && { tracestate: state }),
  }
}
