import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { askedBy } from '../asked-by.ts'
import type { Tiers } from '../tiers/tiers.ts'
import { loadProfile } from '../users/profile.ts'
import { userFields } from '../users/user-fields.ts'
import { profileFields } from '../users/user-shapes.ts'
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
      { description: 'How much the tier allows.' },
    ),
  },
  { description: 'The account.' },
)

/** Tells a caller who they are and what they may do, and lets them say what they are called. */
export function addProfileRoutes(routes: HttpServer, { database, users, tiers }: ProfileRoutesOptions): void {
  async function profileOf(request: FastifyRequest): Promise<Static<typeof OwnProfile>> {
    const profile = await loadProfile(database, callerOf(request).id)
    // Deleted between the look at the credential and this one.
    if (profile === undefined) throw kernelFailure('authentication_required')
    const { requestsPerHour, concurrentWorkflows, microDollarsPerDay } = tiers.limitsOfTier(profile.tier)
    return {
      ...profile,
      limits: {
        requests_per_hour: requestsPerHour,
        concurrent_workflows: concurrentWorkflows,
        dollars_per_day: microDollarsPerDay / 1_000_000,
      },
    }
  }

  routes.get(
    '/api/v1/user/profile',
    {
      config: { access: { signedIn: true, anyScope: true } },
      schema: {
        operationId: 'readProfile',
        summary: 'The account of the caller',
        description:
          'Any credential may read it. The permissions are the account’s; a scope may let fewer through.',
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
        summary: 'Change what is known of oneself',
        description: 'What is left out stays as it is; `email: null` removes the address.',
        body: Type.Object(
          { email: Type.Optional(userFields.email), display_name: Type.Optional(userFields.display_name) },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: OwnProfile },
      },
    },
    async (request, reply) => {
      const { email, display_name: displayName } = request.body
      await users.change(callerOf(request).id, { email, displayName }, askedBy(request))
      return reply.header('cache-control', 'no-store').send(await profileOf(request))
    },
  )
}
