import { expect, test } from 'vitest'
import { hasNotifications, notificationPreferencesOf, reportsFailure } from './notification-preferences.ts'

const preferences = (callbacks: Readonly<Record<string, unknown>>) => notificationPreferencesOf({ callbacks })

test('every address is told once, and true means the one that is there', () => {
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

const wants = (callbacks: Readonly<Record<string, unknown>>, mail: boolean, slack: boolean) =>
  hasNotifications({ callbacks }, { mail, slack })

test('nothing is wanted by a way that is not open', () => {
  expect([
    wants({ notification_email: 'a@b.c' }, true, false),
    wants({ notification_email: 'a@b.c' }, false, true),
  ]).toEqual([true, false])
  expect([wants({ slack_channel: '#x' }, true, false), wants({ slack_channel: '#x' }, false, true)]).toEqual([
    false,
    true,
  ])
  expect([
    wants({ email_on_completion: true }, true, true),
    wants({ email_on_completion: false }, true, true),
  ]).toEqual([true, false])
})

const tells = (said: boolean | undefined, flow: boolean | undefined) =>
  reportsFailure(
    { options: said === undefined ? {} : { error_handling: { notification_on_failure: said } } },
    flow,
  )

test('whether a failure is told says the caller, else the flow, else it is', () => {
  expect([
    tells(undefined, undefined),
    tells(undefined, false),
    tells(true, false),
    tells(false, true),
  ]).toEqual([true, false, true, false])
})
