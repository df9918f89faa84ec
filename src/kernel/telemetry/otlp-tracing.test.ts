import { describe, expect, test } from 'vitest'
import { readTraceContext, writeTraceContext } from './otlp-tracing.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('trace context', () => {
  test('is read and written back unchanged', () => {
    const headers = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'vendor=abc,other=1' }
    const context = readTraceContext(headers)
    expect(context).toMatchObject({ traceId, spanId, traceFlags: 1, isRemote: true })
    expect(context && writeTraceContext(context)).toEqual(headers)
  })

  test('of a later version is read by its known parts', () => {
    expect(readTraceContext({ traceparent: `01-${traceId}-${spanId}-03-more` })).toMatchObject({
      traceFlags: 1,
    })
  })

  test.each([
    '',
    'nonsense',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-zz`,
  ])('%j is ignored', (traceparent) => {
    expect(readTraceContext({ traceparent })).toBeUndefined()
  })

  test('sent twice is ignored', () => {
    expect(readTraceContext({ traceparent: [`00-${traceId}-${spanId}-01`, 'x'] })).toBeUndefined()
  })
})
