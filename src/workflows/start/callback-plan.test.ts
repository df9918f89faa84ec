import { expect, test } from 'vitest'
import { planCallback, progressEveryMs } from './callback-plan.ts'

const url = 'https://example.com/hook'
const input = (callbacks: object, options: object = {}) => ({ callbacks: { ...callbacks }, options })

test('a callback hears of everything unless somebody says no', () => {
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

test('progress comes by the clock when an interval is given', () => {
  const every = (interval: unknown, more: object = {}) =>
    progressEveryMs(input({ webhook_url: url, progress_interval: interval, ...more }))
  expect([every(30), every('30s'), every('5m'), every('2h')]).toEqual([30_000, 30_000, 300_000, 7_200_000])
  expect([every(undefined), every('often'), every(30, { progress_callbacks: false })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(progressEveryMs(input({ progress_interval: 30 }))).toBeUndefined()
})
