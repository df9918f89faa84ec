import { expect, test } from 'vitest'
import {
  describeFrequency,
  describeTargeting,
  fromLocalField,
  readCondition,
  toLocalField,
  writeCondition,
} from './targeting-words.ts'

test.each([
  ['role = editor, admin', { attribute: 'role', operator: 'is', values: ['editor', 'admin'] }],
  ['Plan!=free', { attribute: 'plan', operator: 'is_not', values: ['free'] }],
])('the condition %s is read', (line, expected) => {
  const condition = readCondition(line)
  expect(condition).toEqual(expected)
  expect(readCondition(writeCondition(condition))).toEqual(expected)
})

test.each(['role', 'role =', 'role = ,', '= admin', '1role = x'])('%s has no values', (line) => {
  expect(readCondition(line).values).toEqual([])
})

test('targeting is described with correct plurals', () => {
  expect(describeFrequency('days', 1)).toBe('once a day')
  expect(describeFrequency('days', 7)).toBe('once every 7 days')
  expect(
    describeTargeting({
      conditions: [
        { attribute: 'role', operator: 'is', values: ['editor'] },
        { attribute: 'plan', operator: 'is_not', values: ['free', 'trial'] },
        { attribute: 'beta', operator: 'is_not', values: ['true'] },
      ],
      starts_at: null,
      ends_at: null,
      frequency: 'always',
      days: null,
    }),
  ).toEqual(['role is editor', 'plan is none of free, trial', 'beta is not true', 'at each visit'])
})

test('times survive the field of the browser', () => {
  const moment = '2031-05-20T09:30:00.000Z'
  expect(fromLocalField(toLocalField(moment))).toBe(moment)
  expect(fromLocalField('')).toBeNull()
  expect(toLocalField(null)).toBe('')
})
