import createClient from 'openapi-fetch'
import { describe, expect, test } from 'vitest'
import type { Api } from '../../../api/api.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { emptyDocument } from '../document/flow-document.ts'
import { idFromLabel, saveFlow } from './SaveFlow.tsx'

interface Answer {
  readonly status: number
  readonly body: object
}

/** An API with prepared responses, which records the requests. */
function connect(answers: readonly Answer[]) {
  const asked: { readonly what: string; readonly body: unknown }[] = []
  const left = [...answers]
  const send = async (request: Request): Promise<Response> => {
    const text = await request.text()
    asked.push({
      what: `${request.method} ${new URL(request.url).pathname}`,
      body: text === '' ? null : (JSON.parse(text) as unknown),
    })
    const { status, body } = left.shift() ?? { status: 500, body: {} }
    return Response.json(body, { status })
  }
  const api: Api = {
    client: createClient<paths>({ baseUrl: 'http://tutti.test', fetch: send }),
    send,
    lastRequestId: () => undefined,
    lastWrite: () => undefined,
    signOut: async () => {},
  }
  return { api, asked }
}

const saved = (status: string, revision: number) => ({ flow_id: 'a', status, deployment_info: { revision } })
const refusal = { error: { code: 'FLOW_CONFLICT', message: 'It conflicts.' } }
const change = { flow: 'a', base: 3, document: emptyDocument, note: ' Better. ' }

describe('saving', () => {
  test('a change names the revision it is based on', async () => {
    const { api, asked } = connect([{ status: 200, body: saved('updated', 4) }])
    expect(await saveFlow(api, change)).toEqual({
      saved: { flow: 'a', revision: 4, copyOf: null, document: emptyDocument },
      isNew: true,
    })
    expect(asked).toEqual([
      {
        what: 'PUT /ai-workflows/api/flows/a',
        body: {
          flow_definition: emptyDocument.definition,
          metadata: {},
          note: 'Better.',
          expected_version: 3,
        },
      },
    ])
  })

  test('an unchanged flow is reported', async () => {
    const { api } = connect([{ status: 200, body: saved('unchanged', 3) }])
    expect(await saveFlow(api, change)).toMatchObject({ saved: { revision: 3 }, isNew: false })
  })

  test('over another user’s version is refused, and that version is loaded', async () => {
    const theirs = { id: 'a', current_revision: 5 }
    const { api } = connect([
      { status: 409, body: refusal },
      { status: 200, body: theirs },
    ])
    expect(await saveFlow(api, change)).toEqual({ conflict: { theirs, note: ' Better. ' } })
  })

  test('a conflict of another kind stays a failure', async () => {
    const { api } = connect([
      { status: 409, body: refusal },
      { status: 200, body: { id: 'a', current_revision: 3 } },
    ])
    await expect(saveFlow(api, change)).rejects.toThrow('It conflicts.')
  })

  test('a deleted flow is reported', async () => {
    const { api } = connect([{ status: 404, body: refusal }])
    expect(await saveFlow(api, change)).toEqual({ gone: true })
  })

  test('a new flow with a taken ID reports the problem at the ID', async () => {
    const { api, asked } = connect([{ status: 409, body: refusal }])
    const failure = await saveFlow(api, { ...change, flow: null, base: null, note: '' }).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(ApiFailure)
    expect(failure).toMatchObject({ status: 409, problems: [{ path: 'id' }] })
    expect(asked[0]).toEqual({
      what: 'POST /ai-workflows/api/flows',
      body: { flow_definition: emptyDocument.definition, metadata: {} },
    })
  })
})

test('a label becomes a valid ID', () => {
  expect(idFromLabel('Review a text')).toBe('review-a-text')
  expect(idFromLabel('  Überprüfung: 2. Fassung! ')).toBe('uberprufung-2-fassung')
  expect(idFromLabel('日本')).toBe('')
  const long = idFromLabel(`${'a'.repeat(63)} b`)
  expect(long).toBe('a'.repeat(63))
})
