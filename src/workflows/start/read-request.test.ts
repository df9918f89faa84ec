import { expect, test } from 'vitest'
import { planCallback, readExecuteFlow } from './read-request.ts'

const now = new Date('2026-11-15T12:00:00Z')

test('a request without options is synchronous and has normal priority', () => {
  expect(readExecuteFlow({ flow_id: 'x' }, now)).toEqual({
    flowId: 'x',
    flowVersion: undefined,
    priority: 'normal',
    input: { context: {}, options: {}, memory: {} },
    waits: true,
  })
})

test('the context is kept unchanged and can set the priority', () => {
  const context = {
    content: 'A text.',
    user_context: { role: 'editor', permissions: ['administer users'] },
    processing_options: { priority: 'urgent', target_audience: 'children', seo_requirements: true },
    own: { anything: [1] },
  } as const
  const { priority, input } = readExecuteFlow(
    { flow_id: 'x', context: { ...context, user_context: { role: 'editor' } } },
    now,
  )
  expect([priority, input.context]).toEqual(['urgent', { ...context, user_context: { role: 'editor' } }])
  const chosen = readExecuteFlow(
    { flow_id: 'x', context: { processing_options: { priority: 'urgent' } }, options: { priority: 'low' } },
    now,
  )
  expect(chosen.priority).toBe('low')
})

test('callbacks are separated from the execution options', () => {
  const { input } = readExecuteFlow(
    {
      flow_id: 'x',
      options: {
        execution_mode: 'asynchronous',
        ai_options: { cost_limit: 1 },
        callback_config: { webhook_url: 'https://example.com/', progress_callbacks: true },
      },
    },
    now,
  )
  expect(input.options).toEqual({ ai_options: { cost_limit: 1 } })
  expect(input.callbacks).toEqual({ webhook_url: 'https://example.com/', progress_callbacks: true })
})

test('batch rules are separated from the context', () => {
  const { input } = readExecuteFlow(
    {
      flow_id: 'x',
      context: {
        content_batch: ['a', 'b'],
        processing_rules: { batch_size: 5, parallel_processing: false, quality_threshold: 70 },
        metadata: { language: 'de' },
      },
      options: { ai_options: { cost_limit: 2 } },
    },
    now,
  )
  expect(input).toEqual({
    context: { metadata: { language: 'de' } },
    options: { ai_options: { cost_limit: 2, quality_threshold: 70 } },
    memory: {},
    batch: { items: ['a', 'b'], size: 5, parallel: false },
  })
})

test('a batch runs ten items concurrently by default', () => {
  const { input } = readExecuteFlow({ flow_id: 'x', context: { content_batch: ['a'] } }, now)
  expect(input.batch).toEqual({ items: ['a'], size: 10, parallel: true })
})

test('item rules without a batch are refused', () => {
  const context = { processing_rules: { batch_size: 5, quality_threshold: 70 } }
  expect(() => readExecuteFlow({ flow_id: 'x', context }, now)).toThrow(
    'context.processing_rules.batch_size has no effect without content_batch.',
  )
  const { input } = readExecuteFlow(
    { flow_id: 'x', context: { processing_rules: { quality_threshold: 70 } } },
    now,
  )
  expect(input).toEqual({ context: {}, options: { ai_options: { quality_threshold: 70 } }, memory: {} })
})

test('a past deadline is refused', () => {
  const context = { metadata: { deadline: '2026-11-15T11:59:59Z' } }
  expect(() => readExecuteFlow({ flow_id: 'x', context }, now)).toThrow(
    'context.metadata.deadline is over already.',
  )
  expect(() => readExecuteFlow({ flow_id: 'x', context }, now)).toThrow('is over already')
})

const url = 'https://example.com/hook'
const input = (callbacks: object, options: object = {}) => ({ callbacks: { ...callbacks }, options })

test('a callback receives all events unless the request disables them', () => {
  expect(planCallback(input({}), undefined)).toBeUndefined()
  expect(planCallback(input({ webhook_url: url }), undefined)).toEqual({
    url,
    events: ['execution.started', 'execution.progress', 'execution.completed', 'execution.failed'],
  })
  const quiet = ['execution.started', 'execution.completed', 'execution.failed']
  expect(planCallback(input({ webhook_url: url, progress_callbacks: false }), undefined)?.events).toEqual(
    quiet,
  )
  const options = { monitoring: { send_progress_updates: false } }
  expect(planCallback(input({ webhook_url: url }, options), undefined)?.events).toEqual(quiet)
})

function tells(said: boolean | undefined, flow: boolean | undefined): boolean | undefined {
  const options = said === undefined ? {} : { error_handling: { notification_on_failure: said } }
  return planCallback(input({ webhook_url: url }, options), flow)?.events.includes('execution.failed')
}

test('the request, else the flow, decides whether a failure is reported', () => {
  expect([
    tells(undefined, undefined),
    tells(undefined, false),
    tells(true, false),
    tells(false, true),
  ]).toEqual([true, false, true, false])
})
