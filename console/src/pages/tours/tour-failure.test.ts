import { expect, test } from 'vitest'
import { tourFailureOf } from './tour-failure.ts'

const answer = (status: number) => new Response(null, { status, headers: { 'x-request-id': 'r1' } })

test('an error of the tours API is read with its message and problems', () => {
  const body = {
    success: false,
    message: 'The title is missing.',
    errors: [
      { field: 'stepData.title', message: 'stepData.title is required.', code: 'required' },
      { field: '', message: 'x', code: 'y' },
    ],
  }
  expect(tourFailureOf(answer(400), body)).toMatchObject({
    status: 400,
    code: 'required',
    message: 'The title is missing.',
    problems: [{ path: 'stepData.title', message: 'is required' }],
    requestId: 'r1',
  })
})

test.each([undefined, null, 'a page of a proxy', {}, { message: 'x' }, { message: 'x', errors: 'y' }])(
  'any other body is described by its status: %j',
  (body) => {
    expect(tourFailureOf(answer(502), body)).toMatchObject({ status: 502, problems: [] })
  },
)

test('invalid parts of an error are left out', () => {
  const body = { message: 'No.', errors: [null, { field: 1 }, { field: 'a', message: 'b', code: 'c' }] }
  expect(tourFailureOf(answer(422), body).problems).toEqual([{ path: 'a', message: 'b' }])
})
