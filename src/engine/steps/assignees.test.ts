import { describe, expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { type FindPeople, fillAssignees, findAssigneeWarnings } from './assignees.ts'

/** Knows the account `otto` and the role `editor`. */
const findPeople: FindPeople = async ({ accounts, roles }) => ({
  accounts: accounts.filter((name) => name === 'otto'),
  roles: roles.filter((name) => name === 'editor'),
})

const human = (assignees: object) => ({ id: 'a', type: 'human', message: 'Good?', assignees })

const warningsOf = async (...steps: object[]) =>
  (await findAssigneeWarnings(steps as Step[], findPeople)).map(({ path, code }) => `${path} ${code}`)

const refuse: FindPeople = async () => {
  throw new Error('nothing to find')
}

describe('saving a flow', () => {
  test('warns about accounts and roles that do not exist, also inside containers and of approvals', async () => {
    const assignees = {
      accounts: ['otto', 'boss'],
      roles: ['editor', 'editors'],
      emails: ['zoe@example.com'],
    }
    expect(
      await warningsOf(
        human(assignees),
        { id: 'b', type: 'for_each', items: 'list', steps: [human({ roles: ['boss'] })] },
        { id: 'c', type: 'tool_agent', approvals: { assignees: { accounts: ['zoe'] } } },
      ),
    ).toEqual([
      'steps[0].assignees.accounts[1] unknown_account',
      'steps[0].assignees.roles[1] unknown_role',
      'steps[1].steps[0].assignees.roles[0] unknown_role',
      'steps[2].approvals.assignees.accounts[0] unknown_account',
    ])
  })

  test('says which name it is and what to do', async () => {
    const [warning] = await findAssigneeWarnings([human({ accounts: ['boss'] })] as Step[], findPeople)
    expect(warning?.message).toBe(
      'no active account has the id or username "boss": it cannot answer. Correct the name, or create the account',
    )
  })

  test('leaves placeholders to the start of the step', async () => {
    expect(await findAssigneeWarnings([human({ accounts: ['{{boss}}'] })] as Step[], refuse)).toEqual([])
  })
})

/** Fills assignees; the memory has a value of each kind. */
async function fill(assignees: Parameters<typeof fillAssignees>[1]) {
  const warnings: string[] = []
  const memory = {
    manager: 'otto',
    stranger: 'boss',
    reviewers: ['otto', 'boss', '', 'otto'],
    many: Array.from({ length: 51 }, (_, n) => `n${n}`),
    nested: { name: 'otto' },
    mail: 'zoe@example.com',
    broken: 'o\0\ud800',
    absent: null,
  }
  const filled = await fillAssignees(
    {
      scope: { memory, context: {}, steps: {} },
      failedProducerOf: () => undefined,
      log: (_level, message) => warnings.push(message),
    },
    assignees,
    findPeople,
  )
  return { filled, warnings }
}

describe('the assignees of a task that opens', () => {
  test.each([
    [undefined, null],
    // Of a flow that was saved before assignees needed an entry: managers can answer.
    [{}, { accounts: [], roles: [], emails: [] }],
    [{ accounts: ['otto'] }, { accounts: ['otto'], roles: [], emails: [] }],
    [{ accounts: ['{{manager}}'] }, { accounts: ['otto'], roles: [], emails: [] }],
    [
      { roles: ['{{= "edit" + "or"}}'], emails: ['{{mail}}'] },
      { accounts: [], roles: ['editor'], emails: ['zoe@example.com'] },
    ],
    [{ accounts: ['otto', '{{absent}}'] }, { accounts: ['otto'], roles: [], emails: [] }],
  ])('%j are %j', async (assignees, expected) => {
    expect(await fill(assignees)).toEqual({ filled: expected, warnings: [] })
  })

  test('are the texts of a list, each once; unknown ones have a warning', async () => {
    const { filled, warnings } = await fill({ accounts: ['{{reviewers}}'] })
    expect(filled?.accounts).toEqual(['otto', 'boss'])
    expect(warnings).toEqual([expect.stringMatching(/^assignees\.accounts\[1\]: .*"boss"/)])
  })

  test('are without a placeholder that has no value', async () => {
    const { filled, warnings } = await fill({ accounts: ['{{missing}}', 'otto'] })
    expect(filled?.accounts).toEqual(['otto'])
    expect(warnings).toEqual([expect.stringContaining('{{missing}}')])
  })

  test('have no characters that the database cannot store', async () => {
    const { filled } = await fill({ accounts: ['otto', '{{broken}}'] })
    expect(filled?.accounts).toEqual(['otto', 'o\uFFFD\uFFFD'])
  })

  test('may be unknown when the definition names them: saving warned of it', async () => {
    const { filled, warnings } = await fill({ accounts: ['boss'] })
    expect(filled?.accounts).toEqual(['boss'])
    expect(warnings).toHaveLength(1)
  })

  test.each([
    [{ accounts: ['{{stranger}}'] }, /names no one who could answer: "boss" is unknown/],
    [{ accounts: ['{{absent}}'] }, /names no one who could answer: its placeholders have no value/],
    [{ accounts: ['{{missing}}'] }, /names no one who could answer/],
    [{ roles: ['{{nested}}'] }, /"assignees.roles" has a value that is not a text/],
    [{ emails: ['{{manager}}'] }, /"assignees.emails" has "otto", which is not an e-mail address/],
    [{ accounts: ['{{many}}'] }, /"assignees.accounts" has more than 50 entries/],
  ])('fail the step when no one could answer: %j', async (assignees, message) => {
    await expect(fill(assignees)).rejects.toMatchObject({
      code: 'INVALID_STEP',
      message: expect.stringMatching(message),
    })
  })
})
