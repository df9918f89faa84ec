import { expect, test } from 'vitest'
import { hasNotifications, notificationPreferencesOf, progressIntervalMs, reportsFailure } from './start.ts'

const preferences = (callbacks: Readonly<Record<string, unknown>>) => notificationPreferencesOf({ callbacks })

test('every address is notified once, and true means the given address', () => {
  expect(preferences({ notification_email: 'a@b.c', email_on_completion: 'A@b.c' }).addresses).toEqual([
    'A@b.c',
  ])
  expect(preferences({ notification_email: 'a@b.c', email_on_completion: 'd@b.c' }).addresses).toEqual([
    'a@b.c',
    'd@b.c',
  ])
  expect(preferences({ notification_email: 'a@b.c', email_on_completion: true })).toEqual({
    addresses: ['a@b.c'],
    toAccount: false,
    slackChannel: undefined,
  })
  expect(preferences({ email_on_completion: true, slack_channel: '#ops' })).toEqual({
    addresses: [],
    toAccount: true,
    slackChannel: '#ops',
  })
  expect(notificationPreferencesOf({})).toEqual({ addresses: [], toAccount: false, slackChannel: undefined })
})

const notifies = (callbacks: Readonly<Record<string, unknown>>, mail: boolean, slack: boolean) =>
  hasNotifications({ callbacks }, { mail, slack })

test('a channel that is not configured sends no notification', () => {
  expect([
    notifies({ notification_email: 'a@b.c' }, true, false),
    notifies({ notification_email: 'a@b.c' }, false, true),
  ]).toEqual([true, false])
  expect([
    notifies({ slack_channel: '#x' }, true, false),
    notifies({ slack_channel: '#x' }, false, true),
  ]).toEqual([false, true])
  expect([
    notifies({ email_on_completion: true }, true, true),
    notifies({ email_on_completion: false }, true, true),
  ]).toEqual([true, false])
})

const reports = (said: boolean | undefined, flow: boolean | undefined) =>
  reportsFailure(
    { options: said === undefined ? {} : { error_handling: { notification_on_failure: said } } },
    flow,
  )

test('the request decides whether failures are reported, else the flow, else they are', () => {
  expect([
    reports(undefined, undefined),
    reports(undefined, false),
    reports(true, false),
    reports(false, true),
  ]).toEqual([true, false, true, false])
})

const url = 'https://example.com/hook'
const input = (callbacks: object) => ({ callbacks: { ...callbacks }, options: {} })

test('progress events follow the given interval', () => {
  const every = (interval: unknown, more: object = {}) =>
    progressIntervalMs(input({ webhook_url: url, progress_interval: interval, ...more }))
  expect([every(30), every('30s'), every('5m'), every('2h')]).toEqual([30_000, 30_000, 300_000, 7_200_000])
  expect([every(undefined), every('often'), every(30, { progress_callbacks: false })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(progressIntervalMs(input({ progress_interval: 30 }))).toBeUndefined()
})
