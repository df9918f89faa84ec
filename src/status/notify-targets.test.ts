import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { readNotifyTargets, statusSettings } from './settings.ts'

test('mail addresses and Slack channels are distinguished, duplicates removed', () => {
  expect(readNotifyTargets(['ops@example.com', '#ops', 'ops@example.com'])).toEqual([
    { kind: 'mail', to: 'ops@example.com' },
    { kind: 'slack', channel: '#ops' },
  ])
  expect(readNotifyTargets([])).toEqual([])
})

test.each(['ops', '#', '# ops', '@ops', 'a@b@c', 'Ops <ops@example.com>', 'a b@example.com'])(
  '%j is rejected',
  (entry) => {
    expect(() => readNotifyTargets([entry])).toThrow(`has "${entry}", which is neither a mail address`)
  },
)

test('an invalid setting is reported with the name of its variable', () => {
  expect(() => readSettings(statusSettings, { TUTTI_STATUS_NOTIFY: 'ops@example.com, ops' })).toThrow(
    'TUTTI_STATUS_NOTIFY has "ops", which is neither a mail address such as ops@example.com nor a Slack channel such as #ops',
  )
  expect(readSettings(statusSettings, {}).notify).toEqual([])
})
