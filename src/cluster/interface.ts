import { Type } from 'typebox'
import { type InterfaceDefinition, plainVoice } from '#kernel/http'
import { describeCompatibleError, describeMessagesError } from './data-path/voices.ts'

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

/** The runtime's own paths. Requests that are passed on to a node never come this far; the merged lists do. */
export const runtimeInterface: InterfaceDefinition = {
  name: 'runtime',
  title: 'Model runtime',
  version: '1.0.0',
  description: 'The interface of the model runtime, answered by all nodes together.',
  prefixes: ['/api'],
  wording: plainVoice.wording,
  errorBody: ({ message }) => ({ error: message }),
  errorSchema: Type.Object({ error: Type.String() }),
}

/** The paths clients of other services know. */
export const compatibleInterface: InterfaceDefinition = {
  name: 'compatible',
  title: 'Compatible',
  version: '1.0.0',
  description: 'The runtime by the interface that clients of other services speak.',
  prefixes: ['/v1'],
  wording: plainVoice.wording,
  errorBody: (error) => ({ error: describeCompatibleError(error) }),
  // `param` and `code` are there as well and mostly null, which a shared schema cannot say.
  errorSchema: Type.Object({
    error: Type.Object({ message: Type.String(), type: Type.String() }, { additionalProperties: true }),
  }),
}

/** The path for clients of Anthropic, with the errors that they read. */
export const messagesInterface: InterfaceDefinition = {
  name: 'messages',
  title: 'Messages',
  version: '1.0.0',
  description: 'The runtime by the interface that clients of Anthropic speak.',
  prefixes: ['/v1/messages'],
  wording: plainVoice.wording,
  errorBody: describeMessagesError,
  errorSchema: Type.Object({
    type: Type.String(),
    error: Type.Object({ type: Type.String(), message: Type.String() }),
  }),
}
