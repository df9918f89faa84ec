import { Type } from 'typebox'
import { type InterfaceDefinition, plainVoice } from '#kernel/http'

/** How the cluster service speaks on its own paths; the paths of the model runtime have the runtime's voice. */
export const clusterInterface: InterfaceDefinition = {
  name: 'cluster',
  title: 'Cluster',
  version: '1.0.0',
  description: 'The model nodes: which there are, how they are and what they have.',
  prefixes: ['/health', '/healthz', '/readyz', '/api/cluster', '/openapi', '/openapi.yaml', '/openapi.json'],
  wording: plainVoice.wording,
  errorBody: ({ code, message, details, problems }) => ({
    error: { code, message, details: problems.length === 0 ? details : { ...details, problems } },
  }),
  errorSchema: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Object({}, { additionalProperties: true }),
    }),
  }),
}
