import { Type } from 'typebox'
import { type InterfaceDefinition, plainVoice } from '#kernel/http'
import { clusterInterface } from '../interface.ts'

/**
 * The cluster on the platform's own server: the paths and bodies of the service. Errors carry what clients of the service
 * read in them, and beside it what clients of the platform do.
 */
export const platformClusterInterface: InterfaceDefinition = {
  ...clusterInterface,
  description:
    'The model nodes, for those who watch over them: which there are, how they are, and changing them.',
  prefixes: ['/api/cluster'],
  errorBody({ code, message, details, problems, requestId }) {
    const listed = problems.length > 0 && { problems }
    return { error: { code, message, details: { ...details, ...listed }, ...listed, request_id: requestId } }
  },
  errorSchema: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Object({}, { additionalProperties: true }),
      problems: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String(), code: Type.String() })),
      ),
      request_id: Type.String(),
    }),
  }),
  wording: plainVoice.wording,
}
