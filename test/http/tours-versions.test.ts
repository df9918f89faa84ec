import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  server = await shareToursServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const admin = () => ({ as: userWithRole('admin') })

/** A tour that was created, got a step, was published and renamed. */
async function makeHistory(): Promise<string> {
  const { id } = await server.make({ label: 'First name', routes: [{ route_name: '/' }] })
  await server.addStep(id, { title: 'One' })
  await server.put(`/${id}`, { status: true }, admin())
  await server.put(`/${id}`, { label: 'Second name' }, admin())
  return id
}

const versionsOf = async (id: string) => (await server.call(`/${id}/versions`, admin())).body

describe('the versions of a tour', () => {
  test('are listed with the newest first, and each is kept as it was', async () => {
    const id = await makeHistory()
    const { success, tour_id, versions, total } = await versionsOf(id)
    expect({ success, tour_id, total }).toEqual({ success: true, tour_id: id, total: 4 })
    expect(
      versions.map(({ version, current, kind, label, status, steps }: Record<string, unknown>) => [
        version,
        current,
        kind,
        label,
        status,
        steps,
      ]),
    ).toEqual([
      [4, true, 'saved', 'Second name', true, 1],
      [3, false, 'published', 'First name', true, 1],
      [2, false, 'saved', 'First name', false, 1],
      [1, false, 'created', 'First name', false, 0],
    ])
    const first = await server.call(`/${id}/versions/1`, admin())
    expect(first.body.version).toMatchObject({ version: 1, content: { label: 'First name', tips: [] } })
    const page = await server.call(`/${id}/versions?limit=1&page=2`, admin())
    expect(page.body.versions).toMatchObject([{ version: 3 }])
  })

  test('are compared', async () => {
    const id = await makeHistory()
    const last = await server.call(`/${id}/diff`, admin())
    expect(last.body).toMatchObject({
      from: 3,
      to: 4,
      equal: false,
      tour: [{ field: 'label', old_value: 'First name', new_value: 'Second name' }],
      summary: ['The title changed.'],
    })
    const whole = await server.call(`/${id}/diff?from=1&to=4`, admin())
    expect(whole.body.steps.added).toMatchObject([{ label: 'One' }])
    expect((await server.call(`/${id}/diff?from=2&to=2`, admin())).body.equal).toBe(true)
    expect((await server.call(`/${id}/diff?from=3&to=2`, admin())).status).toBe(400)
    expect((await server.call(`/${id}/diff?to=1`, admin())).status).toBe(404)
    expect((await server.call(`/${id}/diff?from=x`, admin())).status).toBe(400)
  })

  test('are restored as a new version; publication stays', async () => {
    const id = await makeHistory()
    const restored = await server.post(`/${id}/rollback`, { version: 2, revision: 4 }, admin())
    expect(restored.status).toBe(200)
    expect(restored.headers.get('etag')).toBe('"5"')
    expect(restored.body.tour).toMatchObject({ label: 'First name', status: true, revision: 5 })
    const { versions } = await versionsOf(id)
    expect(versions[0]).toMatchObject({ version: 5, kind: 'restored', current: true })
    // The version of a published tour without steps cannot be restored while the tour is published.
    expect((await server.post(`/${id}/rollback`, { version: 1 }, admin())).status).toBe(422)
    const outdated = await server.post(`/${id}/rollback`, { version: 3, revision: 4 }, admin())
    expect(outdated.status).toBe(409)
    expect(outdated.body.tour.revision).toBe(5)
  })

  test('are bounded, and saving many times does not push out the published ones', async () => {
    const { id } = await server.make({ label: 'Start', routes: [{ route_name: '/' }] })
    await server.addStep(id)
    await server.put(`/${id}`, { status: true }, admin())
    for (let count = 0; count < 60; count += 1) {
      expect((await server.put(`/${id}`, { label: `Label ${count}` }, admin())).status).toBe(200)
    }
    const { versions, total } = (await server.call(`/${id}/versions?limit=200`, admin())).body
    expect(total).toBe(52)
    expect(
      versions.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind !== 'saved'),
    ).toEqual(['published', 'created'])
    expect((await server.call(`/${id}/versions/2`, admin())).status).toBe(404)
  })

  test('begin with the tour as it was, when it is older than versions', async () => {
    const { id } = await server.make({ label: 'Old' })
    await server.database.query('delete from tour_versions where tour_id = $1', [id])
    expect((await versionsOf(id)).total).toBe(0)
    expect((await server.call(`/${id}/versions/1`, admin())).body.version.content.label).toBe('Old')
    await server.put(`/${id}`, { label: 'New' }, admin())
    expect((await versionsOf(id)).versions).toMatchObject([{ label: 'New' }, { label: 'Old' }])
  })

  test.each([
    ['GET', '/versions/999', undefined, 404],
    ['GET', '/versions/0', undefined, 404],
    ['GET', '/versions/x', undefined, 404],
    ['GET', '/versions/99999999999', undefined, 404],
    ['POST', '/rollback', { version: 999 }, 404],
    ['POST', '/rollback', { version: 'one' }, 400],
    ['POST', '/rollback', {}, 400],
    ['POST', '/rollback', { version: 1, more: 1 }, 400],
  ])('%s %s with %j is %i', async (method, path, body, status) => {
    const { id } = await server.make()
    const answer =
      body === undefined
        ? await server.call(`/${id}${path}`, { method, ...admin() })
        : await server.post(`/${id}${path}`, body, admin())
    expect(answer.status).toBe(status)
    expect(answer.body.success).toBe(false)
  })

  test('need the permissions of the tour', async () => {
    const id = await makeHistory()
    for (const path of ['versions', 'versions/1', 'diff']) {
      expect((await server.call(`/${id}/${path}`, { as: userWithRole('stranger') })).status).toBe(403)
      expect((await server.call(`/${id}/${path}`, { as: userWithRole('analyst') })).status).toBe(200)
    }
    const restore = (as: string) => server.post(`/${id}/rollback`, { version: 3 }, { as: userWithRole(as) })
    expect((await restore('creator')).status).toBe(403)
    expect((await restore('editor')).status).toBe(200)
    expect((await server.call('/no_such/versions', admin())).status).toBe(404)
  })
})
