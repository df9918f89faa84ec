import { describe, expect, test } from 'vitest'
import { ApiFailure } from '../../../api/api-failure.ts'
import type { FlowDocument } from '../document/flow-document.ts'
import {
  afterAnswer,
  afterFailure,
  type CheckAnswer,
  nothingKnown,
  readKnowledge,
  retryDelayMs,
} from './validation.ts'

const draft = (...ids: string[]): FlowDocument => ({
  definition: { id: 'flow', label: 'Flow', steps: ids.map((id) => ({ id, type: 'ai_prompt' })) },
  metadata: {},
})

const answer = (findings: {
  errors?: CheckAnswer['validation_results']['errors']
  warnings?: CheckAnswer['validation_results']['warnings']
}): CheckAnswer => ({
  success: true,
  flow_id: 'flow',
  id_taken: true,
  validation_results: { valid: true, errors: [], warnings: [], required_inputs: ['content'], ...findings },
  flow_summary: null,
})

const said = (path: string) => ({ path, message: 'is required', code: 'required' })
const failed = (status: number, more: Partial<ApiFailure> = {}) =>
  new ApiFailure({ status, code: 'some_code', message: 'It was not to be.', ...more })

describe('the validation of a draft', () => {
  test('is the result for this very document', () => {
    const document = draft('one')
    const known = afterAnswer(
      document,
      answer({ errors: [said('steps[0].prompt')], warnings: [said('label')] }),
    )
    const { state, problems, requiredInputs, idTaken } = readKnowledge(known, document, null)
    expect(state).toBe('checked')
    expect(problems.map(({ severity, path }) => [severity, path])).toEqual([
      ['error', 'steps[0].prompt'],
      ['warning', 'label'],
    ])
    expect(requiredInputs).toEqual(['content'])
    expect(idTaken).toBe(true)
  })

  test('has no result before the first response', () => {
    expect(readKnowledge(nothingKnown, draft('one'), null)).toMatchObject({ state: 'stale', problems: [] })
  })

  test('follows its steps when they move, and drops the problems of removed ones', () => {
    const before = draft('one', 'two', 'three')
    const known = afterAnswer(before, answer({ errors: ['steps[0]', 'steps[1].prompt', 'id'].map(said) }))
    const now = readKnowledge(known, draft('three', 'two'), null)
    expect(now.state).toBe('stale')
    expect(now.problems.map(({ path }) => path)).toEqual(['steps[1].prompt', 'id'])
  })

  test('of a flow without steps is empty', () => {
    const known = afterAnswer(draft('one'), answer({ errors: [said('id')] }))
    expect(readKnowledge(known, draft(), null)).toMatchObject({
      state: 'checked',
      problems: [],
      estimate: null,
    })
  })

  test('drops a taken ID once the ID changes', () => {
    const known = afterAnswer(draft('one'), answer({}))
    const { definition, metadata } = draft('one')
    expect(readKnowledge(known, { definition: { ...definition, id: 'other' }, metadata }, null).idTaken).toBe(
      false,
    )
  })

  test('starts with the syntax error of the code, with or without steps', () => {
    const unread = { text: '{', problem: 'Line 1: something is missing.', over: draft().definition }
    for (const document of [draft(), draft('one')]) {
      expect(readKnowledge(nothingKnown, document, unread).problems).toEqual([
        { severity: 'error', path: '', message: 'Line 1: something is missing.', code: 'unreadable_code' },
      ])
    }
  })
})

describe('a failed request', () => {
  const document = draft('one')
  const known = afterAnswer(document, answer({ warnings: [said('label')] }))

  test('keeps the previous result, and reports the reason', () => {
    const later = draft('one', 'two')
    const now = readKnowledge(afterFailure(known, later, failed(0)), later, null)
    expect(now).toMatchObject({
      state: 'unreachable',
      trouble: 'It was not to be. The check is retried automatically.',
      problems: [{ path: 'label' }],
    })
    expect(readKnowledge(afterFailure(known, later, failed(403)), later, null).trouble).toBe(
      'It was not to be.',
    )
  })

  test('ends with the next change, and with the next response', () => {
    const trouble = afterFailure(known, document, failed(503))
    expect(readKnowledge(trouble, draft('one'), null)).toMatchObject({ state: 'stale', trouble: null })
    expect(readKnowledge(afterAnswer(document, answer({})), document, null)).toMatchObject({
      state: 'checked',
      trouble: null,
    })
  })

  test('that refuses the draft is a problem of the draft', () => {
    const tooLarge = afterFailure(known, document, failed(413))
    expect(readKnowledge(tooLarge, document, null)).toMatchObject({
      state: 'checked',
      problems: [{ severity: 'error', path: '', message: 'It was not to be.', code: 'some_code' }],
    })
    const problems = [
      { path: 'flow_definition.steps', message: 'must be an array' },
      { path: 'metadata', message: 'must be an object' },
    ]
    const refused = afterFailure(known, document, failed(400, { problems }))
    expect(readKnowledge(refused, document, null).problems.map(({ path }) => path)).toEqual([
      'steps',
      'metadata',
    ])
  })

  test('is retried when it is temporary: with growing delays, or when the server says', () => {
    const delays = [0, 1, 2, 9].map((attempt) => retryDelayMs(failed(0), { attempt, retryAfter: null }))
    expect(delays).toEqual([1_000, 2_000, 4_000, 30_000])
    expect(retryDelayMs(failed(429), { attempt: 0, retryAfter: '7' })).toBe(7_000)
    expect(retryDelayMs(failed(429), { attempt: 0, retryAfter: 'soon' })).toBe(1_000)
    expect(retryDelayMs(failed(403), { attempt: 0, retryAfter: null })).toBeUndefined()
  })
})
