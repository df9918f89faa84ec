import { expect, test } from 'vitest'
import type { ChatMessage } from '../provider.ts'
import { prefixSessionOf } from './prefix-session.ts'

const system: ChatMessage = { role: 'system', content: 'Be brief.' }
const user: ChatMessage = { role: 'user', content: 'Why?' }
const reply: ChatMessage = { role: 'assistant', content: 'So.' }
const long = 'The sky is blue. '.repeat(200)
const sessionOf = (...messages: readonly ChatMessage[]) => prefixSessionOf({ model: 'm', messages })

test('a short first message has none', () => {
  expect(sessionOf(user)).toBeUndefined()
  expect(sessionOf(system, user)).toBeUndefined()
  expect(sessionOf()).toBeUndefined()
})

test('the turns of a conversation have the same', () => {
  const second = sessionOf(system, user, reply, { role: 'user', content: 'And?' })
  expect(second).toMatch(/^prefix-[\w-]{43}$/)
  expect(sessionOf(system, user, reply, { role: 'user', content: 'And?' }, reply, user)).toBe(second)
  expect(sessionOf({ role: 'system', content: 'Be long.' }, user, reply)).not.toBe(second)
  expect(sessionOf(system, { role: 'user', content: 'When?' }, reply)).not.toBe(second)
  expect(prefixSessionOf({ model: 'other', messages: [system, user, reply] })).not.toBe(second)
})

test('prompts with the same long start have the same, from the first message on', () => {
  const first = sessionOf({ role: 'user', content: `${long}One?` })
  expect(first).toBeDefined()
  expect(sessionOf({ role: 'user', content: `${long}Two?` })).toBe(first)
  expect(sessionOf({ role: 'user', content: [{ type: 'text', text: long }] }, reply)).toBe(first)
  expect(sessionOf({ role: 'system', content: long }, user)).toBeDefined()
})
