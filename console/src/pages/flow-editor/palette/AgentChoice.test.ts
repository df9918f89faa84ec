import { expect, test } from 'vitest'
import { agentKind } from '../document/step-kinds.ts'
import { findKinds } from './AgentChoice.tsx'

const kinds = [
  { ...agentKind({ id: 'a', label: 'Translator' }), about: 'Reviews nothing, translates all.' },
  { ...agentKind({ id: 'b', label: 'Content reviewer' }), about: 'Reads a text and says what is wrong.' },
]
const found = (text: string) => findKinds(kinds, text).map(({ title }) => title)

test('step types are found by the words of their titles and descriptions', () => {
  expect(found('')).toEqual(['Translator', 'Content reviewer'])
  expect(found('  TRANS ')).toEqual(['Translator'])
  expect(found('content wrong')).toEqual(['Content reviewer'])
  expect(found('missing')).toEqual([])
})

test('a match in the title ranks before one in the description', () => {
  expect(found('review')).toEqual(['Content reviewer', 'Translator'])
})
