import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { streamEventTypes } from '#outbox'
import { describeEvent, knownTypes } from '../../console/src/pages/events/event-words.ts'
import { auditedEventTypes, triggeringEventTypes } from '../../src/app/event-types.ts'

const root = new URL('../../', import.meta.url)

/** The first words of all event types. */
const namespaces = [...new Set(knownTypes.map((type) => type.split('.')[0]))]
/** As a value, a constant or a member of a union. */
const literal = new RegExp(
  `(?:\\btype: |\\bconst \\w+ = |^ +\\| )'((?:${namespaces.join('|')})\\.[a-z_]+)'`,
  'gm',
)
/** Types that are put together, in files that append events. */
const template = /\btype: `([a-z_]+\.[a-z_]*)\$\{/g

interface Written {
  readonly types: readonly string[]
  /** The beginnings of types that are put together. */
  readonly beginnings: readonly string[]
}

/** The event types in the sources of the platform. */
async function typesInSources(): Promise<Written> {
  const types = new Set<string>()
  const beginnings = new Set<string>()
  let files = 0
  for await (const file of glob('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
    const text = await readFile(new URL(file, root), 'utf8')
    if (!/\bappend(?:Within)?\(|NewEvent|EventTypes|\bcommit\(/.test(text)) continue
    files += 1
    for (const [, type = ''] of text.matchAll(literal)) types.add(type)
    for (const [, beginning = ''] of text.matchAll(template)) beginnings.add(beginning)
  }
  expect(files).toBeGreaterThan(30)
  return { types: [...types], beginnings: [...beginnings] }
}

/** A type that the Events page shows by its name alone. */
function lacksSentence(type: string): boolean {
  return !knownTypes.includes(type)
}

test('every event that the platform appends has a sentence on the Events page', async () => {
  const { types, beginnings } = await typesInSources()
  const all = new Set([...types, ...auditedEventTypes, ...triggeringEventTypes, ...streamEventTypes])
  expect(all.size).toBeGreaterThan(60)
  expect([...all].filter(lacksSentence)).toEqual([])
  expect(beginnings.length).toBeGreaterThan(2)
  expect(beginnings.filter((start) => !knownTypes.some((type) => type.startsWith(start)))).toEqual([])
})

test('a sentence for a type that nothing appends is removed', async () => {
  const { types, beginnings } = await typesInSources()
  const appended = new Set([...types, ...auditedEventTypes, ...triggeringEventTypes, ...streamEventTypes])
  const others = new Set(['flow.execution.completed', 'flow.execution.failed', 'flow.execution.cancelled'])
  const unused = knownTypes.filter(
    (type) => !appended.has(type) && !others.has(type) && !beginnings.some((start) => type.startsWith(start)),
  )
  expect(unused).toEqual([])
})

test('an unknown type is shown in words', () => {
  const event = { type: 'moon.has_risen', subject: null, account: null, data: {} }
  expect(describeEvent(event).parts).toEqual(['moon has risen'])
})
