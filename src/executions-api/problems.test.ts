import { expect, test } from 'vitest'
import { describeWarnings, type Reach } from './problems.ts'

const closed: Reach = { mail: false, slack: false }
const open: Reach = { mail: true, slack: true }

function typesOf(callbacks: object, reach: Reach, options: object = {}): string[] {
  const input = { context: {}, memory: {}, options, callbacks: { ...callbacks } }
  return describeWarnings(
    { events: [], parked: null, gated: null, scheduleId: null, forkedFrom: null, rerunOf: null, input },
    reach,
  ).map(({ type, message }) => `${type}: ${message}`)
}

const people = { notification_email: 'a@b.c', email_on_completion: true, slack_channel: '#ops' }

test('notifications over channels that are not configured are reported at the start', () => {
  expect(typesOf(people, closed)).toEqual([
    'mail_not_configured: notification_email, email_on_completion: this server sends no e-mail.',
    'slack_not_configured: slack_channel: Slack is not configured on this server.',
  ])
  expect(typesOf(people, { mail: true, slack: false })).toEqual([
    'slack_not_configured: slack_channel: Slack is not configured on this server.',
  ])
  expect([typesOf(people, open), typesOf({ email_on_completion: false }, closed)]).toEqual([[], []])
})

test('a mail notification for an account without an address is a problem', () => {
  expect(typesOf({ email_on_completion: true }, { ...open, hasAddress: false })).toEqual([
    'mail_without_address: email_on_completion: the account has no e-mail address. Give one instead of true.',
  ])
  expect(typesOf({ email_on_completion: true }, { ...open, hasAddress: true })).toEqual([])
})

test('a failure notification by mail needs no webhook', () => {
  const options = { error_handling: { notification_on_failure: true } }
  expect(typesOf({ notification_email: 'a@b.c' }, open, options)).toEqual([])
  expect(typesOf({ notification_email: 'a@b.c' }, closed, options)).toEqual([
    'callbacks_not_delivered: notification_on_failure: there is no webhook_url to send it to.',
    'mail_not_configured: notification_email: this server sends no e-mail.',
  ])
})
