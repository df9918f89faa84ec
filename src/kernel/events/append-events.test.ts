import { describe, expect, test } from 'vitest'
import { maxDataBytes, serialiseEvent } from './append-events.ts'

const dataOf = (text: string): unknown => JSON.parse(text).data

describe('serialising an event', () => {
  test('writes absent parts as null and absent data as an empty object', () => {
    expect(JSON.parse(serialiseEvent({ type: 'thing.done' }))).toEqual({
      type: 'thing.done',
      subject: null,
      account: null,
      data: {},
    })
  })

  test.each(['', 'Thing', 'thing.', '.done', 'thing done', 'thing..done', '1thing', `a${'b'.repeat(100)}`])(
    'refuses the type %j',
    (type) => {
      expect(() => serialiseEvent({ type })).toThrow(expect.objectContaining({ code: 'invalid_event' }))
    },
  )

  test.each(['', 'a\0b', 'a\nb', 'a\ud800', 'x'.repeat(201)])('refuses the subject %j', (subject) => {
    expect(() => serialiseEvent({ type: 'thing', subject })).toThrow(
      expect.objectContaining({ code: 'invalid_event' }),
    )
  })

  test('replaces characters that the database cannot store, in values and in keys', () => {
    const data = {
      text: 'a\0b',
      half: ['\ud83d'],
      'k\0': { deep: '\udc00!' },
      literal: '\\u0000',
      whole: '😀',
    }
    expect(dataOf(serialiseEvent({ type: 'thing', data }))).toEqual({
      text: 'a�b',
      half: ['�'],
      'k�': { deep: '�!' },
      literal: '\\u0000',
      whole: '😀',
    })
  })

  test('limits data by bytes and reports the limit', () => {
    const fits = { text: 'x'.repeat(maxDataBytes - '{"text":""}'.length) }
    expect(dataOf(serialiseEvent({ type: 'thing', data: fits }))).toEqual(fits)
    expect(() => serialiseEvent({ type: 'thing', data: { text: 'é'.repeat(maxDataBytes / 2) } })).toThrow(
      expect.objectContaining({ code: 'event_too_large', details: { size: 262_155, limit: 262_144 } }),
    )
  })

  test('refuses data that cannot be serialised', () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    for (const data of [circular, { big: 1n }]) {
      expect(() => serialiseEvent({ type: 'thing', data })).toThrow(
        expect.objectContaining({ code: 'invalid_event' }),
      )
    }
  })
})
