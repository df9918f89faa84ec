import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unlimitedReads } from '../http/request-limits.ts'
import { patience } from '../support/patience.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

const key = `tk_${'k'.repeat(40)}`

// Commands are processes of their own, which take ten seconds each on a busy machine.
describe('human tasks at the command line', { timeout: 300_000 * patience }, () => {
  let platform: PlatformInProcess
  let config: string

  beforeAll(async () => {
    config = await mkdtemp(join(tmpdir(), 'tutti-tasks-'))
    platform = await openPlatform({ TUTTI_API_KEY: key }, unlimitedReads)
    const done = {
      id: 'done',
      type: 'data_transform',
      transformations: [
        {
          operation: 'generate_summary',
          template: '{{steps.review.answer.approved}}, {{steps.review.comment}}',
        },
      ],
      dependencies: ['review'],
    }
    const review = { id: 'review', type: 'human', message: 'May **{{content}}** be published?' }
    await save({ id: 'review', steps: [review, done] })
    const properties = {
      approved: { type: 'boolean' },
      tone: { type: 'string', enum: ['as it is', 'warmer'] },
    }
    const form = { type: 'object', properties, required: ['approved', 'tone'] }
    await save({ id: 'detailed', steps: [{ ...review, form, require_comment: true }, done] })
    const greet = {
      id: 'greet',
      type: 'data_transform',
      transformations: [{ operation: 'generate_summary', template: 'Hello, {{item}}!' }],
    }
    // A time in the past continues at once; a text that is no time fails.
    const check = { id: 'check', type: 'wait', until: '{{item}}', dependencies: ['greet'] }
    await save({
      id: 'each',
      steps: [
        {
          id: 'greet_all',
          type: 'for_each',
          items: '{{names}}',
          on_item_error: 'collect',
          steps: [greet, check],
        },
      ],
    })
    await save({
      id: 'two',
      steps: ['first', 'second'].map((id) => ({ id, type: 'human', message: `The ${id}?` })),
    })
  })
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]()
    if (config !== undefined) await rm(config, { recursive: true })
  })

  async function save(definition: { id: string; steps: object[] }): Promise<void> {
    const answer = await fetch(`${platform.url}/ai-workflows/api/flows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ flow_definition: { label: definition.id, ...definition } }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const environment = () => ({ XDG_CONFIG_HOME: config, TUTTI_URL: platform.url, TUTTI_API_KEY: key })
  const tutti = (args: readonly string[], input = ''): Promise<Outcome> =>
    runTutti(args, { env: environment(), input })
  const start = async (flow: string) =>
    (await tutti(['run', flow, '--input', 'Cats', '--detach'])).stdout.trim()
  /** The ids of the open tasks of a run, when it has so many. */
  async function tasksOf(run: string, count = 1): Promise<string[]> {
    const list = async () =>
      JSON.parse((await tutti(['human-tasks', 'list', '--run', run, '--json'])).stdout) as { id: string }[]
    await expect.poll(async () => (await list()).length).toBe(count)
    return (await list()).map(({ id }) => id)
  }

  test('a followed run prints its question, and ends after the answer', async () => {
    await using running = await startProcess({
      file: program,
      args: ['run', 'review', '--input', 'Cats', '--follow'],
      env: environment(),
    })
    const errors = () => running.stderr.join('\n')
    await expect.poll(errors).toContain('Answer it: npx tutti human-tasks answer ')
    expect(errors()).toMatch(/^waiting {4}review {2}for an answer, until 20/m)
    expect(errors()).toMatch(/^tutti: review waits for an answer, until 20.*:$/m)
    expect(errors()).toContain('  May **Cats** be published?')
    const [, task = '', answer = ''] = /human-tasks answer (\S+) --answer '(.*)'$/m.exec(errors()) ?? []
    expect(
      await tutti(['human-tasks', 'answer', task, '--answer', answer, '--comment', 'Good']),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('with {"approved":true}.'),
    })
    await expect.poll(() => running.stdout.join('\n')).toBe('true, Good')
  })

  test('a run that waits continues when its command is ended, and lists and followers show the wait', async () => {
    await using running = await startProcess({
      file: program,
      args: ['run', 'review', '--input', 'Dogs'],
      env: environment(),
    })
    const errors = () => running.stderr.join('\n')
    await expect.poll(errors).toContain('Answer it: npx tutti human-tasks answer ')
    expect(await running.kill('SIGTERM')).toMatchObject({ code: 130 })
    const [, run = ''] = /Follow it again: npx tutti runs show (\S+) --follow$/m.exec(errors()) ?? []
    const listed = await tutti(['runs', 'list', '--flow', 'review'])
    expect(listed.stdout).toMatch(new RegExp(`^${run} +needs answer +review `, 'm'))
    const shown = await tutti(['runs', 'show', run])
    expect(shown.stdout).toMatch(/^review, version 1: needs answer\n[^]*^review +human +waiting$/m)
    expect((await tutti(['runs', 'approve', run, '--comment', 'Good'])).code).toBe(0)
    expect((await tutti(['runs', 'show', run, '--follow', '--result'])).stdout).toBe('true, Good\n')
  })

  test('tasks are listed and shown, and answered with what their form needs', async () => {
    const run = await start('detailed')
    const [task = ''] = await tasksOf(run)
    expect((await tutti(['human-tasks', 'list', '--mine'])).stdout).toMatch(
      new RegExp(`^${task} +open +detailed +review +20\\S+ +20\\S+ +May \\*\\*Cats`, 'm'),
    )
    const shown = await tutti(['human-tasks', 'show', task])
    expect(shown.stdout).toMatch(/^detailed: open\n/)
    expect(shown.stdout).toMatch(/^tone +one of: as it is, warmer, required/m)
    expect(shown.stdout).toMatch(/^--comment +text, required/m)
    const waiting = await tutti(['runs', 'show', run])
    expect(waiting.stderr).toMatch(
      new RegExp(`review waits for an answer until .*: npx tutti human-tasks answer ${task}`),
    )
    expect((await tutti(['runs', 'list', '--waiting'])).stdout).toContain(run)

    const decided = await tutti(['runs', 'approve', run])
    expect(decided).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The task needs more than a decision: tone.'),
    })
    expect((await tutti(['human-tasks', 'answer', task])).stderr).toContain('There is no terminal to ask at.')
    const wrong = await tutti(['human-tasks', 'answer', task, '--answer', '{"approved": "perhaps"}'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('answer.approved must be true or false')
    expect(wrong.stderr).toContain('comment is required')

    const answer = ['--answer', '-', '--comment', 'Warm', '--json']
    const approved = await tutti(['runs', 'approve', run, ...answer], '{"approved": true, "tone": "warmer"}')
    expect(JSON.parse(approved.stdout)).toMatchObject({ execution_id: run, task: { state: 'answered' } })
    expect((await tutti(['runs', 'show', run, '--follow', '--result'])).stdout).toBe('true, Warm\n')
    expect((await tutti(['human-tasks', 'show', task])).stdout).toMatch(/^Comment +Warm$/m)
    expect(await tutti(['human-tasks', 'answer', task, '--answer', '{"approved": true}'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('answered already'),
    })
  })

  test('approve and reject decide about a simple task, and ask which of several', async () => {
    const run = await start('review')
    await tasksOf(run)
    expect((await tutti(['runs', 'reject', run, '--comment', 'No'])).code).toBe(0)
    expect((await tutti(['runs', 'show', run, '--follow', '--result'])).stdout).toBe('false, No\n')

    const both = await start('two')
    await tasksOf(both, 2)
    const unclear = await tutti(['runs', 'approve', both])
    expect(unclear.code).toBe(2)
    expect(unclear.stderr).toMatch(/^tutti: {3}\S+ {2}first {2}The first\?$/m)
    expect((await tutti(['runs', 'approve', both, '--task', 'second'])).code).toBe(0)
    expect((await tutti(['runs', 'approve', both, '--task', 'first'])).code).toBe(0)
    expect((await tutti(['runs', 'show', both, '--follow', '--json'])).code).toBe(0)
    expect((await tutti(['runs', 'approve', both, '--answer', '{}'])).stderr).toContain('waits for no answer')
  })

  test('a container has its counts, its failed items and their steps', async () => {
    const context = ['--context', '{"names": ["2020-01-01T00:00:00Z", "Bob", "2021-01-01T00:00:00Z"]}']
    const followed = await tutti(['run', 'each', ...context, '--follow'])
    expect(followed.stderr).toMatch(/^completed {4}greet_all\/\d {2}\d of 3$/m)
    expect(followed.stderr).toMatch(/^failed {7}greet_all\/1 {2}\d of 3$/m)
    const [{ execution_id: run }] = JSON.parse(
      (await tutti(['runs', 'list', '--flow', 'each', '--json'])).stdout,
    ) as [{ execution_id: string }]
    const shown = await tutti(['runs', 'show', run])
    expect(shown.stdout).toMatch(/^greet_all +for_each +completed .* 3 of 3, 1 failed$/m)
    expect(shown.stdout).toMatch(/^ {2}greet_all\/1 +failed .* Bob: /m)
    expect(shown.stderr).toContain(`npx tutti runs show ${run} --within greet_all`)
    const items = await tutti(['runs', 'show', run, '--within', 'greet_all'])
    expect(items.stdout).toMatch(/^greet_all\/2 +2021-01-01T00:00:00Z +completed/m)
    const steps = await tutti(['runs', 'show', run, '--within', 'greet_all/1'])
    expect(steps.stdout).toMatch(/^greet_all\/1\/greet +data_transform +completed/m)
    expect((await tutti(['runs', 'show', run, '--within', 'nope'])).code).toBe(2)
    const again = await tutti(['runs', 'retry', run, '--latest', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ rerun_of: run, flow_version: 1 })
  })
})
