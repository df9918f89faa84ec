import { expect, test } from 'vitest'
import { eventGroups } from './event-groups.ts'
import { describeEvent, knownTypes, typesOf } from './event-words.ts'

const say = (
  type: string,
  event: { subject?: string; account?: string; data?: Record<string, unknown> } = {},
) =>
  describeEvent({ type, subject: null, account: null, data: {}, ...event })
    .parts.map((part) =>
      typeof part === 'string' ? part : 'account' in part ? `@${part.account}` : `[${part.name}]`,
    )
    .join('')

test.each([
  ['identity.signed_in', { account: 'a1', data: { ip: '10.0.0.4' } }, '@a1 signed in from 10.0.0.4'],
  [
    'identity.sign_in_failed',
    { data: { ip: '10.0.0.4' } },
    'Sign-in of an unknown user failed from 10.0.0.4',
  ],
  [
    'identity.account_created',
    { subject: 'u1', data: { username: 'mara', by: 'a1' } },
    'Account [mara] was created by @a1',
  ],
  [
    'models.price_set',
    { subject: 'openai/gpt-4o', data: { input: 2.5, output: 10, by: 'a1' } },
    '@a1 set the price of [openai/gpt-4o] to $2.50 in and $10.00 out per million tokens',
  ],
  [
    'cluster.node_added',
    { subject: 'n1', data: { name: 'http://node:1', by: 'a1' } },
    '@a1 added the node [http://node:1]',
  ],
  [
    'orchestra.workflow_failed',
    {
      subject: 'execution:0190',
      data: {
        flow_id: 'daily',
        workflow_label: 'Daily report',
        execution_id: '0190',
        error: { message: 'Timeout.', step: 'fetch' },
      },
    },
    'Workflow [Daily report] failed at fetch, run [0190]: Timeout.',
  ],
  ['moon.has_risen', { subject: 'm1' }, 'moon has risen: m1'],
])('says what %s means', (type, event, sentence) => {
  expect(say(type, event)).toBe(sentence)
})

test('names what an event of any type is about also without its data', () => {
  for (const type of knownTypes) expect(say(type).trim(), type).not.toMatch(/undefined|null|^$/)
})

test('links to what the event is about', () => {
  const { parts } = describeEvent({
    type: 'flow.execution.failed',
    subject: '0190-aa',
    account: null,
    data: { flow_id: 'daily report' },
  })
  expect(parts).toContainEqual({ name: 'daily report', path: '/workflows/daily%20report' })
  expect(parts).toContainEqual({ name: '0190-aa', path: '/executions/0190-aa' })
})

test('every type belongs to one group', () => {
  expect(eventGroups.flatMap(typesOf).toSorted()).toEqual([...knownTypes].toSorted())
})
