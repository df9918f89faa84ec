import { expect, test } from 'vitest'
import {
  describeBrowser,
  describePercent,
  describeVersion,
  sharesOf,
  writeFirstEvent,
} from './InterfaceUsagePage.tsx'

test('the command has the URL of this platform, and its body is JSON after the shell has inserted the time', () => {
  const command = writeFirstEvent('https://tutti.example')
  expect(command).toContain('curl -X POST https://tutti.example/llm-ui/analytics')
  const body = /<<JSON\n([^]*)\nJSON$/.exec(command)?.[1]?.replace(/\$\(.*\)/, '2026-11-15T09:30:00Z')
  expect(JSON.parse(body ?? '')).toMatchObject({ event: 'opened', timestamp: '2026-11-15T09:30:00Z' })
})

test('computes the share of each count in the total', () => {
  expect(sharesOf([{ name: 'click', count: 3 }], 12)).toEqual([{ name: 'click', count: 3, share: 0.25 }])
  expect(sharesOf([{ name: 'click', count: 0 }], 0)).toEqual([{ name: 'click', count: 0, share: 0 }])
})

test('a small share is never shown as 0 %', () => {
  expect([0, 0.001, 0.254, 1].map(describePercent)).toEqual(['0 %', '< 1 %', '25 %', '100 %'])
})

test.each([
  [{ theme: 'aurora', version: '2.1.0' }, 'aurora 2.1.0'],
  [{ theme: 'aurora', version: 'unknown' }, 'aurora'],
  [{ theme: 'unknown', version: '2.1.0' }, '2.1.0'],
  [{ theme: 'unknown', version: 'unknown' }, 'Unknown'],
])('combines a theme and its version into one name: %o', (told, name) => {
  expect(describeVersion(told)).toBe(name)
})

test('browsers are shown by their product names', () => {
  expect(['firefox', 'bot', 'toString'].map(describeBrowser)).toEqual([
    'Firefox',
    'Bots and scripts',
    'ToString',
  ])
})
