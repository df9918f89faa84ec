import { expect, test } from 'vitest'
import { roleNameOf } from './RoleDrawer.tsx'

test.each([
  ['Night shift', 'night_shift'],
  ['  Équipe #2 ', 'equipe_2'],
  ['2nd line', 'nd_line'],
  ['武満', ''],
  ['x'.repeat(80), 'x'.repeat(64)],
])('the label %j gives the name %j', (label, name) => {
  expect(roleNameOf(label)).toBe(name)
})
