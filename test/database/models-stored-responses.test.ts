import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createStoredResponses,
  deleteExpiredResponses,
  type StoredResponseLimits,
  storedResponseLimits,
} from '../../src/models/stored-responses/stored-responses.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const item = (text: string) => ({ type: 'message', id: `msg_${text}`, text })

const open = (limits: Partial<StoredResponseLimits> = {}, retentionMs = 60_000) =>
  createStoredResponses({ database, retentionMs, limits: { ...storedResponseLimits, ...limits } })

const response = (id: string, previousId: string | null = null, text = id) => ({
  id,
  previousId,
  model: 'a model',
  response: { id },
  input: [item(`${text}-asked`)],
  output: [item(text)],
})

/** The ids of the responses of an account, the oldest first. */
async function ids(account: string): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(
    'select id from model_responses where account_id = $1 order by created_at',
    [account],
  )
  return rows.map(({ id }) => id)
}

test('a conversation is read from its oldest response on', async () => {
  const stored = open()
  await stored.save('nadia', response('r1'))
  await stored.save('nadia', response('r2', 'r1'))
  await stored.save('nadia', response('r3', 'r2'))
  const items = await stored.readConversation('nadia', 'r3')
  expect(items.map(({ text }) => text)).toEqual(['r1-asked', 'r1', 'r2-asked', 'r2', 'r3-asked', 'r3'])
  expect([...(await stored.findItems('nadia', ['msg_r2', 'msg_none'])).keys()]).toEqual(['msg_r2'])
  expect((await stored.findItems('omar', ['msg_r2'])).size).toBe(0)
})

test('a conversation has bounds on its responses and bytes', async () => {
  const stored = open()
  await stored.save('lena', response('r1'))
  await stored.save('lena', response('r2', 'r1'))
  await stored.save('lena', response('r3', 'r2'))
  expect(await open({ maxConversationResponses: 3 }).readConversation('lena', 'r3')).toHaveLength(6)
  for (const limits of [{ maxConversationResponses: 2 }, { maxConversationBytes: 200 }]) {
    await expect(open(limits).readConversation('lena', 'r3')).rejects.toMatchObject({
      code: 'conversation_too_long',
      status: 400,
    })
  }
  await expect(open({ maxConversationBytes: 10 }).findItems('lena', ['msg_r1'])).rejects.toMatchObject({
    code: 'conversation_too_long',
  })
})

test('an account keeps its newest responses, by number and by bytes', async () => {
  const few = open({ maxAccountResponses: 2 })
  for (const id of ['r1', 'r2', 'r3', 'r4']) await few.save('mira', response(id))
  expect(await ids('mira')).toEqual(['r3', 'r4'])
  const small = open({ maxAccountBytes: 600 })
  await small.save('timo', response('r1', null, 'a'.repeat(80)))
  await small.save('timo', response('r2', null, 'b'.repeat(20)))
  await small.save('timo', response('r3', null, 'c'.repeat(40)))
  expect(await ids('timo')).toEqual(['r2', 'r3'])
  expect(await ids('mira')).toHaveLength(2)
})

test('a response above the bound is not stored', async () => {
  const stored = open({ maxResponseBytes: 300 })
  expect(await stored.save('olga', response('r1', null, 'a'.repeat(300)))).toBe(false)
  expect(await stored.find('olga', 'r1')).toBeUndefined()
})

test('expired responses are not found, and deleted', async () => {
  const stored = open({}, -1000)
  await stored.save('paul', response('r1'))
  expect(await stored.find('paul', 'r1')).toBeUndefined()
  expect(await stored.remove('paul', 'r1')).toBe(false)
  await expect(stored.readConversation('paul', 'r1')).rejects.toMatchObject({
    code: 'previous_response_not_found',
  })
  expect(await deleteExpiredResponses(database, new AbortController().signal)).toBe(1)
})
