import { expect, test } from 'vitest'
import { describeIncidentState, describeServices, fromLocalField, toLocalField } from './incident-words.ts'

test('a local time field keeps its moment to the minute', () => {
  const at = new Date('2026-11-15T09:30:42Z')
  expect(fromLocalField(toLocalField(at))).toBe('2026-11-15T09:30:00.000Z')
})

test('an empty or incomplete local time is undefined', () => {
  expect([fromLocalField(''), fromLocalField('2026-13-')]).toEqual([undefined, undefined])
})

test('services are shown by their display names, and an unknown one by its own name', () => {
  expect(describeServices(['vector_db', 'teleport'])).toBe('Vector database, teleport')
  expect(describeServices([])).toBe('No specific service')
})

test('a state unknown to this console is shown by its name', () => {
  expect(describeIncidentState('paused')).toEqual({ tone: 'idle', word: 'paused' })
})
