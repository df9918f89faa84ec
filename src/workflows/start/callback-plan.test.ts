import { expect, test } from 'vitest'
import { planCallback } from './callback-plan.ts'

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

test('whether a failure is told says the caller, else the flow', () => {
  expect([
    tells(undefined, undefined),
    tells(undefined, false),
    tells(true, false),
    tells(false, true),
  ]).toEqual([true, false, true, false])
})
