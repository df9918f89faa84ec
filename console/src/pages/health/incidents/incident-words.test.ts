import { expect, test } from 'vitest'
import { describeIncidentState, describeServices, fromLocalField, toLocalField } from './incident-words.ts'

test('a field for local time tells the same moment that it was given, to the minute', () => {
  const at = new Date('2026-11-15T09:30:42Z')
  expect(fromLocalField(toLocalField(at))).toBe('2026-11-15T09:30:00.000Z')
})

test('an empty field, or half a moment, tells none', () => {
  expect([fromLocalField(''), fromLocalField('2026-13-')]).toEqual([undefined, undefined])
})

test('services are told by the names people know, and one that is new by its own', () => {
  expect(describeServices(['vector_db', 'teleport'])).toBe('Vector database, teleport')
  expect(describeServices([])).toBe('No specific service')
})

test('a state that came with a later release is told by its name', () => {
  expect(describeIncidentState('paused')).toEqual({ tone: 'idle', word: 'paused' })
})
