import { expect, test } from 'vitest'
import {
  describeBrowser,
  describePercent,
  describeVersion,
  sharesOf,
  writeFirstEvent,
} from './InterfaceUsagePage.tsx'

test('the command names this platform, and its body is JSON once the shell has written the time', () => {
  const command = writeFirstEvent('https://tutti.example')
  expect(command).toContain('curl -X POST https://tutti.example/llm-ui/analytics')
  const body = /<<JSON\n([^]*)\nJSON$/.exec(command)?.[1]?.replace(/\$\(.*\)/, '2026-11-15T09:30:00Z')
  expect(JSON.parse(body ?? '')).toMatchObject({ event: 'opened', timestamp: '2026-11-15T09:30:00Z' })
})

test('counts get their share of everything', () => {
  expect(sharesOf([{ name: 'click', count: 3 }], 12)).toEqual([{ name: 'click', count: 3, share: 0.25 }])
  expect(sharesOf([{ name: 'click', count: 0 }], 0)).toEqual([{ name: 'click', count: 0, share: 0 }])
})

test('a share that is there is never told as nothing', () => {
  expect([0, 0.001, 0.254, 1].map(describePercent)).toEqual(['0 %', '< 1 %', '25 %', '100 %'])
})

test.each([
  [{ theme: 'aurora', version: '2.1.0' }, 'aurora 2.1.0'],
  [{ theme: 'aurora', version: 'unknown' }, 'aurora'],
  [{ theme: 'unknown', version: '2.1.0' }, '2.1.0'],
  [{ theme: 'unknown', version: 'unknown' }, 'Unknown'],
])('a theme and its version are one name: %o', (told, name) => {
  expect(describeVersion(told)).toBe(name)
})

test('browsers are told by the names people know', () => {
  expect(['firefox', 'bot', 'toString'].map(describeBrowser)).toEqual([
    'Firefox',
    'Bots and scripts',
    'ToString',
  ])
})
