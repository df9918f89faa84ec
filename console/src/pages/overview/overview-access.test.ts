import { expect, test } from 'vitest'
import { accessOf } from './overview-access.ts'

const none = { runs: false, lists: false, manages: false, measures: false, administers: false }

test.each([
  [[], {}],
  [['view workflow analytics'], { measures: true }],
  [['run workflows'], { runs: true, lists: true, measures: true }],
  [['manage workflows'], { lists: true, manages: true, measures: true }],
  [['administer llm'], { administers: true }],
])('an account with the permissions %j sees %j', (permissions, seen) => {
  expect(accessOf({ id: 'a1', permissions })).toEqual({ account: 'a1', ...none, ...seen })
})
