import { expect, test } from 'vitest'
import { bodyAsIs, bodyOfChange, bodyOfTrigger, draftOf } from './trigger-draft.ts'
import type { Trigger } from './trigger-queries.ts'

const draft = {
  kind: 'webhook',
  label: ' Orders ',
  sender: 'hmac',
  header: 'x-signature',
  secret: '',
  events: '',
  input: { content: '{{body.text}}' },
  respond: 'at_once',
} as const

test('a webhook has the fields of its sender, and no empty ones', () => {
  expect(bodyOfTrigger('f', draft)).toEqual({
    kind: 'webhook',
    flow_id: 'f',
    label: 'Orders',
    input: { content: '{{body.text}}' },
    respond: 'at_once',
    verification: { type: 'hmac', header: 'x-signature' },
  })
  const open = bodyOfTrigger('f', { ...draft, label: '', sender: 'none', secret: 'ignored it is' })
  expect(open.verification).toEqual({ type: 'none' })
  expect(open).not.toHaveProperty('label')
})

test('an event trigger has each type of event once', () => {
  const body = bodyOfTrigger('f', { ...draft, kind: 'event', events: 'a.b, c.d\na.b\n' })
  expect(body).toEqual({
    kind: 'event',
    flow_id: 'f',
    label: 'Orders',
    input: draft.input,
    events: ['a.b', 'c.d'],
  })
})

const stored = {
  kind: 'webhook',
  label: 'Orders',
  flow_id: 'f',
  flow_version: 3,
  enabled: false,
  priority: 'high',
  input: { content: '{{body.text}}' },
  filter: { field: 'body.paid', operator: '==', value: true },
  signal: null,
  verification: { type: 'hmac', header: 'x-signature', algorithm: 'sha512' },
  delivery_id: '{{body.id}}',
  respond: 'with_result',
  response: '{{result}}',
  events: null,
} as unknown as Trigger

test('a stored trigger keeps the fields that the form does not have', () => {
  const { signal: _, events: __, ...whole } = stored
  expect(bodyAsIs(stored)).toEqual(whole)
  expect(bodyOfChange(stored, draftOf(stored))).toEqual(whole)
  expect(bodyOfChange(stored, { ...draftOf(stored), label: ' ', input: { a: 1 } })).toEqual({
    ...Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'label')),
    input: { a: 1 },
  })
})

test('another sender and another time of the response leave out what belongs to the old ones', () => {
  const changed = bodyOfChange(stored, { ...draftOf(stored), sender: 'github', respond: 'at_once' })
  expect(changed).toMatchObject({ verification: { type: 'github' }, respond: 'at_once', enabled: false })
  expect(changed.verification).toEqual({ type: 'github' })
  expect(changed).not.toHaveProperty('response')
})
