import { expect, test } from 'vitest'
import { bodyOfDraft, newDraft, timezonesWith } from './schedule-draft.ts'

const draft = { ...newDraft('Europe/Berlin'), flow: 'summary' }

test('sends the typed values, and a name only when there is one', () => {
  expect(bodyOfDraft({ ...draft, cron: ' 0 9 * * * ', label: '  ' }, '{"content": "A text."}')).toEqual({
    label: null,
    flow_id: 'summary',
    cron: '0 9 * * *',
    timezone: 'Europe/Berlin',
    context: { content: 'A text.' },
    overlap: 'skip',
  })
  expect(bodyOfDraft({ ...draft, label: ' Morning ' }, '{}').label).toBe('Morning')
})

test('rejects a context that is no JSON object', () => {
  expect(() => bodyOfDraft(draft, '[1]')).toThrow('not a JSON object')
})

test('lists UTC, all other time zones and the current one, each once', () => {
  const zones = timezonesWith('Nowhere/Land')
  expect(zones[0]).toBe('UTC')
  expect(zones).toContain('Europe/Berlin')
  expect(zones.at(-1)).toBe('Nowhere/Land')
  expect(timezonesWith('UTC').filter((zone) => zone === 'UTC')).toEqual(['UTC'])
})
