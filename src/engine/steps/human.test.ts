import { expect, test } from 'vitest'
import type { HumanStep } from '../definition/step-types.ts'
import type { ClosedWait, WaitRequest } from '../waits/wait.ts'
import { runHuman } from './human.ts'
import type { StepRun } from './step-run.ts'

/** Runs a human step that no one answers in time. */
async function runUnanswered(fields: Partial<HumanStep>) {
  const requests: WaitRequest[] = []
  const warnings: string[] = []
  const closed: ClosedWait = {
    id: 'wait',
    state: 'timed_out',
    answer: null,
    answeredBy: null,
    comment: null,
    closedAt: new Date(0),
  }
  const memory = { patience: '2h', never: 'never', title: 'Tea\nand  cake', answer: { approved: false } }
  const run = {
    step: { id: 'review', type: 'human', message: 'Good?', on_timeout: 'continue', ...fields },
    scope: { memory, context: {}, steps: {} },
    failedProducerOf: () => undefined,
    log: (_level: string, message: string) => warnings.push(message),
    async wait(open: (now: Date) => WaitRequest | Promise<WaitRequest>) {
      requests.push(await open(new Date(0)))
      return closed
    },
  } as unknown as StepRun<HumanStep>
  const { output } = await runHuman(run)
  return { request: requests[0], output }
}

test.each([
  [{}, 30 * 86_400],
  [{ timeout: 60 }, 60],
  [{ timeout: '{{patience}}' }, 7200],
  [{ timeout: '{{= 1 + 1}}m' }, 120],
])('the timeout of %j is %d seconds', async (fields, seconds) => {
  expect((await runUnanswered(fields)).request?.wakeAt).toEqual(new Date(seconds * 1000))
})

test.each(['{{never}}', '{{missing}}'])('the timeout %j fails the step before it asks', async (timeout) => {
  await expect(runUnanswered({ timeout })).rejects.toMatchObject({
    code: 'INVALID_STEP',
    message: expect.stringMatching(/^"timeout" is "(never)?", which is not a duration/),
  })
})

test.each([
  [{ email: true, subject: 'About {{title}}' }, 'About Tea and cake'],
  [{ email: true, subject: '{{missing}}' }, undefined],
  [{ email: true }, undefined],
])('the subject of %j is %j, in one line', async (notify, subject) => {
  const { request } = await runUnanswered({ notify })
  expect(request?.request['notify']).toEqual({
    email: true,
    slack_channel: null,
    ...(subject !== undefined && { subject }),
  })
})

test.each([
  [{ approved: false }, { approved: false }],
  ['{{answer}}', { approved: false }],
  [{ approved: '{{answer.approved}}' }, { approved: false }],
  // Of a flow that was saved before its default was checked.
  [{ ok: 'no' }, { ok: 'no' }],
  [undefined, null],
])('after the timeout, the default %j is %j', async (given, answer) => {
  const { output } = await runUnanswered(given === undefined ? {} : { default: given })
  expect(output).toMatchObject({ answered: false, answer })
})

test.each([
  [{ approved: '{{title}}' }, '"default.approved" must be true or false'],
  ['{{missing}}', '"default" must be an object'],
])('the filled default %j has to satisfy the form', async (given, message) => {
  await expect(runUnanswered({ default: given })).rejects.toMatchObject({
    code: 'INVALID_STEP',
    message: expect.stringContaining(message),
  })
})
