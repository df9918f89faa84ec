import { expect, test } from 'vitest'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { openPlatform } from '../support/platform.ts'

const key = `tk_${'k'.repeat(40)}`

const ask = (fields: object) => ({
  id: 'asking',
  label: 'Asking',
  steps: [{ id: 'review', type: 'human', message: 'Good?', ...fields }],
})

async function bodyOf(answer: Response) {
  const result = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(JSON.stringify(result))
  return result
}

async function openCalls(environment: Readonly<Record<string, string>> = {}) {
  await using opening = new AsyncDisposableStack()
  const platform = opening.use(await openPlatform({ TUTTI_API_KEY: key, ...environment }))
  const opened = opening.move()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = (path: string) => `${platform.url}/ai-workflows/api${path}`
  return {
    read: async (path: string) => await bodyOf(await fetchWithinRate(url(path), { headers })),
    post: async (path: string, body: object) =>
      await bodyOf(await fetchWithinRate(url(path), { method: 'POST', headers, body: JSON.stringify(body) })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('notifications that cannot be sent are warnings of the flow and of the execution', async () => {
  // Without TUTTI_SMTP_URL, TUTTI_SLACK_WEBHOOK_URL and TUTTI_PUBLIC_URL.
  await using calls = await openCalls()
  const { post, read } = calls
  const warningsOf = async (fields: object) => {
    const { validation_results: found } = await post('/flows/validate', { flow_definition: ask(fields) })
    const { warnings } = found as { warnings: { path: string; code: string }[] }
    return warnings.map(({ path, code }) => `${path} ${code}`)
  }
  const emails = ['zoe@example.com']
  expect(await warningsOf({})).toEqual([])
  expect(await warningsOf({ assignees: { emails } })).toEqual([
    'steps[0].assignees.emails answer_links_not_sent',
  ])
  const notify = { email: true, slack_channel: '#reviews' }
  expect(await warningsOf({ assignees: { emails }, notify })).toEqual([
    'steps[0].notify.email mail_not_configured',
    'steps[0].notify.slack_channel slack_not_configured',
  ])

  await post('/flows', { flow_definition: ask({ assignees: { emails }, notify }) })
  const waiting = await post('/execute-flow', { flow_id: 'asking', context: {} })
  const { warnings } = (await read(`/executions/${String(waiting['execution_id'])}`)) as {
    warnings: { message: string }[]
  }
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('notify.email sends nothing: this server sends no e-mail'),
    expect.stringContaining('notify.slack_channel sends nothing'),
  ])
})

test('assignees that do not exist are warnings of the flow, and end a step that names them by placeholders', async () => {
  await using calls = await openCalls()
  const { post, read } = calls
  const assignees = {
    accounts: ['admin', 'Admin', 'boss', '00000000-0000-4000-8000-000000000000', '{{manager}}'],
    roles: ['administrator', 'authenticated', 'anonymous', 'editors'],
  }
  const { validation_results: found } = await post('/flows', { flow_definition: ask({ assignees }) })
  const { warnings } = found as { warnings: { path: string; code: string; message: string }[] }
  expect(warnings.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'steps[0].assignees.accounts[1] unknown_account',
    'steps[0].assignees.accounts[2] unknown_account',
    'steps[0].assignees.accounts[3] unknown_account',
    'steps[0].assignees.roles[2] unknown_role',
    'steps[0].assignees.roles[3] unknown_role',
  ])

  const strict = { ...ask({ assignees: { accounts: ['{{manager}}'] } }), id: 'strict' }
  await post('/flows', { flow_definition: strict })
  const run = async (manager: string) => {
    const started = await post('/execute-flow', { flow_id: 'strict', context: { manager } })
    return await read(`/executions/${String(started['execution_id'])}`)
  }
  await expect(run('boss')).rejects.toThrow(
    /INVALID_STEP.*names no one who could answer: .*boss.* is unknown/,
  )
  expect(await run('admin')).toMatchObject({ status: 'running', suspended: { waits: [{ kind: 'human' }] } })
})
