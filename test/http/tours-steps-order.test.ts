import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, builderPath, shareToursServer, type ToursServer } from './tours-server.ts'

let server: ToursServer

beforeAll(async () => {
  server = await shareToursServer()
})

afterAll(() => server[Symbol.asyncDispose]())

const ajax = { 'x-requested-with': 'XMLHttpRequest' }

const idsOf = (answer: Answer) => answer.body.tips.map((tip: { id: string }) => tip.id)

async function threeSteps(): Promise<string> {
  const { id } = await server.make({ label: 'Ordered' })
  for (const title of ['A', 'B', 'C']) await server.addStep(id, { title })
  return id
}

describe('the order', () => {
  test('is a list of ids, and returns all steps', async () => {
    const id = await threeSteps()
    const answer = await server.post(
      `${builderPath}/${id}/reorder`,
      { order: ['c', 'a', 'b'] },
      { headers: ajax },
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ success: true, revision: 5 })
    expect(idsOf(answer)).toEqual(['c', 'a', 'b'])
    expect(answer.body.tips.map((tip: { weight: number }) => tip.weight)).toEqual([1, 2, 3])
    expect((await server.call(`/${id}`)).body.tour.tips).toEqual(answer.body.tips)
  })

  test('can be ids with weights', async () => {
    const id = await threeSteps()
    const order = [
      { id: 'a', weight: 10 },
      { id: 'b', weight: -5 },
      { id: 'c', weight: 0 },
    ]
    expect(idsOf(await server.post(`${builderPath}/${id}/reorder`, { order }))).toEqual(['b', 'c', 'a'])
    const listed = [{ id: 'a', weight: 10 }, 'c', { id: 'b' }]
    const answer = await server.post(`${builderPath}/${id}/reorder`, { order: listed })
    expect(idsOf(answer)).toEqual(['a', 'c', 'b'])
  })

  test.each([[[]], [['a', 'b']], [['a', 'b', 'b']], [['a', 'b', 'c', 'd']], [['a', 'b', 'c', 'a']]])(
    'that is %j is no permutation',
    async (order) => {
      const id = await threeSteps()
      const answer = await server.post(`${builderPath}/${id}/reorder`, { order })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toMatchObject([{ field: 'order', code: 'not_a_permutation' }])
    },
  )

  test.each([
    [{}, 'order'],
    [{ order: 'abc' }, 'order'],
    [{ order: [1, 2] }, 'order[0]'],
    [{ order: [{ weight: 1 }] }, 'order[0].id'],
    [{ order: [{ id: 'a', weight: 'x' }] }, 'order[0].weight'],
  ])('%j is a 400', async (body, field) => {
    const answer = await server.post(`${builderPath}/${await threeSteps()}/reorder`, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(field)
  })

  test('of a tour without steps is empty', async () => {
    const { id } = await server.make({ label: 'Nothing to order' })
    expect((await server.post(`${builderPath}/${id}/reorder`, { order: [] })).body).toMatchObject({
      tips: [],
      revision: 1,
    })
  })
})
