import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileBodies, hostileLabels, hostileSelectors } from '../fixtures/hostile-tours.ts'
import { type Answer, builderPath, shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
let tour: string

beforeAll(async () => {
  server = await shareToursServer()
  tour = (await server.make({ label: 'Attacked' })).id
  await server.addStep(tour, { title: 'Target' })
})

afterAll(() => server[Symbol.asyncDispose]())

const named = (values: readonly string[]) =>
  values.map((value) => [JSON.stringify(value.slice(0, 50)), value] as const)

/** Accepted, or refused with a reason in the format of the API. */
function expectAnswer({ status, body }: Answer): boolean {
  expect([200, 201, 400, 422]).toContain(status)
  expect(body.success).toBe(status < 300)
  if (status < 300) return true
  expect(body.message).toEqual(expect.any(String))
  expect(body.errors.length).toBeGreaterThan(0)
  for (const error of body.errors) {
    expect(error).toEqual({
      field: expect.any(String),
      message: expect.stringMatching(/[.!?]$/),
      code: expect.any(String),
    })
  }
  return false
}

test('the corpus has enough entries', () => {
  expect(hostileBodies.length + hostileLabels.length + hostileSelectors.length).toBeGreaterThanOrEqual(60)
})

describe('a body', () => {
  test.each(named(hostileBodies))('%s', async (_name, body) => {
    const step = { stepId: 'target', stepData: { body } }
    const saved = await server.post(`${builderPath}/${tour}/step`, step, { as: userWithRole('editor') })
    if (!expectAnswer(saved)) return
    const stored: string = saved.body.step.body
    expect(stored).not.toMatch(
      /<(?!\/?(?:p|br|strong|em|b|i|code|pre|ul|ol|li|a|h3|h4|blockquote|table|caption|thead|tbody|tfoot|tr|th|td|img|video)\b)/i,
    )
    expect(stored).not.toMatch(/<[^>]*\son\w+\s*=/i)
    expect(stored).not.toMatch(/<[^>]*\b(?:style|srcdoc|formaction|id|class|name|autoplay)\s*=/i)
    expect(stored).not.toMatch(/<(?!img|video)[^>]*\ssrc\s*=/i)
    expect(stored).not.toMatch(/(?:href|src|poster)="\s*(?:javascript|data|vbscript|file):/i)
    const read = await server.call(`/${tour}`, { as: userWithRole('editor') })
    expect(read.body.tour.tips[0].body).toBe(stored)
    // Sanitizing is idempotent: the stored value is stored unchanged again.
    const again = { stepId: 'target', stepData: { body: stored } }
    const resaved = await server.post(`${builderPath}/${tour}/step`, again, { as: userWithRole('editor') })
    expect(resaved.body.step.body).toBe(stored)
  })
})

describe('a label', () => {
  test.each(named(hostileLabels))('%s of a tour', async (_name, label) => {
    const made = await server.post('', { label }, { as: userWithRole('admin') })
    if (!expectAnswer(made)) return
    const { id } = made.body.tour
    expect(id).toMatch(/^[a-z0-9_-]{1,64}$/)
    expect(made.headers.get('location')?.endsWith(`/${id}`)).toBe(true)
    expect(made.body.tour.label).toBe(label.trim())
    const as = userWithRole('admin')
    expect((await server.call(`/${id}`, { as })).body.tour.label).toBe(label.trim())
    expect((await server.put(`/${id}`, { label: 'Renamed' }, { as })).status).toBe(200)
    const search = encodeURIComponent(label)
    expect((await server.call(`?search=${search}`, { as })).status).toBe(200)
    expect((await server.delete(`/${id}`, { as })).status).toBe(200)
  })

  test.each(named(hostileLabels))('%s of a step', async (_name, title) => {
    const as = userWithRole('admin')
    const saved = await server.post(
      `${builderPath}/${tour}/step`,
      { stepId: 'new-step', stepData: { title } },
      { as },
    )
    if (!expectAnswer(saved)) return
    const { id, label } = saved.body.step
    expect(id).toMatch(/^[a-z0-9_-]{1,64}$/)
    expect(id).not.toBe('new-step')
    expect(label).toBe(title.trim())
    expect((await server.delete(`${builderPath}/${tour}/step/${id}`, { as })).status).toBe(200)
  })

  test.each(named(hostileLabels))('%s as a name in the address', async (_name, name) => {
    const path = encodeURIComponent(name.isWellFormed() ? name : 'x')
    const as = userWithRole('admin')
    for (const address of [`/${path}`, `/${path}/analytics`, `/templates/${path}`]) {
      expect([200, 400, 404]).toContain((await server.call(address, { as })).status)
    }
    const step = await server.delete(`${builderPath}/${tour}/step/${path}`, { as })
    expect([400, 404, 405]).toContain(step.status)
  })
})

describe('a selector', () => {
  test.each(named(hostileSelectors))('%s', async (_name, selector) => {
    const stepData = { selector, location: 'top', candidates: [selector] }
    const saved = await server.post(
      `${builderPath}/${tour}/step`,
      { stepId: 'target', stepData },
      { as: userWithRole('editor') },
    )
    if (!expectAnswer(saved)) return
    expect(saved.body.step.selector).toBe(selector.trim())
    expect(selector).not.toMatch(/[<{};`]|::/)
  })

  test.each(named(hostileSelectors))('%s as a route', async (_name, route_name) => {
    const as = userWithRole('editor')
    if (expectAnswer(await server.put(`/${tour}`, { routes: [{ route_name }] }, { as }))) {
      expect(route_name.trim()).toMatch(/^(?:<front>|\/[^\s?#]*|[\w.:-]+)$/)
    }
  })
})

describe('any other input', () => {
  test.each([
    '{"label":"x","__proto__":{"status":true}}',
    '{"constructor":{"prototype":{"x":1}},"label":"x"}',
    `{"label":"x","tour":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    '{"label":"x","launch":{"toString":"x"}}',
    '{"label":1e400}',
    '{"label":"x","id":["a"]}',
    `{"label":"${'x'.repeat(100_000)}"}`,
  ])('%.80s', async (body) => {
    const answer = await server.post('', body, { as: userWithRole('admin') })
    expect([400, 422]).toContain(answer.status)
    expect(Object.keys(answer.body).sort()).toEqual(['errors', 'message', 'request_id', 'success'])
  })

  test('a body of more than a megabyte is 413 in the same format', async () => {
    const answer = await server.post('', { label: 'x'.repeat(1_100_000) })
    expect(answer.status).toBe(413)
    expect(answer.body).toMatchObject({ success: false, errors: [{ code: 'body_too_large' }] })
  })

  test('bodies that are mostly markup are refused before they are parsed', async () => {
    const tips = Array.from({ length: 50 }, (_, n) => ({ label: `Step ${n}`, body: '<b>'.repeat(5000) }))
    const answer = await server.put(`/${tour}`, { tips }, { as: userWithRole('editor') })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0]).toMatchObject({ field: 'tips[0].body', code: 'too_long' })
  })
})
