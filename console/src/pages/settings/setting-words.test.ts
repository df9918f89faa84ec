import { expect, test } from 'vitest'
import { changesOf, describeSetting, describeSource, shownText } from './setting-words.ts'
import type { Setting } from './settings-query.ts'

const setting: Setting = {
  name: 'TUTTI_TOUR_VISITOR_LIMIT',
  section: 'tours',
  label: 'Visitor requests per minute',
  about: 'Requests per minute from one `IP` address',
  kind: 'integer',
  choices: null,
  bounds: { min: '1', max: '100' },
  secret: false,
  value: null,
  is_set: false,
  hint: null,
  default: '20',
  source: 'default',
  has_stored_value: false,
  problem: null,
  updated_at: null,
  updated_by: null,
}
const flag: Setting = { ...setting, name: 'FLAG', kind: 'true or false', bounds: null, default: 'false' }
const secret: Setting = {
  ...setting,
  name: 'SECRET',
  kind: 'address',
  bounds: null,
  secret: true,
  default: null,
}

test('only changed fields are sent, and an emptied one returns to its default', () => {
  const stored: Setting = { ...setting, value: '30', source: 'stored' }
  expect(changesOf({}, [stored, flag])).toEqual({})
  expect(changesOf({ TUTTI_TOUR_VISITOR_LIMIT: ' 30 ', FLAG: 'false' }, [stored, flag])).toEqual({})
  expect(changesOf({ TUTTI_TOUR_VISITOR_LIMIT: '', FLAG: 'true' }, [stored, flag])).toEqual({
    TUTTI_TOUR_VISITOR_LIMIT: null,
    FLAG: 'true',
  })
  expect(changesOf({ SECRET: '' }, [secret])).toEqual({})
})

test('a field shows its value, a secret never', () => {
  expect([shownText(setting), shownText(flag), shownText({ ...secret, value: 'x' })]).toEqual([
    '',
    'false',
    '',
  ])
})

test('the description names format, bounds and default, the source its variable', () => {
  expect(describeSetting(setting)).toBe(
    'Requests per minute from one IP address. From 1 to 100. Default: 20.',
  )
  expect(describeSource({ ...setting, source: 'environment' })).toBe('Set by TUTTI_TOUR_VISITOR_LIMIT')
  expect(describeSource({ ...secret, source: 'stored', is_set: true, hint: 'mail.example' })).toBe(
    'Set here (mail.example)',
  )
  expect([describeSource(setting), describeSource(secret)]).toEqual(['Default', 'Not set'])
})
