import type { ChaosFlow, ExpectedStep } from './chaos-flow.ts'

/** An expression, loops inside each other, a failure with its handler, and the three kinds of steps that wait. */
const definition = {
  id: 'chaos_waiting',
  label: 'What must survive while it waits',
  steps: [
    {
      id: 'rows',
      type: 'data_transform',
      transformations: [{ operation: 'expression', expression: 'context.list.map(n, [n, n + number])' }],
    },
    {
      id: 'each_row',
      type: 'for_each',
      items: 'steps.rows',
      as: 'row',
      concurrency: 2,
      dependencies: ['rows'],
      steps: [
        {
          id: 'each_cell',
          type: 'for_each',
          items: 'row',
          as: 'cell',
          steps: [{ id: 'square_cell', type: 'ai_prompt', prompt: 'Square {{cell}}.' }],
        },
      ],
    },
    {
      id: 'review',
      type: 'human',
      message: 'Is {{= string(int(number)) + "?" }} right',
      dependencies: ['each_row'],
    },
    { id: 'rest', type: 'wait', duration: '{{pause}}' },
    {
      id: 'paid',
      type: 'wait_for_event',
      event: 'chaos.paid',
      correlation_key: 'order-{{number}}',
      dependencies: ['rest'],
    },
    { id: 'fails', type: 'ai_prompt', prompt: 'Fail.', on_error: 'rescue' },
    { id: 'unreached', type: 'ai_prompt', prompt: 'Never.', dependencies: ['fails'] },
    {
      id: 'rescue',
      type: 'data_transform',
      transformations: [{ operation: 'expression', expression: 'errors.fails.code' }],
    },
    {
      id: 'sum',
      type: 'data_transform',
      dependencies: ['each_row', 'review', 'paid', 'rescue'],
      transformations: [
        {
          operation: 'expression',
          expression:
            '{"cells": steps.each_row.results.map(row, row.results.sum(cell, cell.squared)).sum(), "amount": steps.paid.data.amount, "approved": steps.review.answer.approved}',
        },
      ],
    },
  ],
}

const list = [0, 1]

/** The result of a cell. */
export function squareOf(cell: number): Readonly<Record<string, number>> {
  return { squared: cell * cell }
}

/** What the test sends with the event of an execution. */
export function eventDataOf(number: number): Readonly<Record<string, number>> {
  return { amount: number }
}

function expectedSteps(number: number): Readonly<Record<string, ExpectedStep>> {
  const rows = list.map((n) => [n, n + number])
  const inRow = rows.flatMap((row, at) => {
    const place = `each_row/${at}/each_cell`
    const results = listOf(row.map(squareOf))
    return [
      [`${place}/$open`, done({ items: row })],
      ...row.flatMap((cell, index) => [
        [`${place}/${index}/square_cell`, done(squareOf(cell))],
        [`${place}/${index}/$end`, done(squareOf(cell))],
      ]),
      [place, done(results)],
      [`each_row/${at}/$end`, done(results)],
    ]
  })
  const cells = rows.flat().reduce((sum, cell) => sum + cell * cell, 0)
  return {
    rows: done(rows),
    'each_row/$open': done({ items: rows }),
    ...Object.fromEntries(inRow),
    each_row: done(listOf(rows.map((row) => listOf(row.map(squareOf))))),
    review: { state: 'completed', contains: { answered: true, answer: { approved: true }, by: 'the test' } },
    rest: { state: 'completed' },
    paid: {
      state: 'completed',
      contains: { received: true, key: `order-${number}`, data: eventDataOf(number) },
    },
    fails: { state: 'failed' },
    unreached: { state: 'skipped', output: null },
    rescue: done('VALIDATION_FAILED'),
    sum: done({ cells, amount: number, approved: true }),
  }
}

/** The output of a loop. */
function listOf(results: readonly unknown[]) {
  return { results, errors: [], succeeded: results.length, failed: 0 }
}

function done(output: unknown): ExpectedStep {
  return { state: 'completed', output }
}

export const waitingFlow: ChaosFlow = {
  definition,
  // Half of them keep their worker while they wait, and half are suspended.
  contextOf: (number) => ({ number, list, pause: number % 2 === 0 ? '2s' : '6s' }),
  expectedSteps,
  waits: 3,
}
