import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { Callers } from '../callers/callers.ts'
import type { DataPath } from '../data-path/data-path.ts'
import { isPassedOn, pathOf } from '../data-path/runtime-paths.ts'
import { describePassedOn, type PassedOnPath } from './passed-on-schemas.ts'

interface PassedOnOptions {
  readonly access: ClusterAccess
  readonly callers: Callers
  readonly dataPath: DataPath
  readonly sessionHeader: string
}

/**
 * What is passed on to nodes, for those who are not known yet: here the framework finds out who they are and whether they may,
 * and then steps aside. Requests of cached callers take the fast path instead. The schemas only document; the node validates the body.
 */
export function addPassedOnRoutes(
  routes: HttpServer,
  paths: readonly PassedOnPath[],
  { access, callers, dataPath, sessionHeader }: PassedOnOptions,
): void {
  routes.removeAllContentTypeParsers()
  routes.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const path of paths) {
    routes.post(
      path.url,
      {
        config: { access: access.generate },
        schema: describePassedOn(path, sessionHeader),
        validatorCompiler: () => () => true,
      },
      (request, reply) => {
        const asked = pathOf(request.url)
        if (!isPassedOn(asked)) throw nothingThere(asked)
        callers.remember(request.headers, request.principal)
        reply.hijack()
        dataPath(request.raw, reply.raw, { path: asked, caller: request.principal })
      },
    )
  }
}

/** The pattern for everything under `/v1` also meets the lists, which are not passed on. */
function nothingThere(path: string) {
  if (!/^\/v1\/models(\/|$)/.test(path)) return kernelFailure('not_found')
  return kernelFailure('method_not_allowed', {
    message: 'This address does not answer POST; it answers GET.',
    headers: { allow: 'GET' },
  })
}
