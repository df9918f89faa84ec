import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { readNotifyTargets, statusSettings } from './settings.ts'

test('addresses and channels are told apart, and each is told once', () => {
  expect(readNotifyTargets(['ops@example.com', '#ops', 'ops@example.com'])).toEqual([
    { kind: 'mail', to: 'ops@example.com' },
    { kind: 'slack', channel: '#ops' },
  ])
  expect(readNotifyTargets([])).toEqual([])
})

test.each(['ops', '#', '# ops', '@ops', 'a@b@c', 'Ops <ops@example.com>', 'a b@example.com'])(
  '%j is neither',
  (entry) => {
    expect(() => readNotifyTargets([entry])).toThrow(`has "${entry}", which is neither an address`)
  },
)

test('a mistake in the environment is told with the name of the variable', () => {
  expect(() => readSettings(statusSettings, { TUTTI_STATUS_NOTIFY: 'ops@example.com, ops' })).toThrow(
    'TUTTI_STATUS_NOTIFY has "ops", which is neither an address such as ops@example.com nor a channel such as #ops',
  )
  expect(readSettings(statusSettings, {}).notify).toEqual([])
})
