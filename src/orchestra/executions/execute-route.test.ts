import { expect, test } from 'vitest'
import { planCallback, readExecuteWorkflow } from './execute-route.ts'

test('a minimal request is synchronous with normal priority', () => {
  expect(readExecuteWorkflow({ workflow_id: 'x' })).toEqual({
    flowId: 'x',
    flowVersion: undefined,
    priority: 'normal',
    input: { context: {}, options: {}, memory: {} },
    waits: true,
    webhookField: undefined,
  })
})

test('options and callbacks are mapped to the engine', () => {
  const { input, waits, webhookField } = readExecuteWorkflow({
    workflow_id: 'x',
    options: {
      async: true,
      timeout: 30,
      retry_attempts: 2,
      callback_url: 'https://example.com/',
      notification_email: 'me@example.com',
      monitoring: { enable_detailed_logging: true, send_progress_updates: true },
    },
  })
  expect([waits, webhookField]).toEqual([false, 'options.callback_url'])
  expect(input.options).toEqual({
    max_execution_time: 30,
    error_handling: { retry_attempts: 2 },
    monitoring: { enable_detailed_logging: true, send_progress_updates: true },
  })
  expect(input.callbacks).toEqual({
    webhook_url: 'https://example.com/',
    progress_callbacks: true,
    notification_email: 'me@example.com',
  })
  expect(planCallback(input)?.events).toEqual(['workflow.progress', 'workflow.completed', 'workflow.failed'])
})

test('there is no callback without a URL, and no progress unless requested', () => {
  const mail = readExecuteWorkflow({ workflow_id: 'x', options: { notification_email: 'me@example.com' } })
  expect(planCallback(mail.input)).toBeUndefined()
  const options = { callback_url: 'https://example.com/' }
  expect(planCallback(readExecuteWorkflow({ workflow_id: 'x', options }).input)).toEqual({
    url: 'https://example.com/',
    events: ['workflow.completed', 'workflow.failed'],
  })
})
