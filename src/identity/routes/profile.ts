import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { loadProfile, Profile } from '../users/profile.ts'

/** Tells a caller who they are and what they may do. */
export function addProfileRoute(routes: HttpServer, { database }: { readonly database: Database }): void {
  routes.get(
    '/api/v1/user/profile',
    {
      config: { access: { signedIn: true } },
      schema: {
        operationId: 'readProfile',
        summary: 'The account of the caller',
        response: { 200: Profile },
      },
    },
    async (request, reply) => {
      const { id } = request.principal
      const profile = id === null ? undefined : await loadProfile(database, id)
      // Deleted between the look at the credential and this one.
      if (profile === undefined) throw kernelFailure('authentication_required')
      return reply.header('cache-control', 'no-store').send(profile)
    },
  )
}
