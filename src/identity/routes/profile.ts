import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { showLimits, shownLimits } from '../api-keys/key-limits.ts'
import { originOf } from '../security-events.ts'
import type { Tiers } from '../tiers.ts'
import type { ChangePassword } from '../users/change-password.ts'
import { loadProfile } from '../users/user.ts'
import { profileFields, userFields } from '../users/user-schemas.ts'
import type { Users } from '../users/users.ts'
import { callerOf } from './caller.ts'

export interface ProfileRoutesOptions {
  readonly database: Database
  readonly users: Users
  readonly tiers: Tiers
}

const OwnProfile = Type.Object(
  {
    ...profileFields,
    limits: Type.Object(
      {
        requests_per_hour: Type.Integer(),
        concurrent_workflows: Type.Integer(),
        dollars_per_day: Type.Number(),
      },
      { description: 'The limits of the tier.' },
    ),
    api_key: Type.Optional(
      Type.Object(
        { id: Type.String({ format: 'uuid' }), limits: shownLimits },
        { description: 'The API key of this request; absent for other credentials.' },
      ),
    ),
  },
  { description: 'The account.' },
)

/** Read and change the profile of the caller. */
export function addProfileRoutes(routes: HttpServer, { database, users, tiers }: ProfileRoutesOptions): void {
  async function profileOf(request: FastifyRequest): Promise<Static<typeof OwnProfile>> {
    const profile = await loadProfile(database, callerOf(request).id)
    // The account was deleted after the request was authenticated.
    if (profile === undefined) throw kernelFailure('authentication_required')
    const { method, credential, limits } = request.principal
    const { requestsPerHour, concurrentWorkflows, microDollarsPerDay } = tiers.limitsOfTier(profile.tier)
    return {
      ...profile,
      limits: {
        requests_per_hour: requestsPerHour,
        concurrent_workflows: concurrentWorkflows,
        dollars_per_day: microDollarsPerDay / 1_000_000,
      },
      ...(method === 'api_key' &&
        credential !== null && { api_key: { id: credential, limits: showLimits(limits) } }),
    }
  }

  routes.get(
    '/api/v1/user/profile',
    {
      config: { access: { signedIn: true, anyScope: true } },
      schema: {
        operationId: 'readProfile',
        summary: 'Get your profile',
        description:
          'Any credential may read it. `permissions` are those of the account; the scopes of the credential may allow fewer.',
        response: { 200: OwnProfile },
      },
    },
    async (request, reply) => reply.header('cache-control', 'no-store').send(await profileOf(request)),
  )

  routes.patch(
    '/api/v1/user/profile',
    {
      config: { access: { signedIn: true } },
      schema: {
        operationId: 'changeProfile',
        summary: 'Update your profile',
        description: 'Absent fields stay unchanged; `email: null` removes the e-mail address.',
        body: Type.Object(
          { email: Type.Optional(userFields.email), display_name: Type.Optional(userFields.display_name) },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: OwnProfile },
      },
    },
    async (request, reply) => {
      const { email, display_name: displayName } = request.body
      await users.change(callerOf(request).id, { email, displayName }, actorOf(request))
      return reply.header('cache-control', 'no-store').send(await profileOf(request))
    },
  )
}

export function addPasswordRoute(routes: HttpServer, changePassword: ChangePassword): void {
  routes.post(
    '/api/v1/user/password',
    {
      config: { access: { signedIn: true } },
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Ends all your other sessions and token sign-ins; the current one stays. A wrong current password counts as a failed sign-in attempt.',
        body: Type.Object(
          {
            current_password: Type.String({ minLength: 1, maxLength: 1024 }),
            new_password: userFields.password,
          },
          { additionalProperties: false },
        ),
        response: { 204: Type.Null({ description: 'Changed.' }) },
      },
    },
    async (request, reply) => {
      const { id: userId, username, current } = callerOf(request)
      const { current_password: currentPassword, new_password: newPassword } = request.body
      const origin = originOf(request)
      await changePassword({ userId, username, currentPassword, newPassword, current, origin })
      return reply.code(204).send(null)
    },
  )
}
