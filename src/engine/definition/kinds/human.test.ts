import { describe, expect, test } from 'vitest'
import { checkFlow } from '../check-flow.ts'

const form = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, remarks: { type: 'string' } },
  required: ['approved'],
}

function check(fields: object) {
  return checkFlow({
    id: 'asks',
    label: 'Asks',
    steps: [
      { id: 'draft', type: 'ai_prompt', prompt: 'Write.' },
      { id: 'review', type: 'human', message: 'Good?', dependencies: ['draft'], ...fields },
    ],
  })
}

function problemsOf(fields: object) {
  return check(fields).problems.map(({ path, message }) => `${path.replace('steps[1].', '')} ${message}`)
}

describe('the assignees of a human step', () => {
  test.each([{}, { accounts: [] }, { accounts: [], roles: [], emails: [] }])(
    'are refused when no one could answer: %j',
    (assignees) => {
      expect(problemsOf({ assignees })).toEqual([
        'assignees names no one who could answer: add accounts, roles or emails, or leave it out for the account of the execution',
      ])
    },
  )

  test.each([
    { accounts: ['otto'] },
    { roles: ['{{steps.draft.role}}'] },
    {
      accounts: ['{{context.manager}}'],
      emails: ['{{= context.name + "@example.com" }}', 'zoe@example.com'],
    },
  ])('are accepted as texts and as placeholders: %j', (assignees) => {
    expect(problemsOf({ assignees })).toEqual([])
  })

  test.each([
    [{ emails: ['zoe'] }, 'assignees.emails[0] must be an e-mail address'],
    [{ emails: [`${'z'.repeat(250)}@example.com`] }, 'assignees.emails[0] must be an e-mail address'],
    [{ accounts: ['otto', '{{= 1 + }}'] }, expect.stringMatching(/^assignees\.accounts\[1\] /)],
    [{ roles: ['{{= 1'] }, expect.stringMatching(/^assignees\.roles\[0\] .*no closing/)],
  ])('have a problem at the entry: %j', (assignees, problem) => {
    expect(problemsOf({ assignees })).toEqual([problem])
  })
})

test.each([
  [{ default: { approved: false } }, []],
  [{ default: { approved: '{{steps.draft}}', remarks: 'No {{context.word}}' } }, []],
  [{ default: '{{steps.draft}}' }, []],
  [{ default: null }, []],
  [{ default: 'no' }, ['default must be an object']],
  [{ default: {} }, ['default.approved is required']],
  [{ default: { approved: 'no' } }, ['default.approved must be true or false']],
  [{ default: { approved: false, other: 1 } }, ['default.other is not a field of the form']],
  [{ default: { approved: false, remarks: 5 } }, ['default.remarks must be a text']],
  [{ default: { approved: false, remarks: '{{= 1' } }, [expect.stringContaining('no closing')]],
])('a default is checked against the form: %j', (fields, problems) => {
  expect(problemsOf({ form, on_timeout: 'continue', ...fields })).toEqual(problems)
})

test('a default is checked against the form of a step without one', () => {
  expect(problemsOf({ on_timeout: 'continue', default: { ok: true } })).toEqual([
    'default.ok is not a field of the form',
    'default.approved is required',
  ])
})

test.each([
  [{ timeout: '{{context.patience}}' }, []],
  [{ timeout: '{{= 2 * 3 }}h' }, []],
  [{ timeout: 'later' }, [expect.stringMatching(/^timeout must be a number/)]],
  [{ timeout: '{{= 1 + }}' }, [expect.stringMatching(/^timeout /)]],
  [{ notify: { email: true, subject: 'About {{context.title}}' } }, []],
  [{ notify: { email: true, subject: '{{= 1' } }, [expect.stringMatching(/^notify\.subject .*no closing/)]],
  [{ notify: { subject: 'About it' } }, ['notify.subject has no effect without email: true']],
])('timeout and subject may have placeholders: %j', (fields, problems) => {
  expect(problemsOf(fields)).toEqual(problems)
})

test('paths in assignees, timeout, subject and default are inputs, and need their steps', () => {
  const { requiredInputs } = check({
    assignees: { accounts: ['{{manager}}'], emails: ['{{mail}}'] },
    notify: { email: true, subject: 'About {{title}}' },
    timeout: '{{patience}}',
    on_timeout: 'continue',
    default: { approved: '{{fallback}}' },
  })
  expect(requiredInputs.toSorted()).toEqual(['fallback', 'mail', 'manager', 'patience', 'title'])
  expect(problemsOf({ assignees: { accounts: ['{{steps.draft}}'] }, dependencies: [] })).toEqual([
    expect.stringMatching(/^assignees\.accounts\[0\] .*draft/),
  ])
  expect(problemsOf({ assignees: { accounts: ['{{secrets.boss}}'] } })).toEqual([
    expect.stringMatching(/^assignees\.accounts\[0\] .*secret/),
  ])
})

const approvalsOf = (approvals: object) =>
  checkFlow({
    id: 'asks',
    label: 'Asks',
    steps: [
      {
        id: 'agent',
        type: 'tool_agent',
        prompt: 'Go.',
        tools: [{ type: 'builtin', name: 'calculator', approval: 'always' }],
        approvals,
      },
    ],
  })

describe('the approvals of an agent', () => {
  test.each([
    [{ assignees: { accounts: ['{{manager}}'] }, timeout: '{{patience}}' }, []],
    [{ assignees: {} }, ['steps[0].approvals.assignees required']],
    [{ timeout: 'later' }, ['steps[0].approvals.timeout value']],
    [{ notify: { subject: 'Now' } }, ['steps[0].approvals.notify.subject no_effect']],
    [{ assignees: { roles: ['{{secrets.role}}'] } }, ['steps[0].approvals.assignees.roles[0] secret']],
  ])('are checked like a human step: %j', (approvals, problems) => {
    expect(approvalsOf(approvals).problems.map(({ path, code }) => `${path} ${code}`)).toEqual(problems)
  })

  test('have inputs', () => {
    const { requiredInputs } = approvalsOf({
      assignees: { accounts: ['{{manager}}'] },
      timeout: '{{patience}}',
    })
    expect(requiredInputs.toSorted()).toEqual(['manager', 'patience'])
  })
})
