import { expect, test } from 'vitest'
import { readHumanTaskSearch } from './human-task-search.ts'

const task = '01890000-0000-7000-8000-000000000000'

test.each([
  [{}, {}],
  [{ state: 'open', page: 1 }, {}],
  [
    { state: 'answered', assigned: 'me', page: 2, task },
    { state: 'answered', assigned: 'me', page: 2, task },
  ],
  [{ state: 'lost', assigned: 'otto', page: -1, task: 'x' }, {}],
])('the search parameters %j of the human tasks', (given, expected) => {
  expect(readHumanTaskSearch(given)).toEqual(expected)
})
