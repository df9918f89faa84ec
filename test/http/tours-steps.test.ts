import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, builderPath, shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
let tour: string

beforeAll(async () => {
  server = await shareToursServer()
  const made = await server.make({
    label: 'Stepped',
    routes: [{ route_name: '/one' }, { route_name: 'system.admin_content' }],
  })
  tour = made.id
})

afterAll(() => server[Symbol.asyncDispose]())

const ajax = { 'x-requested-with': 'XMLHttpRequest' }

function save(id: string, stepId: string, stepData: unknown, more: object = {}): Promise<Answer> {
  const as = userWithRole('editor')
  return server.post(`${builderPath}/${id}/step`, { stepId, stepData, ...more }, { as, headers: ajax })
}

describe('saving a step', () => {
  test('adds a new one, whose title becomes its label', async () => {
    const { status, body, headers } = await save(tour, 'new-step', {
      title: 'Look here',
      body: '<p>This is it.</p>',
      selector: '#it',
      location: 'left',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      step: {
        id: 'look_here',
        label: 'Look here',
        body: '<p>This is it.</p>',
        selector: '#it',
        location: 'left',
        position: null,
        weight: 1,
        route: null,
        candidates: [],
        target_text: null,
        advance: 'next',
      },
      revision: 2,
    })
    expect(headers.get('etag')).toBe('"2"')
    expect((await server.call(`/${tour}`)).body.tour.tips).toEqual([body.step])
  })

  test('numbers a repeated title', async () => {
    const { id } = await server.make({ label: 'Twice' })
    expect((await server.addStep(id, { title: 'New step' })).id).toBe('new_step')
    expect((await server.addStep(id, { title: 'New step' })).id).toBe('new_step_2')
    expect((await server.addStep(id, { title: '漢字' })).id).toBe('step')
  })

  test('keeps everything a step can have', async () => {
    const more = { route: '/one', candidates: ['.a', ' .b '], target_text: ' Save\n now ' }
    const { body } = await save(tour, 'new-step', {
      title: 'Rich',
      selector: ' #rich ',
      location: 'top',
      ...more,
    })
    expect(body.step).toMatchObject({
      selector: '#rich',
      location: 'top',
      body: '',
      route: '/one',
      candidates: ['.a', '.b'],
      target_text: 'Save now',
    })
  })

  test('drops candidates that repeat the selector', async () => {
    const step = await server.addStep(tour, { selector: '#x', candidates: ['#x', '#y', '#y'] })
    expect(step.candidates).toEqual(['#y'])
  })

  test('places it at the bottom of its element, or in the middle without one', async () => {
    const { body: pointed } = await save(tour, 'new-step', { title: 'Pointed', selector: 'main' })
    expect(pointed.step.location).toBe('bottom')
    const { body: centred } = await save(tour, 'new-step', { title: 'Centred' })
    expect(centred.step).toMatchObject({ location: 'center', selector: '' })
  })

  test.each(['top', 'bottom', 'left', 'right'])('stores the location %s as given', async (location) => {
    expect((await server.addStep(tour, { location })).location).toBe(location)
  })

  test('has no selector in the middle of the page', async () => {
    const given = {
      title: 'Middle',
      selector: '#x',
      candidates: ['.a'],
      target_text: 'x',
      location: 'center',
    }
    const { body } = await save(tour, 'new-step', given)
    expect(body.step).toMatchObject({ location: 'center', selector: '', candidates: [], target_text: null })
  })

  test('changes a stored one, and keeps omitted fields', async () => {
    const { id } = await server.addStep(tour, { title: 'Before', candidates: ['.c'], target_text: 'Text' })
    const { status, body } = await save(tour, id, { title: 'After' })
    expect(status).toBe(200)
    expect(body.step).toMatchObject({
      id,
      label: 'After',
      selector: '#here',
      candidates: ['.c'],
      target_text: 'Text',
    })
    const cleared = await save(tour, id, { target_text: null, candidates: [], body: '' })
    expect(cleared.body.step).toMatchObject({ target_text: null, candidates: [], body: '' })
  })

  test('moves it out of the middle when it gets an element', async () => {
    const { id } = await server.addStep(tour, { selector: undefined, location: 'center' })
    expect((await save(tour, id, { selector: '#now' })).body.step).toMatchObject({
      selector: '#now',
      location: 'bottom',
    })
    expect((await save(tour, id, { location: 'center' })).body.step.selector).toBe('')
    const refused = await save(tour, id, { location: 'top' })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toMatchObject([{ field: 'stepData.selector', code: 'required' }])
  })

  test('moves a step to the position of its weight', async () => {
    const { id } = await server.make({ label: 'Moved' })
    for (const title of ['A', 'B', 'C']) await server.addStep(id, { title })
    expect((await save(id, 'c', { weight: 1 })).body.step.weight).toBe(1)
    await save(id, 'new-step', { title: 'D', weight: 2 })
    const { tips } = (await server.call(`/${id}`)).body.tour
    expect(tips.map((tip: { id: string; weight: number }) => [tip.id, tip.weight])).toEqual([
      ['c', 1],
      ['d', 2],
      ['a', 3],
      ['b', 4],
    ])
    expect((await save(id, 'c', { weight: 900 })).body.step.weight).toBe(4)
    expect((await save(id, 'c', { title: 'Stays' })).body.step.weight).toBe(4)
  })

  test.each([
    [{}, 'stepId'],
    [{ stepId: 'new-step' }, 'stepData'],
    [{ stepId: 7, stepData: {} }, 'stepId'],
    [{ stepId: '', stepData: { title: 'x' } }, 'stepId'],
    [{ stepId: 'new-step', stepData: [] }, 'stepData'],
    [{ stepId: 'new-step', stepData: {} }, 'stepData.title'],
    [{ stepId: 'new-step', stepData: { title: '  ' } }, 'stepData.title'],
    [{ stepId: 'new-step', stepData: { title: 'x\ny' } }, 'stepData.title'],
    [{ stepId: 'new-step', stepData: { title: 'x'.repeat(256) } }, 'stepData.title'],
    [{ stepId: 'new-step', stepData: { title: 'x', body: 5 } }, 'stepData.body'],
    [{ stepId: 'new-step', stepData: { title: 'x', body: 'x'.repeat(50_001) } }, 'stepData.body'],
    [{ stepId: 'new-step', stepData: { title: 'x', location: 'above' } }, 'stepData.location'],
    [{ stepId: 'new-step', stepData: { title: 'x', location: 'top' } }, 'stepData.selector'],
    [{ stepId: 'new-step', stepData: { title: 'x', location: 'top', selector: null } }, 'stepData.selector'],
    [{ stepId: 'new-step', stepData: { title: 'x', selector: 'a'.repeat(1001) } }, 'stepData.selector'],
    [
      { stepId: 'new-step', stepData: { title: 'x', selector: 'a', candidates: ['a', 'b', 'c', 'd'] } },
      'stepData.candidates',
    ],
    [{ stepId: 'new-step', stepData: { title: 'x', colour: 'red' } }, 'stepData.colour'],
    [{ stepId: 'new-step', stepData: { title: 'x' }, revision: 0 }, 'revision'],
  ])('refuses %j with 400', async (body, field) => {
    const answer = await server.post(`${builderPath}/${tour}/step`, body, { as: userWithRole('editor') })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(field)
  })

  test.each([
    [{ selector: '', location: 'top' }, 'stepData.selector', 'invalid_selector'],
    [{ selector: 'div[', location: 'top' }, 'stepData.selector', 'invalid_selector'],
    [{ selector: 'p::before' }, 'stepData.selector', 'invalid_selector'],
    [{ selector: 'a', candidates: ['b', '##'] }, 'stepData.candidates[1]', 'invalid_selector'],
    [{ route: '/elsewhere' }, 'stepData.route', 'unknown'],
    [{ body: 'x'.repeat(10_001) }, 'stepData.body', 'too_long'],
  ])('refuses %j with 422', async (data, field, code) => {
    const answer = await save(tour, 'new-step', { title: 'x', ...data })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field, code }])
  })

  test('returns 404 for an unknown step', async () => {
    const answer = await save(tour, 'nowhere', { title: 'x' })
    expect(answer.status).toBe(404)
    expect(answer.body.errors).toMatchObject([{ field: 'stepId', code: 'not_found' }])
  })

  test('accepts at most 50 steps', async () => {
    const { id } = await server.make({ label: 'Long' })
    await server.put(`/${id}`, { tips: Array.from({ length: 50 }, (_, n) => ({ label: `Step ${n}` })) })
    const answer = await save(id, 'new-step', { title: 'One more' })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field: 'stepId', code: 'too_many' }])
    expect((await save(id, 'step_7', { title: 'Changed' })).status).toBe(200)
  })

  test('keeps all of many concurrent ones', async () => {
    const { id } = await server.make({ label: 'Crowded' })
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => server.addStep(id, { title: `Step ${n}` })))
    const { tips, revision } = (await server.call(`/${id}`)).body.tour
    expect(tips.map((tip: { weight: number }) => tip.weight)).toEqual([1, 2, 3, 4, 5, 6])
    expect(revision).toBe(7)
  })
})

describe('deleting a step', () => {
  test('renumbers the others', async () => {
    const { id } = await server.make({ label: 'Cut' })
    for (const title of ['A', 'B', 'C']) await server.addStep(id, { title })
    const { status, body } = await server.delete(`${builderPath}/${id}/step/a`, { headers: ajax })
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: expect.stringContaining('a'), revision: 5 })
    expect((await server.call(`/${id}`)).body.tour.tips).toMatchObject([
      { id: 'b', weight: 1 },
      { id: 'c', weight: 2 },
    ])
    const again = await server.delete(`${builderPath}/${id}/step/a`)
    expect(again.status).toBe(404)
    expect(again.body.errors).toMatchObject([{ field: 'step_id', code: 'not_found' }])
  })

  test('unpublishes the tour with the last one', async () => {
    const { id } = await server.make({ label: 'Emptied' })
    await server.addStep(id, { title: 'Only' })
    await server.put(`/${id}`, { status: true })
    const { body } = await server.delete(`${builderPath}/${id}/step/only`)
    expect(body.message).toContain('draft')
    expect((await server.call(`/${id}`)).body.tour).toMatchObject({ status: false, tips: [] })
  })
})
