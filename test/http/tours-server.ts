import { addCallers, type Callers } from '../support/accounts.ts'
import { type Answer, type Calls, createCalls } from '../support/calls.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { sharePlatform } from '../support/shared-platform.ts'

export type { Answer } from '../support/calls.ts'

export const toursPath = '/admin/structure/recipe-onboarding/tours'
export const builderPath = '/api/recipe-tour-builder/tour'

/**
 * A platform with calls to the tours' path, unless a path begins with another prefix. The part of a caller's name before the first `-`
 * says what the account may do; the whole names the account, so that limits of one test do not reach another. `''` is an anonymous
 * visitor with an address of its own; undefined leaves the credential to the headers.
 */
export interface ToursServer
  extends Calls,
    Pick<PlatformInProcess, 'url' | 'database' | 'events' | 'identity' | 'tours'>,
    AsyncDisposable {
  headersOf(name: string): Promise<Readonly<Record<string, string>>>
  /** Creates a tour and returns it. */
  make(body?: object): Promise<Answer['body']>
  /** Adds a step to a tour and returns it. */
  addStep(tour: string, data?: object): Promise<Answer['body']>
}

const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  creator: ['create recipe tours'],
  editor: ['edit recipe tours'],
  deleter: ['delete recipe tours'],
  exporter: ['export recipe tours'],
  analyst: ['view recipe tour analytics'],
  admin: ['administer recipe tours'],
  stranger: ['access content'],
}

let accounts = 0

/** A new account with the permissions of the role, and limits of its own. */
export function userWithRole(role: string): string {
  accounts += 1
  return `${role}-${accounts}`
}

/** Opens a platform without the welcome tour, behind a proxy on this machine. */
export async function startToursServer(): Promise<ToursServer> {
  const platform = await openPlatform({ TRUSTED_PROXIES: '127.0.0.1' }, { role: 'api', seed: false })
  return serverOf(platform, await addCallers(platform.database))
}

/** The same on the platform that test files share, for files that look only at tours of their own. */
export async function shareToursServer(): Promise<ToursServer> {
  const platform = await sharePlatform()
  return serverOf(platform, platform.callers)
}

function serverOf(platform: PlatformInProcess, callers: Callers): ToursServer {
  let addresses = 0

  async function headersOf(name: string): Promise<Readonly<Record<string, string>>> {
    addresses += 1
    if (name === '') return { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses & 255}` }
    await callers.add(name, permissionsOf[name.split('-', 1)[0] ?? ''] ?? [])
    return callers.headersOf(name)
  }

  const calls = createCalls({
    urlOf: (path) =>
      `${platform.url}${/^\/(?:admin|api|tours|user|session)/.test(path) ? '' : toursPath}${path}`,
    headersOf,
    as: userWithRole('admin'),
  })
  const { post } = calls

  return {
    ...platform,
    ...calls,
    headersOf,
    async make(body = {}) {
      const made = await post(
        '',
        { label: 'A tour', creation_method: 'visual', ...body },
        { as: userWithRole('admin') },
      )
      if (made.status !== 201) throw new Error(`the tour was not made: ${JSON.stringify(made.body)}`)
      return made.body.tour
    },
    async addStep(tour, data = {}) {
      const stepData = {
        title: 'A step',
        body: '<p>Hello.</p>',
        selector: '#here',
        location: 'bottom',
        ...data,
      }
      const saved = await post(
        `${builderPath}/${tour}/step`,
        { stepId: 'new-step', stepData },
        { as: userWithRole('admin') },
      )
      if (saved.status !== 201) throw new Error(`the step was not made: ${JSON.stringify(saved.body)}`)
      return saved.body.step
    },
  }
}
